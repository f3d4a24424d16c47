// The events that clients of real-time event channels push and expect, the same for each ORB.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace interop {

// An entry of a ConsumerQOS.
struct FilterEntry {
  std::int32_t type = 0, source = 0;
  std::uint64_t time = 0;
};

// A supplier pushes for each number a set of these, in this order.
struct PushedEvent {
  std::int32_t type, source;
};
constexpr PushedEvent pushed[] = {{20, 1}, {21, 1}, {20, 2}};
constexpr unsigned char payload[] = {1, 2, 250};
inline std::string text_of(std::int32_t number) { return "number " + std::to_string(number); }

// A subscription, and the types of the events that its consumer gets for each number. Several are in one set,
// without others; one may come in a set with those of later numbers.
struct Subscription {
  std::vector<FilterEntry> entries;
  std::vector<std::int32_t> types;
  bool timer = false;
};

inline Subscription subscription_named(const std::string& name) {
  if (name == "plain") return {{{20, 1}}, {20}};
  // A set with an event for each of the two filters.
  if (name == "conjunction") return {{{8, 2}, {20, 1}, {21, 0}}, {20, 21}};
  if (name == "masked") return {{{13}, {1, 0}, {1, 0}}, {21}};  // odd types
  if (name == "negation") return {{{11, 2}, {10}, {21, 0}, {0, 1}}, {20}};
  constexpr std::uint64_t period = 20'000;  // 2 ms in units of 100 ns
  if (name == "timer") return {{{9, 2}, {20, 1}, {5, 0, period}}, {20}, true};
  throw std::runtime_error("no subscription has the name " + name);
}

// Checks what a consumer gets. Thread-safe.
class Received {
 public:
  Received(Subscription wanted, std::int32_t count)
      : wanted_(std::move(wanted)), timed_(!wanted_.timer), count_(count) {}

  struct Event {
    std::int32_t type, number;
    bool intact;
  };
  void note(const std::vector<Event>& events) {
    const std::lock_guard lock(mutex_);
    if (wanted_.types.size() > 1) return note_set(events);
    for (const Event& event : events) note_set({event});
  }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return next_ > count_ && timed_; });
  }
  bool is_wrong() const { return wrong_; }

 private:
  void note_set(const std::vector<Event>& events) {
    if (events.size() == 1 && events[0].type == 5) {
      timed_ = true;
    } else {
      bool right = events.size() == wanted_.types.size();
      for (std::size_t i = 0; right && i < events.size(); ++i)
        right = events[i].type == wanted_.types[i] && events[i].number == next_ && events[i].intact;
      wrong_ |= !right;
      ++next_;
    }
    changed_.notify_all();
  }

  const Subscription wanted_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool timed_, wrong_ = false;
  std::int32_t next_ = 1;
  const std::int32_t count_;
};

}  // namespace interop
