#include "schedule/json.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "common/output.h"
#include "scheduling/output/report.h"

namespace takt::command {
namespace {

using nlohmann::ordered_json;
using scheduling::Analysis;
using scheduling::Repository;

ordered_json thread_json(const Repository& repository, const Analysis& analysis, std::size_t i) {
  const scheduling::Thread& thread = analysis.threads[i];
  const scheduling::ThreadResult& result = analysis.results[i];
  ordered_json json = {{"name", scheduling::name_of(repository, analysis, i)},
                       {"handle", thread.entry},
                       {"operations", ordered_json::array()},
                       {"processor", thread.processor},
                       {"level", result.priority.level},
                       {"subpriority", result.priority.subpriority},
                       {"critical", result.priority.critical},
                       {"execution_ns", thread.execution.count()},
                       {"period_ns", thread.period.count()},
                       {"deadline_ns", thread.deadline.count()},
                       {"blocking_ns", result.load.blocking},
                       {"response_ns", nullptr},
                       {"verdict", scheduling::word_of(result.verdict)},
                       {"taken", ordered_json::array()}};
  for (const scheduling::Handle each : thread.members)
    json["operations"].push_back(repository[each].entry_point);
  if (result.response) json["response_ns"] = result.response->count();
  if (thread.burst > 1) {
    json["burst"] = thread.burst;
    json["distance_ns"] = thread.distance.count();
  }
  if (thread.transaction > 0) {
    json["transaction"] = repository[scheduling::released_first(analysis.threads, i).entry].transaction;
    json["offset_ns"] = thread.offset.count();
  }
  if (result.verdict != scheduling::Verdict::meets && result.response) {
    json["window_ns"] = result.found.window;
    json["job"] = result.found.job + 1;
  }
  if (result.verdict != scheduling::Verdict::meets)
    for (const auto& each : scheduling::time_taken(repository, analysis, i))
      json["taken"].push_back({{"by", each.by}, {"time_ns", each.time.count()}});
  return json;
}

ordered_json processor_json(const scheduling::ProcessorResult& each) {
  ordered_json json = {{"processor", each.processor},
                       {"threads", each.threads},
                       {"utilisation", each.utilisation},
                       {"critical_utilisation", nullptr},
                       {"liu_layland_bound", nullptr},
                       {"hyperbolic_product", nullptr},
                       {"verdict", scheduling::word_of(each.verdict)}};
  if (each.critical_utilisation) json["critical_utilisation"] = *each.critical_utilisation;
  if (each.liu_layland) json["liu_layland_bound"] = *each.liu_layland;
  if (each.hyperbolic) json["hyperbolic_product"] = *each.hyperbolic;
  if (each.overload)
    json["overload"] = {{"at_ns", each.overload->at.count()}, {"needed_ns", each.overload->needed.count()}};
  return json;
}

ordered_json shared_json(const Repository& repository, const Analysis& analysis,
                         const scheduling::Shared& shared) {
  ordered_json json = {{"kind", shared.is_lane ? "lane" : "lock"},
                       {"name", shared.name},
                       {"processor", shared.processor},
                       {"ceiling", nullptr},
                       {"deadline_floor_ns", nullptr},
                       {"held_ns", shared.held.count()},
                       {"threads", ordered_json::array()}};
  if (scheduling::is_fixed(analysis.options.strategy))
    json["ceiling"] = shared.ceiling;
  else
    json["deadline_floor_ns"] = std::max(scheduling::Time(0), shared.floor).count();
  json["held_longest_by"] =
      scheduling::name_of(repository, analysis, scheduling::longest_holder(analysis, shared));
  for (const std::size_t i : shared.users)
    json["threads"].push_back(scheduling::name_of(repository, analysis, i));
  return json;
}

ordered_json chain_json(const Repository& repository, const Analysis& analysis, std::size_t number) {
  const scheduling::Chain& chain = repository.chains()[number];
  const scheduling::ChainResult& result = analysis.chains[number];
  const auto time = [](const std::optional<scheduling::Time>& bound) {
    return bound ? ordered_json(bound->count()) : ordered_json();
  };
  const auto limit = [](scheduling::Time wanted) {
    return wanted > scheduling::Time(0) ? ordered_json(wanted.count()) : ordered_json();
  };
  ordered_json json = {{"name", chain.name},
                       {"operations", ordered_json::array()},
                       {"age_ns", time(result.age)},
                       {"age_limit_ns", limit(chain.age)},
                       {"reaction_ns", time(result.reaction)},
                       {"reaction_limit_ns", limit(chain.reaction)},
                       {"verdict", scheduling::word_of(result.verdict)}};
  for (const scheduling::ChainStep& step : chain.steps)
    json["operations"].push_back(repository[step.operation].entry_point);
  return json;
}

ordered_json sensitivity_json(const Repository& repository, const scheduling::Sensitivity& sensitivity) {
  ordered_json json = {{"scale", static_cast<double>(sensitivity.scale_permille) / 1000},
                       {"shorten", nullptr},
                       {"operations", ordered_json::array()}};
  if (sensitivity.shorten) json["shorten"] = repository[*sensitivity.shorten].entry_point;
  for (const scheduling::Margin& each : sensitivity.margins) {
    json["operations"].push_back({{"name", repository[each.operation].entry_point},
                                  {"now_ns", each.now.count()},
                                  {"longest_ns", nullptr},
                                  {"examined", each.examined}});
    if (each.longest) json["operations"].back()["longest_ns"] = each.longest->count();
  }
  return json;
}

ordered_json reservation_json(const Analysis& analysis, std::size_t number) {
  const scheduling::Reservation& each = analysis.reservations[number];
  return {{"name", each.name},
          {"processor", each.processor},
          {"budget_ns", each.budget.count()},
          {"period_ns", each.period.count()},
          {"used", scheduling::utilisation_in_reservation(analysis, number)}};
}

ordered_json analysis_json(const Repository& repository, const Analysis& analysis) {
  ordered_json json = {
      {"strategy", scheduling::strategy_short_names[static_cast<std::size_t>(analysis.options.strategy)]},
      {"verdict", scheduling::word_of(analysis.verdict)},
      {"critical_verdict", scheduling::word_of(analysis.critical_verdict)},
      {"levels", analysis.levels},
      {"lowest_safe_level", nullptr},
      {"processors", ordered_json::array()},
      {"threads", ordered_json::array()}};
  if (analysis.lowest_safe_level) json["lowest_safe_level"] = *analysis.lowest_safe_level;
  for (const auto& each : analysis.processors) json["processors"].push_back(processor_json(each));
  for (std::size_t i = 0; i < analysis.threads.size(); ++i)
    json["threads"].push_back(thread_json(repository, analysis, i));
  for (const auto& each : analysis.shared) json["shared"].push_back(shared_json(repository, analysis, each));
  for (std::size_t i = 0; i < analysis.reservations.size(); ++i)
    json["reservations"].push_back(reservation_json(analysis, i));
  for (std::size_t i = 0; i < analysis.chains.size(); ++i)
    json["chains"].push_back(chain_json(repository, analysis, i));
  return json;
}

}  // namespace

std::string json_of(const Repository& repository, const Analysis& analysis,
                    const std::optional<scheduling::Sensitivity>& sensitivity) {
  ordered_json json = analysis_json(repository, analysis);
  if (sensitivity) json["sensitivity"] = sensitivity_json(repository, *sensitivity);
  return text_of(json);
}

std::string json_of(const Repository& repository, const Analysis& analysis,
                    std::span<const scheduling::Measured> measured, std::optional<scheduling::Time> delay) {
  const scheduling::NotCompared left = scheduling::not_compared(repository, analysis, measured);
  ordered_json json = {{"operations", ordered_json::array()},
                       {"machine_delay_ns", nullptr},
                       {"unmeasured", left.unmeasured},
                       {"unknown", ordered_json::array()}};
  if (delay) json["machine_delay_ns"] = delay->count();
  for (const scheduling::Measured* const each : left.unknown)
    json["unknown"].push_back({{"operation", each->entry_point}, {"missed", each->misses}});
  for (const scheduling::MeasuredRow& row : scheduling::measured_rows(repository, analysis, measured)) {
    const scheduling::Measured& seen = *row.measured;
    ordered_json one = {{"operation", seen.entry_point},
                        {"jobs", seen.jobs},
                        {"deadline_ns", row.thread->deadline.count()},
                        {"predicted_ns", nullptr},
                        {"slowest_ns", seen.longest.count()},
                        {"p99_ns", seen.p99.count()},
                        {"median_ns", seen.median.count()},
                        {"jitter_ns", seen.jitter.count()},
                        {"missed", seen.misses},
                        {"exceeds_bound", row.beyond_bound() > scheduling::Time(0)},
                        {"beyond_bound_ns", row.beyond_bound().count()}};
    if (row.result->response) one["predicted_ns"] = row.result->response->count();
    json["operations"].push_back(std::move(one));
  }
  return text_of(json);
}

std::string json_of(const scheduling::Calibration& calibration, const Repository& repository,
                    const Analysis& analysis) {
  ordered_json json = {{"changes", ordered_json::array()},
                       {"unmeasured", calibration.unmeasured},
                       {"unknown", calibration.unknown},
                       {"analysis", analysis_json(repository, analysis)}};
  for (const auto& each : calibration.changes)
    json["changes"].push_back({{"operation", each.measured.operation},
                               {"runs", each.measured.runs},
                               {"median_ns", each.measured.median.count()},
                               {"longest_ns", each.measured.longest.count()},
                               {"declared_ns", each.declared.count()},
                               {"calibrated_ns", each.calibrated.count()},
                               {"has_few_runs", each.has_few_runs()},
                               {"cached_lowered", each.cached_lowered}});
  return text_of(json);
}

namespace {

constexpr std::int64_t most_urgent = 99;

// -1 if the number is missing, not integral, or too large for a time.
std::int64_t number_in(const ordered_json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_number_integer()) return -1;
  if (found->is_number_unsigned() && found->get<std::uint64_t>() > std::uint64_t{1} << 61) return -1;
  return found->get<std::int64_t>();
}

std::optional<scheduling::Execution> execution_in(const std::string& name, const ordered_json& figures) {
  const auto time = [&](const char* key) { return scheduling::Time(number_in(figures, key)); };
  scheduling::Execution execution{name, number_in(figures, "runs"), time("median_ns"), time("p99_ns"),
                                  time("longest_ns")};
  if (execution.runs < 1 || std::min({execution.median, execution.p99, execution.longest}).count() < 0)
    return std::nullopt;
  return execution;
}

// A release that was left out is a missed deadline.
std::optional<scheduling::Measured> responses_in(const std::string& name, const ordered_json& figures) {
  const auto time = [&](const char* key) { return scheduling::Time(number_in(figures, key)); };
  const auto missed = number_in(figures, "missed"), left_out = number_in(figures, "left_out");
  const auto shortest = time("shortest_ns"), longest = time("longest_ns");
  scheduling::Measured measured{.entry_point = name,
                                .jobs = number_in(figures, "count"),
                                .misses = 0,
                                .median = time("median_ns"),
                                .p99 = time("p99_ns"),
                                .longest = longest,
                                .jitter = longest - shortest};
  if (measured.jobs < 0 || std::min(missed, left_out) < 0 || shortest > longest ||
      std::min({measured.median, measured.p99, shortest}).count() < 0)
    return std::nullopt;
  measured.misses = missed + left_out;
  return measured;
}

}  // namespace

std::expected<RunRecord, std::string> run_record_in(const std::string& text) {
  if (text.empty())
    return std::unexpected("empty: the program has not reached ORB::destroy(), which writes the record");
  const auto json = ordered_json::parse(text, nullptr, false);
  if (!json.is_object() || number_in(json, "run_record") != 1 || !json.contains("operations") ||
      !json["operations"].is_array())
    return std::unexpected(
        "not a run's record as -ORBRunRecord writes it: an object with \"run_record\": 1 and an array "
        "\"operations\" is expected");
  RunRecord record;
  for (const auto& each : json["operations"]) {
    if (!each.is_object() || !each.contains("operation") || !each["operation"].is_string())
      return std::unexpected("an operation has no \"operation\"");
    const auto name = each["operation"].get<std::string>();
    const auto add = [&](const char* key, auto parse, auto& all) {
      const auto found = each.find(key);
      if (found == each.end()) return true;
      const auto figures = found->is_object() ? parse(name, *found) : std::nullopt;
      if (figures) all.push_back(*figures);
      return figures.has_value();
    };
    if (!add("responses", responses_in, record.responses) ||
        !add("execution", execution_in, record.executions))
      return std::unexpected(name + ": a number is missing or out of range");
  }
  return record;
}

std::expected<scheduling::Time, std::string> machine_delay_in(const std::string& text) {
  const auto json = ordered_json::parse(text, nullptr, false);
  std::int64_t latest = -1;
  if (json.is_object() && json.contains("findings") && json["findings"].is_array())
    for (const auto& each : json["findings"]) {
      if (!each.is_object() || !each.contains("latest_ns")) continue;
      if (number_in(each, "priority") != most_urgent)
        return std::unexpected(
            "measured at a priority below 99, where other threads delay wake-ups, not only the machine: "
            "measure "
            "with takt rt check --priority 99 and the privilege to use it");
      latest = std::max(latest, number_in(each, "latest_ns"));
    }
  if (latest < 0) return std::unexpected("no wake-ups, as takt rt check --json --priority 99 writes them");
  return scheduling::Time(latest);
}

}  // namespace takt::command
