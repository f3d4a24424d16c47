// Memory of a shared buffer, as a hostile channel may write it: the controls and the first units of the ring;
// then up to 8 changes of it, each before the next reads. What is read is decoded.
#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

#include "event_ring/event_decoder.h"
#include "event_ring/memory/ring_reader.h"
#include "input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace takt;
  using namespace takt::event_ring;
  fuzz::Input input(data, size);
  struct alignas(4096) Memory {
    std::uint8_t octets[controls_bytes + least_ring_bytes];
  };
  const auto memory = std::make_unique<Memory>();
  auto& controls = *new (memory->octets) RingControls{};
  std::uint8_t* const ring = memory->octets + controls_bytes;
  const auto positions = [&] {
    controls.newest = input.number(3) * 4;
    controls.claimed = input.number(3) * 4;
    controls.written = input.number(3) * 4;
    controls.next_before = controls.newest.load();
    controls.next_after = (controls.written / 4) % 2 ? controls.newest.load() : controls.claimed.load();
  };
  controls.written = input.number(3) * 4;
  RingReader reader(memory->octets, least_ring_bytes);
  const EventDecoder decoder;
  RtecEventComm::Event event;
  for (int changes = 0; changes < 8 && !input.empty(); ++changes) {
    positions();
    const ByteView octets = input.octets(input.number(2));
    std::size_t at = input.number(2) % least_ring_bytes;
    for (const std::uint8_t octet : octets) ring[at++ % least_ring_bytes] = octet;
    for (int reads = 0; reads < 64; ++reads) {
      if (reader.next() != RingReader::Next::record) break;
      fuzz::require(reader.record().size() <= most_record_bytes(least_ring_bytes));
      if (EventDecoder::kind_of(reader.record())) decoder.decode(reader.record(), event);
    }
  }
  return 0;
}
