#include "os/reactor/timer_queue.h"

#include <algorithm>

namespace takt::os {

bool TimerQueue::before(const Entry& left, const Entry& right) {
  return left.when != right.when ? left.when < right.when : left.order < right.order;
}

void TimerQueue::put(std::size_t place, const Entry& entry) {
  heap_[place] = entry;
  slots_[entry.slot].place = static_cast<std::uint32_t>(place);
}

void TimerQueue::move_up(std::size_t place, const Entry& entry) {
  while (place > 0) {
    const std::size_t parent = (place - 1) / 2;
    if (!before(entry, heap_[parent])) break;
    put(place, heap_[parent]);
    place = parent;
  }
  put(place, entry);
}

void TimerQueue::move_down(std::size_t place, const Entry& entry) {
  for (;;) {
    std::size_t child = 2 * place + 1;
    if (child >= heap_.size()) break;
    if (child + 1 < heap_.size() && before(heap_[child + 1], heap_[child])) ++child;
    if (!before(heap_[child], entry)) break;
    put(place, heap_[child]);
    place = child;
  }
  put(place, entry);
}

TimerId TimerQueue::schedule(TimePoint when, TimerHandler* handler) {
  if (free_slots_.empty()) {
    if (slots_.size() == slots_.capacity()) slots_.reserve(std::max<std::size_t>(8, 2 * slots_.size()));
    free_slots_.reserve(slots_.capacity());
    free_slots_.push_back(static_cast<std::uint32_t>(slots_.size()));
    slots_.emplace_back();
  }
  heap_.emplace_back();
  const std::uint32_t index = free_slots_.back();
  free_slots_.pop_back();
  Slot& slot = slots_[index];
  slot.handler = handler;
  move_up(heap_.size() - 1, {std::max(when, floor_), scheduled_++, index});
  return static_cast<TimerId>(std::uint64_t{slot.generation} << 32 | index);
}

// Removes the entry at `place` and frees its slot.
TimerHandler* TimerQueue::take(std::size_t place) {
  const std::uint32_t index = heap_[place].slot;
  const Entry last = heap_.back();
  heap_.pop_back();
  if (place < heap_.size()) {
    if (place > 0 && before(last, heap_[(place - 1) / 2]))
      move_up(place, last);
    else
      move_down(place, last);
  }
  Slot& slot = slots_[index];
  ++slot.generation;
  free_slots_.push_back(index);
  return slot.handler;
}

bool TimerQueue::cancel(TimerId timer) {
  const auto value = static_cast<std::uint64_t>(timer);
  const auto index = static_cast<std::uint32_t>(value);
  if (index >= slots_.size() || slots_[index].generation != value >> 32) return false;
  take(slots_[index].place);
  return true;
}

std::optional<TimePoint> TimerQueue::next() const {
  if (heap_.empty()) return std::nullopt;
  return heap_.front().when;
}

std::size_t TimerQueue::run_due(TimePoint now) {
  floor_ = std::max(floor_, now);
  const std::uint64_t newcomers = scheduled_;
  std::size_t called = 0;
  while (!heap_.empty() && heap_.front().when <= now) {
    if (heap_.front().order >= newcomers) break;
    take(0)->on_timer();
    ++called;
  }
  return called;
}

}  // namespace takt::os
