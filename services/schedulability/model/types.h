// Requirements of operations, in the terms of the paper "Architectures and Patterns for Developing
// High-performance, Real-time ORB Endsystems", section 4 (RT_Info and its parts).
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace takt::scheduling {

// All times of an analysis. Integral nanoseconds, so that results are exact.
using Time = std::chrono::nanoseconds;

// The longest time that an operation may declare, 104 days: up to here, a JSON number is exact to the
// nanosecond.
inline constexpr Time longest_time{std::int64_t{1} << 53};
// The largest number of calls of a dependency; a larger one is taken for a mistake.
inline constexpr std::int64_t most_calls = 1'000'000'000;

// The largest number of releases in a burst.
inline constexpr std::int32_t most_in_a_burst = 1000;

// RT_Info's handle_t: counted from 1 in the order of create(); 0 is no operation.
using Handle = std::int32_t;

enum class Criticality { very_low, low, medium, high, very_high };
enum class Importance { very_low, low, medium, high, very_high };

// Whether the caller waits. A two-way call of a passive operation runs in the caller's thread, or on another
// processor while the caller waits. A one-way call starts a thread of its own when the caller has finished.
enum class DependencyType { two_way, one_way };

// "The holder depends on rt_info, and calls it number_of_calls times each time that it runs."
struct DependencyInfo {
  Handle rt_info = 0;
  std::int64_t number_of_calls = 1;
  DependencyType type = DependencyType::two_way;
};

// A lock that an operation takes, with the longest processor time until it releases it, including that of the
// operations that it calls meanwhile.
struct LockUse {
  std::string name;
  Time held{0};
  bool operator==(const LockUse&) const = default;
};

// The requirements of an operation. Times are in nanoseconds, not negative, and at most longest_time. It is
// large because each requirement is a member.
struct Requirements {
  Time worstcase_execution_time{0};
  Time typical_execution_time{0};  // 0: equal to the worst case
  Time cached_execution_time{0};   // not 0: only the first call in a period takes the worst case
  Time period{0};                  // shortest time between releases; 0: runs when it is called
  Criticality criticality = Criticality::medium;
  Importance importance = Importance::medium;
  Time quantum{0};           // time slice; stored but not used by the analysis, as in the paper
  std::int32_t threads = 0;  // number of own threads; 0: passive
  // Additions to the paper.
  Time deadline{0};  // from the arrival (one-way call: of its chain); 0: the period
  Time phase{0};     // the first release; the analysis holds for every phase, the simulator uses it
  Time jitter{0};    // the longest delay of a release after its arrival
  Time blocking{0};  // how long less urgent work may delay it
  std::int32_t processor = 0;
  // For Strategy::declared_priorities: a larger one is more urgent. 0: none.
  std::int32_t declared_priority = 0;
  // The clock that releases the operation exactly once a period, `offset` after each of its ticks. Operations
  // with the same transaction have the same period and phase, and offsets less than the period.
  std::string transaction;  // empty: none
  Time offset{0};
  // At most this number of releases in any interval as long as `period`, each at least `distance` after the
  // one before.
  std::int32_t burst = 1;
  Time distance{0};
  std::vector<LockUse> locks;
  std::string reservation;  // the lane with reserved processor time that serves it, like `lane`; empty: none
  std::string lane;  // the lane that serves it, one request at a time, the most urgent first; empty: its own
};

// The paper's RT_Info. compute_scheduling() sets the priorities.
struct RtInfo : Requirements {
  std::string entry_point;
  Handle handle = 0;
  std::vector<DependencyInfo> dependencies;
  std::int32_t priority = 0;             // the operating system's priority
  std::int32_t subpriority = 0;          // orders operations of equal priority; 0 goes first
  std::int32_t preemption_priority = 0;  // number of the queue; 0 is the most urgent
};

// A lane whose one thread has `budget` of processor time in each `period`, before all threads without
// reservations, and no more (SCHED_DEADLINE).
struct Reservation {
  std::string name;
  Time budget{0}, period{0};
  std::int32_t processor = 0;
  bool operator==(const Reservation&) const = default;
};

// An operation of a chain, and the longest time until it can read the value of the operation before it.
struct ChainStep {
  Handle operation = 0;
  Time delay{0};
};

// Operations of which each uses the last value of the one before, without being called by it.
struct Chain {
  std::string name;
  std::vector<ChainStep> steps;
  Time age{0};       // limit for the age of the data in the last operation's value; 0: none
  Time reaction{0};  // limit from an event to the first value that reflects it; 0: none
};

// An error: its kind for programs, the operation and the number at fault, and a sentence that says what was
// tried, on what, and what to do.
template <class Kind>
struct Fault {
  Kind kind;
  std::string operation;
  std::int64_t number = 0;
  std::string text;
};

}  // namespace takt::scheduling
