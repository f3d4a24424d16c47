// Packets for a real-time event channel: 1 octet with the sender, 2 octets with the length of each packet,
// and the packets.
#include "input.h"
#include "rt_events/datagrams/packets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace takt;
  using namespace takt::rt_events;
  fuzz::Input input(data, size);
  const AssemblyLimits limits{.requests = 8, .bytes = 16'384, .request_bytes = 65'536};
  PacketAssembler assembler(limits);
  std::chrono::steady_clock::time_point now{};
  while (!input.empty()) {
    const PacketSender sender{"host", static_cast<std::uint16_t>(input.octet() & 3)};
    const ByteView packet = input.octets(input.number(2));
    const auto request = assembler.add(sender, packet, now += std::chrono::milliseconds(10));
    fuzz::require(assembler.incomplete() <= limits.requests && assembler.held_bytes() <= limits.bytes);
    if (!request) continue;
    fuzz::require(request->octets.size() <= limits.request_bytes);
    if (const auto events = events_in(*request))
      for (const auto& each : *events)
        PacketWriter(64).write(each.header(), each.data(), [](ByteView packet) {
          fuzz::require(header_of(packet).has_value());
          return true;
        });
  }
  return 0;
}
