// A stream with the messages of the example plug-in's protocol, which have numbers and checksums. Either the
// input is what a peer sends; or messages are written to one end in arbitrary pieces, pass a peer that reads
// in small steps, and must come out of the other end unchanged.
#include <cstring>
#include <memory>
#include <vector>

#include "../conformance/plugin_registry.h"
#include "coded/coded_stream.h"
#include "giop/header/message_header.h"
#include "input.h"
#include "memory_stream.h"

namespace {

using namespace takt;
using coded::CodedStream;
using fuzz::Input;
using fuzz::require;
using rooms::MemoryStream;
using rooms::Wire;
using transport::IoStatus;
using Octets = std::vector<std::uint8_t>;

const std::shared_ptr<const giop::MessagingProtocol>& protocol() {
  static struct Registry final : test::PluginRegistry {
    Registry() { require(takt_plugin(plugin_interface, *this) == plugin_interface && brought != nullptr); }
    void add_messaging(std::unique_ptr<const giop::MessagingProtocol> one) override {
      brought = std::move(one);
    }

    std::shared_ptr<const giop::MessagingProtocol> brought;
  } const registry;
  return registry.brought;
}

giop::Limits limits() {
  giop::Limits limits;
  limits.message_bytes = 4096;
  return limits;
}

// Reads all data; returns the status that ended it.
IoStatus read_all(CodedStream& stream, std::size_t room, Octets& all) {
  Octets into(room);
  for (;;) {
    const auto result = stream.read(into);
    if (result.status != IoStatus::ok) return result.status;
    require(result.bytes > 0 && result.bytes <= room);
    all.insert(all.end(), into.begin(), into.begin() + static_cast<std::ptrdiff_t>(result.bytes));
  }
}

void hear(Input& in) {
  Wire wire;
  wire.read_limit = 1 + in.octet() % 64U;
  CodedStream stream(std::make_unique<MemoryStream>(wire), protocol(), protocol()->open(false),
                     giop::Connection::Role::server, limits());
  const std::size_t room = 1 + in.octet();
  while (!in.empty()) {
    const ByteView some = in.octets(1 + in.octet() % 128U);
    wire.incoming.insert(wire.incoming.end(), some.begin(), some.end());
    Octets all;
    const IoStatus status = read_all(stream, room, all);
    require(status == IoStatus::would_block || status == IoStatus::failed);
    if (status == IoStatus::failed) return;
  }
}

Octets message_of(ByteView body) {
  Octets message(giop::header_size);
  giop::write_header(message.data(), {1, 2}, cdr::native_order, giop::MessageType::request);
  message.insert(message.end(), body.begin(), body.end());
  giop::store_message_size(message.data(), static_cast<std::uint32_t>(body.size()));
  return message;
}

void pass(Input& in) {
  Wire out, back;
  CodedStream sender(std::make_unique<MemoryStream>(out), protocol(), protocol()->open(true),
                     giop::Connection::Role::client, limits());
  CodedStream receiver(std::make_unique<MemoryStream>(back), protocol(), protocol()->open(false),
                       giop::Connection::Role::server, limits());
  const std::size_t room = 1 + in.octet();
  back.read_limit = 1 + in.octet();
  Octets sent, received;
  while (!in.empty()) {
    Octets more;  // a message or two
    for (unsigned count = in.octet() % 2U; count < 2; ++count) {
      const Octets message = message_of(in.octets(in.octet()));
      more.insert(more.end(), message.begin(), message.end());
    }
    sent.insert(sent.end(), more.begin(), more.end());
    for (ByteView left = more; !left.empty();) {
      out.write_limit = in.octet();
      ByteView rest = left;
      std::vector<ByteView> pieces;
      while (!rest.empty() && pieces.size() < 4) {
        pieces.push_back(rest.first(std::min<std::size_t>(rest.size(), 1 + in.octet())));
        rest = rest.subspan(pieces.back().size());
      }
      if (in.empty()) out.write_limit = SIZE_MAX;
      const auto result = sender.write_gather(pieces);
      require(result.status == IoStatus::ok || result.status == IoStatus::would_block);
      left = left.subspan(result.bytes);
    }
    back.incoming.insert(back.incoming.end(), out.outgoing.begin(), out.outgoing.end());
    out.outgoing.clear();
    require(read_all(receiver, room, received) == IoStatus::would_block);
  }
  require(received == sent);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input in(data, size);
  if (in.octet() % 2 == 0)
    hear(in);
  else
    pass(in);
  return 0;
}
