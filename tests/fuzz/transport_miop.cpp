// Reassembles messages from arbitrary packets, and from valid packets with arbitrary numbers.
#include <cstdint>
#include <vector>

#include "input.h"
#include "transport/miop/packet_collections.h"

namespace {

using namespace takt;
using fuzz::Input, fuzz::require;
using namespace takt::transport::miop;

constexpr CollectionLimits limits{
    .message_bytes = 4096, .bytes = 16 * 1024, .packets = 64, .collections = 12, .collections_of_peer = 4};

// In big-endian order.
std::vector<std::uint8_t> packet_of(Input& in) {
  const std::uint8_t flags = in.octet() & 2, number = in.octet(), count = in.octet(), id = in.octet() % 8;
  const ByteView payload = in.octets(1 + in.octet() % 32);
  std::vector<std::uint8_t> packet{
      'M', 'I', 'O', 'P',    0x10, flags, 0, static_cast<std::uint8_t>(payload.size()),
      0,   0,   0,   number, 0,    0,     0, count,
      0,   0,   0,   1,      id,   0,     0, 0};
  packet.insert(packet.end(), payload.begin(), payload.end());
  return packet;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input in(data, size);
  PacketCollections collections(limits);
  os::TimePoint now{};
  while (!in.empty()) {
    const std::uint8_t step = in.octet();
    const std::vector<std::uint8_t> peer{static_cast<std::uint8_t>(step % 5)};
    now += std::chrono::milliseconds(step >= 0xf0 ? 600 : 0);
    std::vector<std::uint8_t> packet;
    if (step % 2 == 0) {
      const ByteView raw = in.octets(in.octet());
      packet.assign(raw.begin(), raw.end());
    } else {
      packet = packet_of(in);
    }
    const ByteView message = collections.take(peer, packet, now);
    require(message.size() <= limits.message_bytes);
    require(message.empty() || reinterpret_cast<std::uintptr_t>(message.data()) % 8 == 0);
    require(collections.unfinished() <= limits.collections);
    require(collections.bytes() <= limits.bytes);
  }
  collections.expire(now + std::chrono::seconds(2));
  require(collections.unfinished() == 0 && collections.bytes() == 0);
  return 0;
}
