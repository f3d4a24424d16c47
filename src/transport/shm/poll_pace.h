// Decides for which waits a thread polls memory before it sleeps, and for how long.
#pragma once

#include <chrono>

#include <takt/os/clock.h>

#include "os/shared_memory/futex.h"

namespace takt::transport {

// For one waiting thread at a time. Never allocates.
//
// A fixed time is polled for at each wait. An adaptive pace polls for as long as that finds something: after
// each vain poll, twice as many waits as before sleep at once, up to most_skipped, and a poll that finds
// something ends that. The polls of all adaptive paces of the process together take no more than a share of
// one processor, measured over `burst`. Where both sides share a processor, polls are in vain, and so become
// rare.
class PollPace {
 public:
  static constexpr std::chrono::nanoseconds longest = std::chrono::microseconds(50);
  static constexpr unsigned most_skipped = 256;
  static constexpr std::chrono::nanoseconds burst = std::chrono::milliseconds(10);

  // `time`: 0 never polls, StreamOptions::adaptive_poll adapts. `share`: percent of a processor, for the
  // latter.
  void set(std::chrono::microseconds time, int share);
  bool may_poll() const { return time_.count() != 0; }
  // Polls, if the wait that begins now is one that does, until changed() or over(), or until its time has
  // passed. Returns what changed() did last. Both are quick, and over() is asked rarely.
  template <class Changed, class Over>
  bool poll(const Changed& changed, const Over& over) {
    const os::TimePoint began = os::Clock::now();
    const auto time = adapts_ ? begin_adaptive(began) : time_;
    if (time.count() == 0) return false;
    const bool found = changes(began + time, changed, over);
    if (adapts_) end_adaptive(began, found);
    return found;
  }

 private:
  template <class Changed, class Over>
  static bool changes(os::TimePoint until, const Changed& changed, const Over& over) {
    do
      for (int i = 0; i < 64; ++i) {
        if (changed()) return true;
        os::relax_processor();
      }
    while (os::Clock::now() < until && !over());
    return false;
  }
  // How long to poll; 0: not at all.
  std::chrono::nanoseconds begin_adaptive(os::TimePoint now);
  void end_adaptive(os::TimePoint began, bool found);

  std::chrono::nanoseconds time_{0};
  bool adapts_ = false;
  int share_ = 100;
  unsigned skips_ = 0;       // waits that sleep at once
  unsigned next_skips_ = 1;  // their number after the next vain poll
};

}  // namespace takt::transport
