// The protocol state with hostile streams: arbitrary octets, split into arbitrary reads, with deadlines in
// between. The first octets choose how. No view may lead outside the buffers, and no state may be left
// behind.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "giop/connection.h"
#include "giop/known_contexts.h"

namespace {

using namespace takt;
using giop::Connection;
using giop::EventKind;

volatile std::uint32_t sink;

void read_all(ByteView octets) {
  std::uint32_t sum = 0;
  for (const std::uint8_t octet : octets) sum += octet;
  sink = sum;
}

void look_at(const giop::Event& event, cdr::BodyTail* tail) {
  read_all(event.object_key);
  read_all(event.body);
  cdr::Decoder::Source* rest = tail;
  if (event.parts) rest = event.parts;
  if (rest) {
    cdr::Decoder in(event.body, event.body_index);
    in.set_source(rest, event.body_missing);
    std::uint8_t octets[11];
    std::vector<std::uint8_t> kept;
    for (std::size_t i = 0; in.remaining() != 0; ++i) {
      const std::size_t before = in.remaining();
      if (i % 4 == 0) (void)in.take<double>();
      if (i % 4 == 1) sink = in.get_u8();
      if (i % 4 == 2) read_all(in.get_octets_view(std::min<std::size_t>(7, in.remaining())));
      if (i % 4 == 3 && !in.take_octets(kept, in.remaining()))
        in.get_octets({octets, std::min(sizeof octets, in.remaining())});
      read_all(kept);
      if (in.remaining() >= before) std::abort();
    }
  }
  read_all({reinterpret_cast<const std::uint8_t*>(event.operation.data()), event.operation.size()});
  event.contexts.for_each([](const giop::ServiceContext& context) { read_all(context.data); });
  if (event.kind == EventKind::protocol_error && event.reason[0] == '\0') std::abort();
  if (event.body_missing == 0 && !event.body.empty() &&
      reinterpret_cast<std::uintptr_t>(event.body.data()) % 8 != event.body_index % 8)
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 4) return 0;
  const std::uint8_t choices = data[0];
  const std::size_t step = 1u + data[1];
  giop::Limits limits;
  limits.message_bytes = 64 * 1024;
  limits.fragments_bytes = 64 * 1024;
  limits.partial_messages = 4;
  limits.giop_minor = data[2] % 3;
  const bool lite = (data[2] & 0x80) != 0;
  Connection connection((choices & 1) != 0 ? Connection::Role::server : Connection::Role::client, limits,
                        lite ? giop::Messaging::lite : giop::Messaging::giop);
  if ((choices & 2) != 0) connection.allow_bidirectional();
  if ((choices & 4) != 0) connection.stream_bodies(256);
  if ((data[2] & 0x40) != 0) connection.gather_tails(64);
  ByteView input(data + 3, size - 3);
  Connection::TimePoint now{};
  while (!input.empty() && !connection.over()) {
    std::size_t count = std::min(step, input.size());
    if (connection.body_missing() != 0) {  // read directly from the stream
      count = std::min(count, connection.body_missing());
      connection.body_taken(count);
      input = input.subspan(count);
      continue;
    }
    const MutableBytes space = connection.read_space();
    if (space.empty()) std::abort();
    count = std::min(count, space.size());
    std::memcpy(space.data(), input.data(), count);
    input = input.subspan(count);
    connection.bytes_read(count);
    for (giop::Event event = connection.next_event(); event.kind != EventKind::none;
         event = connection.next_event()) {
      look_at(event, connection.tail());
      const auto known = giop::known_contexts(event.contexts);
      if (known.offered_number) connection.learn(*known.offered_number);
      if (!lite && connection.last_event().short_head) std::abort();
    }
    if ((choices & 8) != 0) {
      now += std::chrono::milliseconds(10 * (choices >> 4));
      connection.on_deadline(now);
    }
    if ((choices & 16) != 0) connection.trim();
  }
  connection.end_of_stream();
  for (giop::Event event = connection.next_event(); event.kind != EventKind::none;
       event = connection.next_event())
    look_at(event, connection.tail());
  if (!connection.over() && connection.body_missing() == 0) std::abort();
  return 0;
}
