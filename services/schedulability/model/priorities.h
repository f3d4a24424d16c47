// Assigns priorities to threads.
#pragma once

#include <array>
#include <expected>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "schedulability/model/threads.h"

namespace takt::scheduling {

enum class Strategy {
  rate_monotonic,           // shorter periods first (Liu and Layland 1973)
  deadline_monotonic,       // shorter deadlines first (Leung and Whitehead 1982)
  earliest_deadline_first,  // earliest deadline first (Liu and Layland 1973)
  minimum_laxity_first,     // least slack first (Mok 1983)
  maximum_urgency_first,    // the critical set first, by laxity within it (Stewart and Khosla 1991)
  declared_priorities       // as the operations declare; larger numbers first
};
inline constexpr std::array<std::string_view, 6> strategy_names = {
    "rate monotonic",       "deadline monotonic",    "earliest deadline first",
    "minimum laxity first", "maximum urgency first", "declared priorities"};
inline constexpr std::array<std::string_view, 6> strategy_short_names = {"rms", "dms", "edf",
                                                                         "mlf", "muf", "declared"};

constexpr bool is_fixed(Strategy strategy) {
  return strategy <= Strategy::deadline_monotonic || strategy == Strategy::declared_priorities;
}

struct PriorityOptions {
  Strategy strategy = Strategy::rate_monotonic;
  // Gives each thread a level of its own; dependency and importance order threads of one rate. If false,
  // threads of one period (or deadline) share a level. Its queue is ordered by sub-priority and does not
  // preempt, as in the paper's rate groups. The other strategies have one level (MUF two) and order threads
  // at run time.
  bool level_each = false;
  std::int32_t levels = 0;  // the maximum number of levels; 0: no limit
  // If there are too few levels, neighbours share one, spread evenly; if false, that is an error. The
  // analysis uses the shared levels.
  bool share_levels = false;
};

enum class PriorityError {
  insufficient_priority_levels,
  no_priority  // an operation at which a thread begins declares none, but the strategy needs it
};
using PriorityFault = Fault<PriorityError>;

struct ThreadPriority {
  std::int32_t level = 0;        // 0 is the most urgent
  std::int32_t subpriority = 0;  // within the level; 0 goes first
  bool critical = true;          // in the critical set; always true except with MUF
};

// The thread whose urgency thread `i` has: itself, or the caller that waits for it. If more urgent threads
// call the same operation, its level is theirs.
std::size_t priority_holder(std::span<const Thread> threads, std::size_t i);

struct Priorities {
  std::vector<ThreadPriority> threads;
  std::int32_t levels = 0;
};

// With declared priorities, threads of one declared priority share a level. A call that a caller waits for
// has its caller's level, and all calls of one operation have that of the most urgent of them. With MUF the
// critical set has the operations of high and very high criticality. If there are none, it is chosen as by
// Stewart and Khosla: on each processor the threads with the shortest periods, as many as fit.
std::expected<Priorities, PriorityFault> assign_priorities(const Repository& repository,
                                                           std::span<const Thread> threads,
                                                           const PriorityOptions& options);

}  // namespace takt::scheduling
