// Ceilings of locks and lanes, and how long they let less urgent work delay more urgent work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "schedulability/analysis/response_time.h"
#include "schedulability/model/priorities.h"

namespace takt::scheduling {

// A lock or a lane that threads of one processor share.
struct Shared {
  std::string name;
  bool is_lane = false;
  std::int32_t processor = 0;
  // The level of the most urgent thread that uses it. A thread that holds a lock runs at this level, and so
  // does a lane's thread. With dynamic priorities 0.
  std::int32_t ceiling = 0;
  // For earliest deadlines: the least time from a release to a deadline of its threads. A job's deadline is
  // at most this time after it has taken the lock.
  Time floor{0};
  Time held{0};                         // the longest time
  std::vector<std::size_t> users = {};  // the threads
};

struct Blocking {
  std::vector<Shared> shared;  // in the order of their first threads
  // By thread. A thread in a lane has the lane's level, and its own within the lane.
  struct Place {
    std::int32_t level = 0, within = 0;
    std::size_t lane = 0;          // the number of its lane in `shared`, from 1; 0: none
    std::int64_t fixed = 0;        // how long one job is blocked, for fixed priorities
    std::int64_t demand = 0;       // how long it is blocked, for earliest deadlines
    std::int64_t suspensions = 0;  // how often a job waits for another processor, and can be blocked again
  };
  std::vector<Place> places;
};

// For fixed priorities, the immediate priority ceiling protocol (Sha, Rajkumar and Lehoczky 1990; Baker
// 1991): a job is blocked once, before it begins or goes on after waiting, by the longest use of a lock or
// lane whose ceiling is at its level or above, by a less urgent thread. Within a lane, a job that has begun
// is not preempted by others of the lane, and threads outside that are less urgent than the lane wait for all
// of its jobs. If threads outside have the lane's level, the order within the lane is not used.
//
// For earliest deadlines, deadline floors (Burns, Gutiérrez, Aldea and González Harbour 2015): the longest
// use, by a thread with a later deadline, of any lock that several threads use (Baruah 2006).
Blocking blocking_of(std::span<const Thread> threads, const Priorities& priorities, Strategy strategy);

// The longest time for which a thread uses what is shared.
Time held_by(const Thread& thread, const Shared& shared);

// Whether each job of `other` delays those of `load`, with the loads' levels and lanes.
constexpr bool delays(const Load& other, const Load& load) {
  if (other.lane != 0 && other.lane == load.lane) return other.within <= load.within;
  return other.level <= load.level;
}

}  // namespace takt::scheduling
