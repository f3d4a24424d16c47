#include "event_ring/memory/ring_writer.h"

#include <cstring>
#include <new>

namespace takt::event_ring {

RingWriter::RingWriter(std::uint8_t* memory, std::uint32_t ring_bytes)
    : controls_(*new(memory) RingControls{}),
      units_(reinterpret_cast<std::uint64_t*>(memory + controls_bytes)),
      ring_bytes_(ring_bytes) {}

void RingWriter::store(std::uint64_t position, std::uint64_t unit) {
  std::atomic_ref<std::uint64_t>(units_[(position & (ring_bytes_ - 1)) / sizeof unit])
      .store(unit, std::memory_order_relaxed);
}

bool RingWriter::put(ByteView octets) {
  if (octets.size() > most_record_bytes(ring_bytes_)) {
    ++sequence_;
    return false;
  }
  const std::uint64_t begin = position_, end = begin + occupied_bytes(octets.size());
  // A reader that sees one of the stores below sees the claim, too.
  controls_.claimed.store(end, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  store(begin, octets.size());
  store(begin + sizeof(std::uint64_t), sequence_++);
  std::uint64_t at = begin + sizeof(RecordHead), unit = 0;
  while (octets.size() >= sizeof unit) {
    std::memcpy(&unit, octets.data(), sizeof unit);
    store(at, unit);
    at += sizeof unit;
    octets = octets.subspan(sizeof unit);
  }
  if (!octets.empty()) {
    unit = 0;
    std::memcpy(&unit, octets.data(), octets.size());
    store(at, unit);
  }
  newest_ = begin;
  position_ = end;
  return true;
}

void RingWriter::publish() {
  controls_.newest.store(newest_, std::memory_order_relaxed);
  controls_.next_before.store(sequence_, std::memory_order_relaxed);
  controls_.written.store(position_, std::memory_order_release);
  controls_.next_after.store(sequence_, std::memory_order_release);
  controls_.bell.store(++publications_, std::memory_order_release);
}

void RingWriter::end() {
  publish();
  controls_.ended.store(1, std::memory_order_release);
  controls_.bell.store(++publications_, std::memory_order_release);
}

}  // namespace takt::event_ring
