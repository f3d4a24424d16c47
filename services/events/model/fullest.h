// Which queue gives up events when all queues together have too many.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
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
  class Sharer {
   public:
    // Any thread.
    virtual const Fullness& fullness() const = 0;
    // As shrink_fullest() says, with octets; there are no longer too many events when the memory in use is
    // `enough`. Waits for the queue's lock only.
    virtual bool shrink(std::uint64_t bytes, std::uint64_t enough) = 0;

    std::size_t shares_place = 0;  // in the list, which MemoryShares maintains

   protected:
    ~Sharer() = default;
  };

  explicit MemoryShares(const Memory& memory) : memory_(memory) {}
  void add(Sharer& sharer) {
    const std::lock_guard lock(mutex_);
    sharer.shares_place = sharers_.size();
    sharers_.push_back(&sharer);
  }
  void remove(Sharer& sharer) {
    const std::lock_guard lock(mutex_);
    sharers_[sharer.shares_place] = sharers_.back();
    sharers_[sharer.shares_place]->shares_place = sharer.shares_place;
    sharers_.pop_back();
  }
  // If the memory is full, the fullest queues give up events until a sixteenth of it is free, or no queue has
  // more than one event. The caller holds no queue's lock.
  void relieve() {
    if (!memory_.is_full()) return;
    const std::lock_guard lock(mutex_);
    if (!memory_.is_full()) return;
    const std::uint64_t enough = memory_.limit_bytes() - memory_.limit_bytes() / 16;
    shrink_fullest(
        sharers_, [](const Sharer& each) { return each.fullness().bytes(); },
        [&](Sharer& each, std::uint64_t bytes) { return each.shrink(bytes, enough); },
        [&] { return memory_.used_bytes() > enough; });
  }

 private:
  const Memory& memory_;
  std::mutex mutex_;  // taken before those of the queues
  std::vector<Sharer*> sharers_;
};

}  // namespace takt::events
