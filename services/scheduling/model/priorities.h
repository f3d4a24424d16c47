// Which thread goes before which.
#pragma once

#include <array>
#include <expected>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "scheduling/model/threads.h"

namespace takt::scheduling {

enum class Strategy {
  rate_monotonic,           // shorter periods first (Liu and Layland 1973)
  deadline_monotonic,       // shorter deadlines first (Leung and Whitehead 1982)
  earliest_deadline_first,  // whose deadline is next (Liu and Layland 1973)
  minimum_laxity_first,     // who can wait for the shortest time (Mok 1983)
  maximum_urgency_first     // the critical set first, by laxity within (Stewart and Khosla 1991)
};
inline constexpr std::array<std::string_view, 5> strategy_names = {
    "rate monotonic", "deadline monotonic", "earliest deadline first", "minimum laxity first",
    "maximum urgency first"};
inline constexpr std::array<std::string_view, 5> strategy_short_names = {"rms", "dms", "edf", "mlf", "muf"};

constexpr bool is_fixed(Strategy strategy) { return strategy <= Strategy::deadline_monotonic; }

struct PriorityOptions {
  Strategy strategy = Strategy::rate_monotonic;
  // Each thread a level of its own, ordered within a rate by dependency and importance. Otherwise threads of
  // the same period (or deadline) share one, whose queue goes by sub-priority and does not preempt, as in the
  // paper's rate groups. The other strategies have one level, MUF two, whose threads are ordered at run time.
  bool level_each = false;
  std::int32_t levels = 0;  // how many there are at most; 0: as many as it takes
  // With too few levels, neighbours share one, spread evenly, rather than an error. The analysis is of what
  // comes of it.
  bool share_levels = false;
};

enum class PriorityError { insufficient_priority_levels };
using PriorityFault = Fault<PriorityError>;

struct ThreadPriority {
  std::int32_t level = 0;        // 0 is the most urgent
  std::int32_t subpriority = 0;  // within the level; 0 goes first
  bool critical = true;          // in the critical set, which is everything but with MUF
};

struct Priorities {
  std::vector<ThreadPriority> threads;
  std::int32_t levels = 0;
};

// With MUF the critical set is the operations of high and very high criticality; where there are none, as
// Stewart and Khosla choose it: on each processor, by period, as many as its time suffices for.
std::expected<Priorities, PriorityFault> assign_priorities(const Repository& repository,
                                                           std::span<const Thread> threads,
                                                           const PriorityOptions& options);

}  // namespace takt::scheduling
