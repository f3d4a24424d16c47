// Messages put together from packets as the network brings them, and from others that hold together by
// themselves and say any numbers.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "transport/miop/packet_collections.h"

namespace {

using namespace takt;
using namespace takt::transport::miop;

constexpr CollectionLimits limits{
    .message_bytes = 4096, .bytes = 16 * 1024, .packets = 64, .collections = 12, .collections_of_peer = 4};

void check(bool holds) {
  if (!holds) std::abort();
}

class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : rest_(data, size) {}
  bool empty() const { return rest_.empty(); }
  std::uint8_t octet() {
    if (rest_.empty()) return 0;
    const std::uint8_t first = rest_.front();
    rest_ = rest_.subspan(1);
    return first;
  }
  ByteView octets(std::size_t count) {
    const ByteView some = rest_.first(std::min(count, rest_.size()));
    rest_ = rest_.subspan(some.size());
    return some;
  }

 private:
  ByteView rest_;
};

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
    check(message.size() <= limits.message_bytes);
    check(message.empty() || reinterpret_cast<std::uintptr_t>(message.data()) % 8 == 0);
    check(collections.unfinished() <= limits.collections);
    check(collections.bytes() <= limits.bytes);
  }
  collections.expire(now + std::chrono::seconds(2));
  check(collections.unfinished() == 0 && collections.bytes() == 0);
  return 0;
}
