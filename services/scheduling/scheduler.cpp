#include "scheduling/scheduler.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "schedulability/model/words.h"
#include "scheduling/output/report.h"

namespace takt::scheduling {
namespace {

using Refusal = std::unexpected<SchedulingFault>;
using Place = std::pair<std::int32_t, std::int32_t>;  // level and sub-priority

SchedulingFault fault_of(const AnalysisFault& fault) {
  if (const auto* graph = std::get_if<GraphFault>(&fault))
    return {SchedulingError::bad_dependencies, graph->operation, graph->number, graph->text};
  const auto& levels = std::get<PriorityFault>(fault);
  return {SchedulingError::insufficient_priority_levels, levels.operation, levels.number, levels.text};
}

// The critical operation that exceeds its deadline most, and by how much.
SchedulingFault miss_in(const Repository& repository, const Analysis& analysis) {
  for (const Verdict wanted : {Verdict::misses, Verdict::unproven})
    for (std::size_t i = 0; i < analysis.threads.size(); ++i) {
      const ThreadResult& result = analysis.results[i];
      if (result.verdict != wanted || !result.priority.critical) continue;
      const Thread& thread = analysis.threads[i];
      const std::string& name = repository[thread.entry].entry_point;
      const Time over = result.response.value_or(thread.deadline) - thread.deadline;
      return {SchedulingError::utilization_bound_exceeded, name, over.count(),
              "operation '" + name + "' " + (wanted == Verdict::misses ? "misses" : "is not proven to meet") +
                  " its deadline of " + text_of(thread.deadline) + ": its response " +
                  (result.response ? "takes up to " + text_of(*result.response) : "has no bound")};
    }
  for (std::size_t i = 0; i < analysis.chains.size(); ++i)
    if (analysis.chains[i].verdict != Verdict::meets)
      return {SchedulingError::utilization_bound_exceeded, "", 0, describe(repository, analysis, i)};
  for (const ProcessorResult& each : analysis.processors)
    if (each.verdict == Verdict::misses)
      return {SchedulingError::utilization_bound_exceeded, "", each.processor,
              "processor " + std::to_string(each.processor) + " is loaded beyond 100 %"};
  return {SchedulingError::utilization_bound_exceeded, "", 0, "deadlines are missed"};
}

// The places at which threads are served. A lane's thread keeps the lane's level for all
// requests. The less urgent ones come after all threads that have that level themselves, in their own order.
std::vector<Place> places_of(const Analysis& analysis) {
  std::vector<Place> places;
  std::vector<std::int32_t> next(static_cast<std::size_t>(std::max(analysis.levels, 1)), 0);
  std::vector<std::size_t> raised;
  for (std::size_t i = 0; i < analysis.threads.size(); ++i) {
    const auto& [level, subpriority, critical] = analysis.results[i].priority;
    places.emplace_back(level, subpriority);
    std::int32_t& after = next[static_cast<std::size_t>(level)];
    after = std::max(after, subpriority + 1);
    if (analysis.results[i].load.level != level) raised.push_back(i);
  }
  std::ranges::sort(raised, {}, [&](std::size_t i) { return std::pair(places[i], i); });
  for (const std::size_t i : raised) {
    const std::int32_t level = analysis.results[i].load.level;
    places[i] = {level, next[static_cast<std::size_t>(level)]++};
  }
  return places;
}

}  // namespace

std::expected<Handle, RegistrationFault> Scheduler::create(std::string_view entry_point) {
  auto handle = repository_.create(entry_point);
  if (handle) take_back();
  return handle;
}

std::expected<Handle, RegistrationFault> Scheduler::lookup(std::string_view entry_point) const {
  return repository_.lookup(entry_point);
}

std::expected<const RtInfo*, RegistrationFault> Scheduler::get(Handle handle) const {
  return repository_.get(handle);
}

std::expected<void, RegistrationFault> Scheduler::set(Handle handle, const Requirements& requirements) {
  auto done = repository_.set(handle, requirements);
  if (done) take_back();
  return done;
}

std::expected<void, RegistrationFault> Scheduler::add_dependency(Handle handle, Handle dependency,
                                                                 std::int64_t number_of_calls,
                                                                 DependencyType type) {
  auto done = repository_.add_dependency(handle, dependency, number_of_calls, type);
  if (done) take_back();
  return done;
}

std::expected<AssignedPriority, SchedulingFault> Scheduler::priority(Handle handle) const {
  const auto info = repository_.get(handle);
  if (!info) return Refusal({SchedulingError::unknown_task, "", info.error().number, info.error().text});
  if (!scheduled_)
    return Refusal({SchedulingError::not_scheduled, (*info)->entry_point, handle,
                    "operation '" + (*info)->entry_point +
                        "' has no priority yet: call compute_scheduling() after all are registered"});
  return AssignedPriority{(*info)->priority, (*info)->subpriority, (*info)->preemption_priority};
}

std::expected<AssignedPriority, SchedulingFault> Scheduler::entry_point_priority(
    std::string_view entry_point) const {
  const auto handle = lookup(entry_point);
  if (!handle)
    return Refusal({SchedulingError::unknown_task, std::string(entry_point), 0, handle.error().text});
  return priority(*handle);
}

std::expected<std::vector<RtInfo>, SchedulingFault> Scheduler::compute_scheduling(std::int32_t minimum,
                                                                                  std::int32_t maximum) {
  take_back();
  if (repository_.infos().empty())
    return Refusal({SchedulingError::task_count_mismatch, "", 0, "no operation is registered"});
  PriorityOptions options = options_;
  const std::int64_t range = std::abs(std::int64_t{maximum} - minimum) + 1;
  const auto most = static_cast<std::int32_t>(std::min<std::int64_t>(range, 1'000'000'000));
  options.levels = options.levels > 0 ? std::min(options.levels, most) : most;
  auto analysis = analyse(repository_, options);
  if (!analysis) return Refusal(fault_of(analysis.error()));
  analysis_ = std::move(*analysis);
  hand_out(minimum, maximum);
  if (analysis_->critical_verdict != Verdict::meets) return Refusal(miss_in(repository_, *analysis_));
  scheduled_ = true;
  return std::vector(repository_.infos().begin(), repository_.infos().end());
}

void Scheduler::hand_out(std::int32_t minimum, std::int32_t maximum) {
  const std::vector<Place> places = places_of(*analysis_);
  std::vector<bool> has(repository_.infos().size(), false);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Thread& thread = analysis_->threads[i];
    const ThreadPriority& own = analysis_->results[i].priority;
    for (const Handle member : thread.members) {
      // A lane's operation lends its priority to none that it calls elsewhere.
      const Place given = member == thread.entry ? places[i] : Place(own.level, own.subpriority);
      RtInfo& info = repository_.at_valid(member);
      const auto place = static_cast<std::size_t>(member) - 1;
      if (has[place] && Place(info.preemption_priority, info.subpriority) <= given) continue;
      has[place] = true;
      std::tie(info.preemption_priority, info.subpriority) = given;
      info.priority = maximum >= minimum ? maximum - given.first : maximum + given.first;
    }
  }
}

}  // namespace takt::scheduling
