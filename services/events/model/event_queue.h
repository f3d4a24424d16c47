// The events that one consumer has yet to receive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "events/model/event.h"
#include "events/model/limits.h"

namespace takt::events {

// Bounded; never waits for room. One thread at a time.
class EventQueue {
 public:
  EventQueue(std::size_t limit, Discard discard, Memory& memory)
      : limit_(limit), discard_(discard), memory_(memory) {}
  ~EventQueue() { clear(); }
  EventQueue(const EventQueue&) = delete;
  EventQueue& operator=(const EventQueue&) = delete;

  // Appends the event. A full queue gives up an event, also one that is not full while the service's memory
  // is.
  void add(EventPtr event) {
    const bool full = events_.size() >= limit_ || (memory_.is_full() && !events_.empty());
    if (full) {
      ++discarded_;
      if (discard_ == Discard::newest) return;
      events_.pop_front();
    } else {
      memory_.take(entry_bytes);
    }
    events_.push_back(std::move(event));
  }
  // The next event; null if there is none.
  EventPtr take() {
    if (events_.empty()) return nullptr;
    EventPtr first = std::move(events_.front());
    events_.pop_front();
    memory_.give_back(entry_bytes);
    return first;
  }
  // Appends the next events to `events`: at most that many, with at most that many bytes together or one
  // alone.
  void take(std::size_t most_events, std::uint64_t most_bytes, std::vector<EventPtr>& events) {
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < most_events && !events_.empty(); ++i) {
      bytes += events_.front()->bytes();
      if (i > 0 && bytes > most_bytes) return;
      events.push_back(take());
    }
  }
  // Returns an event that could not be delivered to its place, which may be one above the limit. Beyond that
  // the queue gives up an event.
  void put_back(EventPtr event) {
    if (events_.size() > limit_) {
      ++discarded_;
      if (discard_ == Discard::oldest) return;
      events_.pop_back();
    } else {
      memory_.take(entry_bytes);
    }
    events_.push_front(std::move(event));
  }
  void clear() {
    memory_.give_back(entry_bytes * events_.size());
    events_.clear();
  }

  std::size_t size() const { return events_.size(); }
  bool empty() const { return events_.empty(); }
  std::uint64_t discarded() const { return discarded_; }

 private:
  static constexpr std::uint64_t entry_bytes = sizeof(EventPtr);

  const std::size_t limit_;
  const Discard discard_;
  Memory& memory_;
  std::deque<EventPtr> events_;
  std::uint64_t discarded_ = 0;
};

}  // namespace takt::events
