#include "schedulability/assignment/audsley.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "schedulability/analysis/holistic.h"
#include "schedulability/assignment/ranks.h"
#include "schedulability/model/words.h"

namespace takt::scheduling {
namespace {

using Refusal = std::unexpected<AssignmentFault>;

// Why the algorithm does not apply, if a thread depends on others.
std::optional<AssignmentFault> linked(const Repository& repository, std::span<const Thread> threads) {
  for (const Thread& each : threads) {
    const std::string& name = repository[each.entry].entry_point;
    if (!each.locks.empty() || !each.lane.empty())
      return AssignmentFault{
          AssignmentError::not_applicable, name, each.entry,
          "operation '" + name + "' shares " +
              (each.lane.empty() ? "the lock '" + each.locks.front().name : "the lane '" + each.lane) +
              "': Audsley's assignment needs independent threads; use hopa"};
    if (!each.trigger) continue;
    const std::string& other = repository[threads[each.trigger->thread].entry].entry_point;
    const std::string how = is_call(each) ? "' is waited for by '" : "' runs after '";
    return AssignmentFault{
        AssignmentError::not_applicable, name, each.entry,
        "operation '" + name + how + other + "': Audsley's assignment needs independent threads; use hopa"};
  }
  return std::nullopt;
}

// One processor. Threads without a level are `open`.
class Levels {
 public:
  Levels(const Repository& repository, std::span<const Thread> threads, std::vector<std::size_t> members,
         std::span<const std::int32_t> above, std::vector<std::int32_t>& result)
      : repository_(repository),
        threads_(threads),
        open_(std::move(members)),
        above_(above),
        result_(result) {
    // Tries the longest deadline first, so that the result is deadline monotonic if that works. Those above
    // the others come last, in their order.
    std::ranges::sort(open_, {}, [&](std::size_t i) {
      return std::tuple(number_above(i), -threads[i].deadline.count(),
                        -static_cast<std::int64_t>(threads[i].place));
    });
  }

  std::expected<void, AssignmentFault> assign() {
    for (std::int32_t priority = 1; !open_.empty(); ++priority) {
      const std::int32_t next = number_above(open_.front());
      const auto found = std::ranges::find_if(
          open_, [&](std::size_t i) { return number_above(i) == next && fits_below(i); });
      if (steps_ < 0) return Refusal(too_complex());
      if (found == open_.end()) return Refusal(infeasible());
      result_[index_of(threads_[*found].entry)] = priority;
      open_.erase(found);
    }
    return {};
  }

 private:
  std::int32_t number_above(std::size_t i) const { return above_[index_of(threads_[i].entry)]; }

  // The response of an open thread when all other open ones are more urgent; unbounded if it exceeds
  // `longest`.
  std::int64_t response_below(std::size_t candidate, std::int64_t longest, std::int64_t& steps) const {
    std::vector<Load> loads;
    for (const std::size_t i : open_) {
      const Thread& thread = threads_[i];
      Load load = load_of(thread);
      load.blocking = thread.blocking.count();
      load.level = i == candidate ? 1 : 0;
      load.longest = i == candidate ? longest : 0;  // only the response of the candidate matters
      loads.push_back(load);
    }
    for (const Reservation& each : repository_.reservations())
      if (each.processor == threads_[candidate].processor) loads.push_back(load_of(each));
    const auto responses = response_times(loads, Equals::count, steps);
    return responses[static_cast<std::size_t>(std::ranges::find(open_, candidate) - open_.begin())].worst;
  }
  bool fits_below(std::size_t candidate) {
    const std::int64_t deadline = threads_[candidate].deadline.count();
    return steps_ >= 0 && response_below(candidate, deadline, steps_) <= deadline;
  }

  AssignmentFault infeasible() const {
    const std::size_t first = open_.front();
    const std::string& name = repository_[threads_[first].entry].entry_point;
    std::int64_t few_steps = usual_steps / 64;  // the number is only for the text
    const std::int64_t response = response_below(first, unbounded, few_steps);
    const auto has_offset = [&](std::size_t i) { return threads_[i].transaction != 0; };
    if (const auto found = std::ranges::find_if(open_, has_offset); found != open_.end())
      return needs_offsets(repository_[threads_[*found].entry]);
    return {AssignmentError::infeasible, name, response,
            "no priorities are proven to meet every deadline: on processor " +
                std::to_string(threads_[first].processor) + ", none of the " + std::to_string(open_.size()) +
                " most urgent threads meets its deadline below the others; '" + name + "' " +
                (response == unbounded ? "has no bound there" : "responds in " + text_of(Time(response))) +
                ", and its deadline is " + text_of(threads_[first].deadline)};
  }
  static AssignmentFault needs_offsets(const RtInfo& info) {
    return {
        AssignmentError::not_applicable, info.entry_point, info.handle,
        "operation '" + info.entry_point + "' belongs to the transaction '" + info.transaction +
            "': Audsley's assignment does not use offsets, and finds no priorities without them; use hopa"};
  }
  AssignmentFault too_complex() const {
    const std::string& name = repository_[threads_[open_.front()].entry].entry_point;
    return {AssignmentError::too_complex, name, static_cast<std::int64_t>(open_.size()),
            "Audsley's assignment takes too long on processor " +
                std::to_string(threads_[open_.front()].processor) + ": " + std::to_string(open_.size()) +
                " threads have no priority yet; use deadline-monotonic or hopa"};
  }

  const Repository& repository_;
  std::span<const Thread> threads_;
  std::vector<std::size_t> open_;
  std::span<const std::int32_t> above_;
  std::vector<std::int32_t>& result_;
  std::int64_t steps_ = 16 * usual_steps;
};

}  // namespace

std::expected<std::vector<std::int32_t>, AssignmentFault> assign_by_audsley(
    const Repository& repository, std::span<const Thread> threads, std::span<const std::int32_t> above) {
  if (auto fault = linked(repository, threads)) return Refusal(std::move(*fault));
  std::vector<std::int32_t> result(repository.infos().size(), 0);
  std::map<std::int32_t, std::vector<std::size_t>> processors;
  for (std::size_t i = 0; i < threads.size(); ++i) processors[threads[i].processor].push_back(i);
  for (auto& [processor, members] : processors)
    if (auto done = Levels(repository, threads, std::move(members), above, result).assign(); !done)
      return Refusal(std::move(done.error()));
  return result;
}

}  // namespace takt::scheduling
