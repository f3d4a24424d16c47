// The events that one consumer has yet to receive.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <new>
#include <utility>
#include <vector>

#include "events/model/event.h"
#include "events/model/fullest.h"
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

  // Appends the event. A full queue gives up an event.
  void add(EventPtr event) {
    if (events_.size() >= limit_) {
      ++discarded_;
      if (discard_ == Discard::newest) return;
      take();
    }
    events_.push_back(std::move(event));
    count(*events_.back());
  }
  // The next event; null if there is none.
  EventPtr take() {
    if (events_.empty()) return nullptr;
    EventPtr first = std::move(events_.front());
    events_.pop_front();
    uncount(*first);
    return first;
  }
  // Appends the next events to `events`: at most that many, with at most that many bytes together or one
  // alone.
  void take(std::size_t most_events, std::uint64_t most_bytes, std::vector<EventPtr>& events) {
    events.reserve(events.size() + std::min(most_events, events_.size()));
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < most_events && !events_.empty(); ++i) {
      bytes += events_.front()->bytes();
      if (i > 0 && bytes > most_bytes) return;
      events.push_back(take());
    }
  }
  // Returns an event that could not be delivered to its place, which may be one above the limit. Beyond that
  // the queue gives up an event, and without memory this one.
  void put_back(EventPtr event) noexcept {
    if (events_.size() > limit_) {
      ++discarded_;
      if (discard_ == Discard::oldest) return;
      drop_last();
    }
    try {
      events_.push_front(std::move(event));
    } catch (const std::bad_alloc&) {
      ++discarded_;
      return;
    }
    count(*events_.front());
  }
  // Gives up events until they have at most that many octets, one is left, or the memory in use is `enough`.
  // Returns whether there was one to give up.
  bool shrink(std::uint64_t bytes, std::uint64_t enough) {
    const std::uint64_t before = discarded_;
    while (fullness_.bytes() > bytes && memory_.used_bytes() > enough) {
      ++discarded_;
      if (discard_ == Discard::oldest)
        take();
      else
        drop_last();
    }
    return discarded_ != before;
  }
  void clear() {
    memory_.give_back(entry_bytes * events_.size());
    fullness_.clear();
    events_.clear();
  }

  std::size_t size() const { return events_.size(); }
  bool empty() const { return events_.empty(); }
  std::uint64_t discarded() const { return discarded_; }
  const Fullness& fullness() const { return fullness_; }  // any thread

 private:
  static constexpr std::uint64_t entry_bytes = sizeof(EventPtr);

  void count(const Event& event) {
    memory_.take(entry_bytes);
    fullness_.add(event.bytes() + entry_bytes);
  }
  void uncount(const Event& event) {
    memory_.give_back(entry_bytes);
    fullness_.remove(event.bytes() + entry_bytes);
  }
  void drop_last() {
    uncount(*events_.back());
    events_.pop_back();
  }

  const std::size_t limit_;
  const Discard discard_;
  Memory& memory_;
  std::deque<EventPtr> events_;
  std::uint64_t discarded_ = 0;
  Fullness fullness_;
};

}  // namespace takt::events
