// Whether the thread that reads is held up by a filter, and who reads then.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>

#include <takt/base/live_setting.h>

#include "os/threads/priority_condition.h"
#include "os/threads/priority_mutex.h"

namespace takt::server {

class QueuedChannel;

// One thread reads at a time. One that stays too long in a filter is replaced: it keeps the channel that it
// is in, which nobody else touches until it is back, and then ends. Any thread.
class ReaderWatch {
 public:
  using Clock = std::chrono::steady_clock;
  // So many are replaced at once at most.
  static constexpr std::size_t max_held_up = 4;

  // `budget`: how long filters may take for a request; outlives it.
  explicit ReaderWatch(const LiveSetting<std::chrono::nanoseconds>& budget) : budget_(budget) {}

  // The calling thread is the reader from now on: the first one, or in place of one that is held up. False:
  // none is.
  bool take_place();
  bool in_place() const;

  // The reader begins with a channel. False: another has it still; it will be told that there is more.
  bool enter(QueuedChannel& channel);
  // It is done with it. True: look at it again.
  bool leave(QueuedChannel& channel);
  bool is_held(const QueuedChannel& channel) const;

  // Around filters, by the reader or one that was. False: too many are held up to begin.
  bool begin();
  // True: they took longer than they may.
  bool end();

  // Waits until the reader is held up, or over(). False: it is not.
  bool wait_until_held_up();
  void over();

 private:
  bool held_up(Clock::time_point now) const;

  const LiveSetting<std::chrono::nanoseconds>& budget_;
  mutable os::PriorityMutex mutex_;  // for what follows
  os::PriorityCondition changed_;
  std::uint64_t reader_ = 0;                             // its number
  QueuedChannel* channel_ = nullptr;                     // that the reader is in
  std::optional<Clock::time_point> since_;               // the reader is in a filter
  std::unordered_map<const QueuedChannel*, bool> held_;  // by those that were replaced; true: look again
  bool asleep_ = false;                                  // whoever watches, since nothing happens
  bool over_ = false;
};

}  // namespace takt::server
