// Which queue gives up events when all queues together have too many.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "events/model/event.h"

namespace takt::events {

// How much a queue has to give up. Its owner changes it, one thread at a time; any thread may read it.
class Fullness {
 public:
  void add(std::uint64_t bytes) { set(events_ + 1, bytes_ + bytes); }
  void remove(std::uint64_t bytes) { set(events_ - 1, bytes_ - bytes); }
  void clear() { set(0, 0); }
  // 0 for a queue with one event, which it keeps. An event that several queues have counts in each of them.
  std::uint64_t bytes() const { return events() > 0 ? bytes_.load(std::memory_order_relaxed) : 0; }
  std::uint64_t events() const {
    const std::uint64_t all = events_.load(std::memory_order_relaxed);
    return all > 1 ? all : 0;
  }

 private:
  void set(std::uint64_t events, std::uint64_t bytes) {
    events_.store(events, std::memory_order_relaxed);
    bytes_.store(bytes, std::memory_order_relaxed);
  }
  std::atomic<std::uint64_t> events_{0}, bytes_{0};
};

// At most `most` elements: those with the largest counts, in order.
template <class Element>
std::vector<Element> with_largest(std::vector<std::pair<std::uint64_t, Element>> counted, std::size_t most) {
  std::ranges::stable_sort(counted, std::greater<>(), [](const auto& each) { return each.first; });
  counted.resize(std::min(counted.size(), most));
  std::vector<Element> elements;
  for (auto& [count, element] : counted) elements.push_back(std::move(element));
  return elements;
}

// While there are too many events, shrinks those queues that have within a sixteenth of what the fullest has,
// and so on with the next. `size` says how much a queue has to give up. `shrink` makes it give up events
// until it has no more than the given size, has one event, or there are no longer too many; it returns
// whether the queue has given one up.
template <class Queues, class Size, class Shrink, class TooMany>
void shrink_fullest(const Queues& queues, const Size& size, const Shrink& shrink, const TooMany& too_many) {
  bool shrunk = true;
  while (shrunk && too_many()) {
    shrunk = false;
    std::uint64_t most = 0;
    for (const auto& each : queues) most = std::max(most, size(*each));
    if (most == 0) return;
    const std::uint64_t share = most - most / 16 - 1;
    for (const auto& each : queues) {
      if (size(*each) <= share) continue;
      shrunk |= shrink(*each, share);
      if (!too_many()) return;
    }
  }
}

// The queues that share the memory of a service. Thread-safe.
class MemoryShares {
 public:
  // One queue's share. A member behind the queue, so that it begins after it and ends before it.
  class Share {
   public:
    // As shrink_fullest() says, with octets; there are no longer too many events when the memory in use is
    // `enough`. Any thread; waits for the queue's lock only.
    using Shrink = std::function<bool(std::uint64_t bytes, std::uint64_t enough)>;

    Share(MemoryShares& of, const Fullness& fullness, Shrink shrink)
        : of_(of), fullness_(fullness), shrink_(std::move(shrink)) {
      const std::lock_guard lock(of_.mutex_);
      place_ = of_.shares_.size();
      of_.shares_.push_back(this);
    }
    ~Share() {
      const std::lock_guard lock(of_.mutex_);
      of_.shares_[place_] = of_.shares_.back();
      of_.shares_[place_]->place_ = place_;
      of_.shares_.pop_back();
    }
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

   private:
    friend class MemoryShares;
    MemoryShares& of_;
    const Fullness& fullness_;
    const Shrink shrink_;
    std::size_t place_ = 0;
  };

  explicit MemoryShares(const Memory& memory) : memory_(memory) {}
  // If the memory is full, the fullest queues give up events until a sixteenth of it is free, or no queue has
  // more than one event. The caller holds no queue's lock.
  void relieve() {
    if (!memory_.is_full()) return;
    const std::lock_guard lock(mutex_);
    if (!memory_.is_full()) return;
    const std::uint64_t enough = memory_.limit_bytes() - memory_.limit_bytes() / 16;
    shrink_fullest(
        shares_, [](const Share& each) { return each.fullness_.bytes(); },
        [&](const Share& each, std::uint64_t bytes) { return each.shrink_(bytes, enough); },
        [&] { return memory_.used_bytes() > enough; });
  }

 private:
  const Memory& memory_;
  std::mutex mutex_;  // taken before those of the queues
  std::vector<Share*> shares_;
};

}  // namespace takt::events
