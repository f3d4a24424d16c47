#include "event_ring/memory/ring_reader.h"

#include <cstring>
#include <new>

namespace takt::event_ring {

RingReader::RingReader(const std::uint8_t* memory, std::uint32_t ring_bytes)
    : controls_(*std::launder(reinterpret_cast<const RingControls*>(memory))),
      units_(reinterpret_cast<const std::uint64_t*>(memory + controls_bytes)),
      ring_bytes_(ring_bytes) {
  constexpr int most_tries = 1'000;
  std::optional<Place> begin;
  for (int tries = 0; !begin && tries < most_tries; ++tries) begin = place();
  has_sequence_ = begin.has_value();
  position_ = begin ? begin->position : controls_.written.load(std::memory_order_acquire);
  sequence_ = begin ? begin->sequence : 0;
  broken_ = position_ % sizeof(RecordHead) != 0;
}

std::optional<RingReader::Place> RingReader::place() const {
  const std::uint64_t after = controls_.next_after.load(std::memory_order_acquire);
  const std::uint64_t position = controls_.written.load(std::memory_order_acquire);
  if (controls_.next_before.load(std::memory_order_relaxed) != after) return {};
  return Place{position, after};
}

bool RingReader::count_unwritten() {
  const auto end = place();
  if (!end || end->position != position_) return true;  // there is more to read
  if (has_sequence_ && end->sequence < sequence_) return false;
  if (has_sequence_) lost_ += end->sequence - sequence_;
  has_sequence_ = true;
  sequence_ = end->sequence;
  return true;
}

std::uint64_t RingReader::load(std::uint64_t position) const {
  // std::atomic_ref takes no const object before C++26. It only loads, so the memory may be read-only.
  auto& unit = const_cast<std::uint64_t&>(units_[(position & (ring_bytes_ - 1)) / sizeof(std::uint64_t)]);
  return std::atomic_ref<std::uint64_t>(unit).load(std::memory_order_relaxed);
}

bool RingReader::holds(std::uint64_t position) const {
  std::atomic_thread_fence(std::memory_order_acquire);
  return controls_.claimed.load(std::memory_order_relaxed) - position <= ring_bytes_;
}

RingReader::Copied RingReader::copy(std::uint64_t available) {
  if (available % sizeof(RecordHead) != 0) return Copied::broken;
  const RecordHead head{load(position_), load(position_ + sizeof(std::uint64_t))};
  if (!holds(position_)) return Copied::overtaken;
  if (head.length > most_record_bytes(ring_bytes_) || occupied_bytes(head.length) > available ||
      (has_sequence_ && head.sequence < sequence_))
    return Copied::broken;
  const std::uint64_t end = position_ + occupied_bytes(head.length);
  const std::size_t padded = occupied_bytes(head.length) - sizeof head;
  if (copy_.size() < padded) copy_.resize(padded);
  std::uint8_t* to = copy_.data();
  for (std::uint64_t at = position_ + sizeof head; at != end; at += sizeof(std::uint64_t)) {
    const std::uint64_t unit = load(at);
    std::memcpy(to, &unit, sizeof unit);
    to += sizeof unit;
  }
  if (!holds(position_)) return Copied::overtaken;
  if (has_sequence_) lost_ += head.sequence - sequence_;
  has_sequence_ = true;
  sequence_ = head.sequence + 1;
  length_ = head.length;
  position_ = end;
  return Copied::whole;
}

bool RingReader::go_to_newest() {
  const std::uint64_t newest = controls_.newest.load(std::memory_order_relaxed);
  const bool possible = newest % sizeof(RecordHead) == 0 && newest >= position_;
  position_ = newest;
  return possible;
}

RingReader::Next RingReader::next() {
  constexpr int most_jumps = 16;  // a fast writer may overtake the reader again and again
  for (int jumps = 0; !broken_ && jumps < most_jumps; ++jumps) {
    const bool ended = controls_.ended.load(std::memory_order_acquire) != 0;
    const std::uint64_t available = controls_.written.load(std::memory_order_acquire) - position_;
    if (available == 0) {
      broken_ = !count_unwritten();
      if (broken_) break;
      return ended ? Next::ended : Next::none;
    }
    const Copied copied = available <= ring_bytes_ ? copy(available) : Copied::overtaken;
    if (copied == Copied::whole) return Next::record;
    broken_ = copied == Copied::broken || !go_to_newest();
  }
  return broken_ ? Next::broken : Next::none;
}

}  // namespace takt::event_ring
