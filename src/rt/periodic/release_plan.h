// When operations that share a thread are released, and which goes first.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include <takt/os/clock.h>
#include <takt/rt/periodic.h>

namespace takt::rt {

// Knows no clock: `now` is given, and does not go back. Whoever calls serialises; only add() allocates.
class ReleasePlan {
 public:
  struct Entry {
    std::chrono::nanoseconds period{1};
    std::int32_t sub_priority = 0;  // 0 goes first
    LateReleases late = LateReleases::leave_out;
    unsigned most_behind = 0;  // with catch_up, releases whose time has come
    os::TimePoint next;        // release that nobody has taken
    bool held = false;         // not to be taken for the time being
  };
  // Of the entry with that number.
  struct Job {
    std::size_t entry = 0;
    os::TimePoint release;
    // Those before it that nobody will take, and when the first of them was.
    std::uint64_t left_out = 0;
    os::TimePoint first_left_out;
  };

  // Entries are numbered from 0.
  void add(const Entry& entry) { entries_.push_back(entry); }
  const std::vector<Entry>& entries() const { return entries_; }
  void hold(std::size_t entry, bool held) { entries_[entry].held = held; }

  // The release that goes first of those whose time has come: of the lowest sub-priority, then the earliest,
  // then of the lowest number.
  std::optional<Job> take(os::TimePoint now);
  // The time of the next one that may be taken, never where there is none.
  os::TimePoint next() const;

 private:
  std::vector<Entry> entries_;
};

}  // namespace takt::rt
