// Release times and order of operations that share a thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include <takt/os/clock.h>
#include <takt/rt/periodic.h>

namespace takt::rt {

// Uses no clock: `now` is an argument that must not decrease. Callers must serialize; only add() allocates.
class ReleasePlan {
 public:
  struct Entry {
    std::chrono::nanoseconds period{1};
    std::int32_t sub_priority = 0;  // 0 goes first
    LateReleases late = LateReleases::leave_out;
    unsigned most_behind = 0;  // with catch_up: due releases that are kept
    os::TimePoint next;        // the next release that was not taken
    bool held = false;         // not taken while set
  };
  // A release of the entry with that index.
  struct Job {
    std::size_t entry = 0;
    os::TimePoint release;
    // Number of skipped releases before it, and the time of the first.
    std::uint64_t left_out = 0;
    os::TimePoint first_left_out;
  };

  // Entries have indices from 0.
  void add(const Entry& entry) { entries_.push_back(entry); }
  const std::vector<Entry>& entries() const { return entries_; }
  void hold(std::size_t entry, bool held) { entries_[entry].held = held; }

  // Takes the first due release: that of the lowest sub-priority, then the earliest, then of the lowest
  // index.
  std::optional<Job> take(os::TimePoint now);
  // The time of the next release that may be taken; no_deadline if there is none.
  os::TimePoint next() const;

 private:
  std::vector<Entry> entries_;
};

}  // namespace takt::rt
