// What operations declare, in the terms of the paper "Architectures and Patterns for Developing
// High-performance, Real-time ORB Endsystems", section 4 (RT_Info and what belongs to it).
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace takt::scheduling {

// All times of an analysis. Whole nanoseconds, so that every result is exact.
using Time = std::chrono::nanoseconds;

// The longest time that an operation may declare, 104 days: what a JSON number holds to the nanosecond.
inline constexpr Time longest_time{std::int64_t{1} << 53};
// The most calls of a dependency; a number beyond it is a mistake of its maker's.
inline constexpr std::int64_t most_calls = 1'000'000'000;

// RT_Info's handle_t: counted from 1 in the order of create(); 0 is nobody's.
using Handle = std::int32_t;

enum class Criticality { very_low, low, medium, high, very_high };
enum class Importance { very_low, low, medium, high, very_high };

// Whether the caller waits. A two-way call of a passive operation runs in the caller's thread, or, on another
// processor, while the caller waits. A one-way call starts a thread of its own when the caller has finished.
enum class DependencyType { two_way, one_way };

// "The holder depends on rt_info, and calls it number_of_calls times each time that it runs."
struct DependencyInfo {
  Handle rt_info = 0;
  std::int64_t number_of_calls = 1;
  DependencyType type = DependencyType::two_way;
};

// What an operation needs. Times in nanoseconds, none negative, none over longest_time.
struct Requirements {
  Time worstcase_execution_time{0};
  Time typical_execution_time{0};  // 0: as the worst case
  Time cached_execution_time{0};   // not 0: only the first call in a period costs the worst case
  Time period{0};                  // least time between releases; 0: runs when it is called
  Criticality criticality = Criticality::medium;
  Importance importance = Importance::medium;
  Time quantum{0};           // of time slicing; kept, and not used by the analysis, as in the paper
  std::int32_t threads = 0;  // of its own; 0: passive
  // What the paper does not have.
  Time deadline{0};  // from the arrival; 0: the period. Of a one-way call: from the arrival of its chain
  Time phase{0};     // of the first release; the analysis holds for every phase, the simulator keeps it
  Time jitter{0};    // a release comes up to so much after its arrival
  Time blocking{0};  // how long what is less urgent may hold it up
  std::int32_t processor = 0;
};

// The paper's RT_Info. Priorities are set by compute_scheduling().
struct RtInfo : Requirements {
  std::string entry_point;
  Handle handle = 0;
  std::vector<DependencyInfo> dependencies;
  std::int32_t priority = 0;             // of the operating system
  std::int32_t subpriority = 0;          // orders those of equal priority; 0 goes first
  std::int32_t preemption_priority = 0;  // the number of the queue; 0 is the most urgent
};

// Why something was refused: the kind for programs, the operation and the number that it is about, and a
// sentence that says what was tried, on what, and what to do.
template <class Kind>
struct Fault {
  Kind kind;
  std::string operation;
  std::int64_t number = 0;
  std::string text;
};

}  // namespace takt::scheduling
