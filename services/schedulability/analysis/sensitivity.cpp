#include "schedulability/analysis/sensitivity.h"

#include <algorithm>

#include "schedulability/model/checked.h"

namespace takt::scheduling {
namespace {

// The other execution times must not exceed the worst case, so they are reduced if necessary.
void set_worst_case(RtInfo& info, std::int64_t time) {
  info.worstcase_execution_time = Time(time);
  info.typical_execution_time = std::min(info.typical_execution_time, info.worstcase_execution_time);
  info.cached_execution_time = std::min(info.cached_execution_time, info.worstcase_execution_time);
}

class Search {
 public:
  Search(const Repository& repository, const PriorityOptions& options, std::int64_t most_steps)
      : original_(repository), changed_(repository), options_(options), steps_(most_steps) {}

  Margin margin(Handle handle) {
    const RtInfo& before = original_[handle];
    Margin found{handle, before.worstcase_execution_time, std::nullopt, steps_ > 0};
    if (!found.examined) return found;
    const auto holds = [&](std::int64_t time) {
      changed_.at_valid(handle) = before;
      set_worst_case(changed_.at_valid(handle), time);
      return all_met();
    };
    if (const auto most = most_that(holds, longest_time.count(), before.worstcase_execution_time.count()))
      found.longest = Time(*most);
    found.examined = steps_ > 0;
    if (!found.examined) found.longest.reset();
    changed_.at_valid(handle) = before;
    return found;
  }

  std::int64_t scale() {
    const auto holds = [&](std::int64_t permille) {
      for (const RtInfo& before : original_.infos()) {
        RtInfo& info = changed_.at_valid(before.handle);
        info = before;
        const auto scaled = [&](Time time) {
          // Rounded up, so that the reported loss is enough.
          return Time(time.count() / 1000 * permille + divide_up(time.count() % 1000 * permille, 1000));
        };
        if (multiply(before.worstcase_execution_time.count() / 1000 + 1, permille) > longest_time.count())
          return false;
        info.worstcase_execution_time = scaled(before.worstcase_execution_time);
        info.typical_execution_time = scaled(before.typical_execution_time);
        info.cached_execution_time = scaled(before.cached_execution_time);
        for (LockUse& lock : info.locks) lock.held = std::min(scaled(lock.held), longest_time);
      }
      return all_met();
    };
    const auto most = most_that(holds, 1'000'000, 1000);
    changed_ = original_;
    return most.value_or(0);
  }

 private:
  // False, too, once the limit of work is reached.
  bool all_met() {
    if (steps_ <= 0) return false;
    const auto analysis = analyse(changed_, options_);
    constexpr std::int64_t steps_of_a_thread = 500;  // to find and sort it
    steps_ -= static_cast<std::int64_t>(changed_.infos().size()) * steps_of_a_thread;
    if (analysis) steps_ -= analysis->steps;
    return analysis && analysis->critical_verdict == Verdict::meets;
  }

  // The largest value up to `limit` for which `holds` is true. Faster if it is near `start`.
  template <class Holds>
  static std::optional<std::int64_t> most_that(Holds holds, std::int64_t limit, std::int64_t start) {
    std::int64_t good = -1, bad = add(limit, 1);
    if (!holds(start)) {
      bad = start;
      if (start == 0 || !holds(0)) return std::nullopt;
      good = 0;
    } else {
      good = start;
      for (std::int64_t step = std::max<std::int64_t>(start / 2, 1); good + step < bad; step *= 2) {
        if (!holds(good + step)) {
          bad = good + step;
          break;
        }
        good += step;
      }
    }
    while (bad - good > 1) {
      const std::int64_t middle = good + (bad - good) / 2;
      (holds(middle) ? good : bad) = middle;
    }
    return good;
  }

  const Repository& original_;
  Repository changed_;
  PriorityOptions options_;
  std::int64_t steps_;  // left
};

// The fraction of its execution time that an operation has to lose.
double loss(const Margin& margin) {
  return 1.0 - static_cast<double>(margin.longest->count()) / static_cast<double>(margin.now.count());
}

}  // namespace

std::expected<Sensitivity, AnalysisFault> sensitivity(const Repository& repository,
                                                      const PriorityOptions& options,
                                                      std::int64_t most_steps) {
  const auto analysis = analyse(repository, options);
  if (!analysis) return std::unexpected(analysis.error());
  Search search(repository, options, most_steps);
  Sensitivity result;
  result.scale_permille = search.scale();
  for (const RtInfo& info : repository.infos()) result.margins.push_back(search.margin(info.handle));
  if (analysis->critical_verdict == Verdict::meets) return result;
  const Margin* least = nullptr;
  for (const Margin& each : result.margins)
    if (each.longest && each.now > Time(0) && (least == nullptr || loss(each) < loss(*least))) least = &each;
  if (least != nullptr) result.shorten = least->operation;
  return result;
}

}  // namespace takt::scheduling
