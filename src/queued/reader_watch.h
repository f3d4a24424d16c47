// Detects that the reading thread is held up by a filter, and lets another thread replace it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>

#include <takt/base/live_setting.h>

#include "threads/locks/priority_condition.h"
#include "threads/locks/priority_mutex.h"

namespace takt::server {

class QueuedChannel;

// One thread reads at a time. A reader that stays too long in a filter is replaced. It keeps its channel,
// which no other thread touches until the filter returns, and then it ends. Any thread.
class ReaderWatch {
 public:
  using Clock = std::chrono::steady_clock;
  // Limit of readers that are replaced at the same time.
  static constexpr std::size_t max_held_up = 4;

  // `budget`: limit of the filters' time per request. Must outlive this object.
  explicit ReaderWatch(const LiveSetting<std::chrono::nanoseconds>& budget) : budget_(budget) {}

  // Makes the calling thread the reader: the first one, or the replacement of one that is held up. False: the
  // present reader is not held up.
  bool take_place();
  bool in_place() const;

  // Call when the reader begins with a channel. False: a replaced reader still has it, and will look at it
  // again.
  bool enter(QueuedChannel& channel);
  // Call when the reader is done with the channel. True: look at it again.
  bool leave(QueuedChannel& channel);
  bool is_held(const QueuedChannel& channel) const;

  // Call before the filters, in the present or a replaced reader. False: too many readers are held up.
  bool begin();
  // Call after the filters. True: they took longer than the budget.
  bool end();

  // Waits for a while, or until over(). True: the reader is held up.
  bool wait_until_held_up();
  void over();

 private:
  bool held_up(Clock::time_point now) const;

  const LiveSetting<std::chrono::nanoseconds>& budget_;
  mutable os::PriorityMutex mutex_;  // guards the next members
  os::PriorityCondition changed_;
  std::uint64_t reader_ = 0;                             // the reader's number
  QueuedChannel* channel_ = nullptr;                     // the channel that the reader is in
  std::optional<Clock::time_point> since_;               // since when the reader is in a filter
  std::unordered_map<const QueuedChannel*, bool> held_;  // by replaced readers; true: look again
  bool asleep_ = false;                                  // the watching thread sleeps, because no filter runs
  bool over_ = false;
};

}  // namespace takt::server
