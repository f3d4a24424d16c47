// Compressed messages of hostile peers. An input is used twice: as the data after a compressed message's
// header, with bounds that its first octets choose; and as plain data that our own peer compresses, which
// must be restored unchanged. With zlib, and with the method of the example plug-in.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "../conformance/plugin_registry.h"
#include "giop/compression/compressor.h"
#include "giop/connection.h"
#include "giop/message/request.h"

namespace {

using namespace takt;
using giop::Connection;
using giop::EventKind;

constexpr giop::Messaging both{.short_heads = true, .compression = true};

const giop::compression::MethodList& methods() {
  static struct Registry final : test::PluginRegistry {
    Registry() {
      if (takt_plugin(plugin_interface, *this) != plugin_interface) std::abort();
      list = methods.all();
    }
    void add_compression(std::unique_ptr<const giop::CompressionMethod> method) override {
      methods.add(std::move(method));
    }

    giop::compression::Methods methods;
    giop::compression::MethodList list;
  } const registry;
  return registry.list;
}

volatile std::uint32_t sink;

giop::Event feed(Connection& connection, ByteView message) {
  while (!message.empty()) {
    const MutableBytes space = connection.read_space();
    const std::size_t count = std::min(space.size(), message.size());
    std::memcpy(space.data(), message.data(), count);
    connection.bytes_read(count);
    message = message.subspan(count);
  }
  return connection.next_event();
}

void take_apart(const giop::Limits& limits, std::vector<std::uint8_t> message) {
  Connection server(Connection::Role::server, limits, both, methods());
  const giop::Event event = feed(server, message);
  std::uint32_t sum = 0;
  for (const ByteView view : {event.object_key, event.body})
    for (const std::uint8_t octet : view) sum += octet;
  sink = sum;
  if (event.body.size() > limits.message_bytes || event.body.size() > limits.expansion * message.size())
    std::abort();
  if (event.kind == EventKind::none) std::abort();
}

void there_and_back(const giop::Limits& limits, ByteView body, const giop::CompressionMethod& method) {
  static const auto target = giop::PreparedTarget::for_key({1, 2}, body.first(0));
  GatherBuffer buffer;
  cdr::Encoder out(buffer);
  giop::write_request(out, target, {.request_id = 2, .operation = "op", .has_body = !body.empty()});
  out.put_octets(body);
  giop::finish_message(buffer);
  giop::compression::Compressor compressor({.threshold_bytes = 0}, limits.expansion, methods());
  compressor.agree({limits.expansion, method.number()});
  std::vector<ByteView> pieces;
  compressor.pack(buffer).gather(pieces);
  std::vector<std::uint8_t> message;
  for (const ByteView piece : pieces) message.insert(message.end(), piece.begin(), piece.end());
  if (message.size() > buffer.size()) std::abort();
  Connection server(Connection::Role::server, limits, both, methods());
  const giop::Event event = feed(server, message);
  if (event.kind != EventKind::request || !std::ranges::equal(event.body, body)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 4) return 0;
  giop::Limits limits;
  limits.message_bytes = 64 * 1024;
  limits.expansion = static_cast<std::uint16_t>(2 + data[0]);
  const std::uint8_t method = (data[1] & 2) != 0 ? methods().all().back()->number() : data[1] & 1;
  std::vector<std::uint8_t> message{'Z', 1, method, 0, data[0], 0, 1, 0, 0, 0, 0, 0};
  message.insert(message.end(), data + 2, data + size);
  giop::store_message_size(message.data(), static_cast<std::uint32_t>(size - 2));
  take_apart(limits, std::move(message));
  if (size < 32 * 1024)
    for (const auto* const one : methods().all()) there_and_back(limits, {data, size}, *one);
  return 0;
}
