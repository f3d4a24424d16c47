// Timers in order of time.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "os/reactor/reactor.h"

namespace takt::os {

// A binary heap whose entries know their place, so that cancelling costs O(log n) and leaves nothing
// behind. Equal times keep their order. Allocates only to grow. One thread at a time.
class TimerQueue {
 public:
  TimerId schedule(TimePoint when, TimerHandler* handler);
  bool cancel(TimerId timer);

  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }
  std::optional<TimePoint> next() const;
  // Calls the handlers that were due at `now` when it was entered; those scheduled meanwhile wait.
  std::size_t run_due(TimePoint now);

 private:
  struct Entry {
    TimePoint when;
    std::uint64_t order;  // of scheduling
    std::uint32_t slot;
  };
  struct Slot {
    TimerHandler* handler = nullptr;
    std::uint32_t place = 0;       // in the heap
    std::uint32_t generation = 1;  // of the timer that uses it
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
  // The time of the last round. Nothing is sorted before it, so that one who schedules into the past
  // from a handler does not keep the others waiting.
  TimePoint floor_ = TimePoint::min();
};

}  // namespace takt::os
