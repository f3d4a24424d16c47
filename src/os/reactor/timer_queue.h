// Timers in order of time.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "os/reactor/reactor.h"

namespace takt::os {

// A binary heap whose entries know their index, so that cancel() takes O(log n) and frees the entry. Timers
// with equal times keep their order. Allocates only to grow; if there is no memory for that, schedule()
// changes nothing. One thread at a time.
class TimerQueue {
 public:
  TimerId schedule(TimePoint when, TimerHandler* handler);
  bool cancel(TimerId timer);

  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }
  std::optional<TimePoint> next() const;
  // Calls the handlers that are due at `now`. Timers that they schedule wait for the next call.
  std::size_t run_due(TimePoint now);

 private:
  struct Entry {
    TimePoint when;
    std::uint64_t order;  // sequence number of schedule()
    std::uint32_t slot;
  };
  struct Slot {
    TimerHandler* handler = nullptr;
    std::uint32_t place = 0;       // index in the heap
    std::uint32_t generation = 1;  // distinguishes the timers that used this slot
  };
  static bool before(const Entry& left, const Entry& right);
  void put(std::size_t place, const Entry& entry);
  void move_up(std::size_t place, const Entry& entry);
  void move_down(std::size_t place, const Entry& entry);
  TimerHandler* take(std::size_t place);

  std::vector<Entry> heap_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_slots_;
  std::uint64_t scheduled_ = 0;
  // The time of the last round. Earlier times are sorted as this time, so that a handler that schedules
  // timers in the past does not starve the others.
  TimePoint floor_ = TimePoint::min();
};

}  // namespace takt::os
