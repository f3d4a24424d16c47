#include "admin/view.h"

#include <algorithm>
#include <functional>

#include "admin/durations.h"
#include "admin/lines.h"
#include "admin/table.h"

namespace takt::command {
namespace {

using Takt::Admin::Operation;
using Takt::Admin::State;
using Nanoseconds = std::chrono::nanoseconds;

std::string name_of(const Operation& operation) {
  if (operation.name().empty()) return "(no operation)";
  return operation.interface_name().empty() ? operation.name()
                                            : operation.interface_name() + "::" + operation.name();
}

const Operation* find(const State& state, const Operation& operation) {
  for (const Operation& each : state.operations())
    if (each.interface_name() == operation.interface_name() && each.name() == operation.name()) return &each;
  return nullptr;
}

std::uint64_t exceptions_of(const Operation& operation) {
  return operation.user_exceptions() + operation.system_exceptions();
}

bool is_same_run(const State& before, const State& now) {
  return before.process() == now.process() && before.orb_id() == now.orb_id() && before.up_ns() < now.up_ns();
}

OperationRow row_of(const Operation* before, const Operation& now, double seconds) {
  const Buckets added = before ? since(before->durations(), now.durations()) : now.durations();
  OperationRow row{};
  row.name = name_of(now);
  row.calls = calls_in(added);
  row.exceptions = exceptions_of(now) - (before ? std::min(exceptions_of(*before), exceptions_of(now)) : 0);
  row.calls_per_second = seconds > 0 ? static_cast<double>(row.calls) / seconds : 0;
  row.median = quantile(added, 0.5);
  row.p99 = quantile(added, 0.99);
  row.longest = quantile(added, 1);
  return row;
}

std::string process_line(const View& view) {
  const State& state = view.state;
  return formatted(
      "%s, process %u, up %s; figures %s", state.orb_id().empty() ? "ORB" : state.orb_id().c_str(),
      state.process(), short_time(static_cast<double>(state.up_ns())).c_str(),
      view.since_start ? "since its start" : ("of the last " + short_time(view.seconds * 1e9)).c_str());
}

std::string connections_line(const State& state) {
  std::uint64_t open = 0, refused = 0;
  for (const auto& each : state.lanes()) open += each.connections();
  for (const auto& each : state.refusals()) refused += each.requests();
  return formatted("connections %ju open, %ju accepted, %ju refused; requests refused %ju",
                   std::uintmax_t{open}, std::uintmax_t{state.connections_accepted()},
                   std::uintmax_t{state.connections_refused()}, std::uintmax_t{refused});
}

std::string memory_line(const State& state) {
  std::string memory = "memory";
  for (const auto& each : state.memory())
    memory += " " + each.side() + " " + short_size(each.taken_bytes()) + " of " +
              short_size(each.limit_bytes()) + ";";
  memory.pop_back();
  return memory;
}

// Each of the next three is empty if there is nothing to tell.
std::string refusals_line(const State& state) {
  std::string refusals;
  for (const auto& each : state.refusals())
    if (each.requests() != 0) refusals += " " + each.reason() + " " + std::to_string(each.requests());
  return refusals.empty() ? refusals : "refused:" + refusals;
}

std::string roads_line(const State& state) {
  std::string roads;
  for (const auto& each : state.roads())
    if (each.opened() + each.accepted() + each.refused() != 0)
      roads += formatted("%s %s %ju opened, %ju accepted, %ju refused", roads.empty() ? "" : ";",
                         each.name().c_str(), std::uintmax_t{each.opened()}, std::uintmax_t{each.accepted()},
                         std::uintmax_t{each.refused()});
  return roads.empty() ? roads : "local roads:" + roads;
}

// Names the first ones: a server that starts may have thousands.
std::string adapters_line(const State& state) {
  constexpr std::size_t most_named = 10;
  std::string named;
  std::size_t count = 0;
  for (const auto& each : state.adapters())
    if (each.state() != "active" && ++count <= most_named) named += " " + each.path() + " " + each.state();
  if (count > most_named) named += " and " + std::to_string(count - most_named) + " more";
  return named.empty() ? named : "adapters that take no requests:" + named;
}

void add_summary(Lines& lines, const View& view) {
  const State& state = view.state;
  const auto add_if_any = [&](const std::string& line) {
    if (!line.empty()) lines.add_wrapped(line);
  };
  lines.add_wrapped(process_line(view));
  lines.add_wrapped(connections_line(state));
  lines.add_wrapped(memory_line(state));
  add_if_any(refusals_line(state));
  for (const auto& each : state.relayed())
    lines.add_wrapped(formatted("requests passed on %ju, replies %ju, failures %ju",
                                std::uintmax_t{each.requests()}, std::uintmax_t{each.replies()},
                                std::uintmax_t{each.failures()}));
  add_if_any(roads_line(state));
  add_if_any(adapters_line(state));
}

std::string text_of(std::uint64_t number) { return std::to_string(number); }

// Without lanes of thread pools, the summary has the connections and the schedule's operations have the rest.
void add_lanes(Lines& lines, const State& state) {
  if (state.lanes().size() < 2) return;
  const Table table({{"CONNECTS", 8, 2}, {"MISSED", 8, 0}, {"OVERRUN", 8, 1}}, "LANE", lines.columns());
  lines.add("");
  lines.add(table.head());
  for (const auto& each : state.lanes())
    lines.add(
        table.row({text_of(each.connections()), text_of(each.deadlines_missed()), text_of(each.overruns())},
                  each.id() == 0 ? "none" : "priority " + std::to_string(each.priority())));
}

void add_queues(Lines& lines, const State& state) {
  if (state.queues().empty()) return;
  const Table table(
      {{"WAITING", 8, 0}, {"EARLY", 8, 4}, {"THREADS", 8, 2}, {"SIZE", 10, 3}, {"OLDEST", 10, 1}}, "QUEUE",
      lines.columns());
  lines.add("");
  lines.add(table.head());
  for (const auto& queue : state.queues())
    lines.add(table.row({text_of(queue.waiting()), text_of(queue.early()), text_of(queue.threads()),
                         short_size(queue.octets()),
                         queue.oldest_ns() == 0 ? "-" : short_time(static_cast<double>(queue.oldest_ns()))},
                        queue.name() + (queue.in_lane() ? " " + std::to_string(queue.priority()) : "")));
}

void add_schedule(Lines& lines, const State& state) {
  if (state.schedule().empty()) return;
  const Table table(
      {{"UPCALLS", 10, 3}, {"MISSED", 8, 0}, {"OVERRUN", 8, 2}, {"REFUSED", 8, 4}, {"LONGEST", 10, 1}},
      "SCHEDULED", lines.columns());
  lines.add("");
  lines.add(table.head());
  for (const auto& each : state.schedule())
    lines.add(
        table.row({text_of(each.begun()), text_of(each.deadlines_missed()), text_of(each.overruns()),
                   text_of(each.refusals()), short_time(static_cast<double>(each.longest_response_ns()))},
                  each.name()));
}

Json ns_of(const std::optional<Nanoseconds>& time) { return time ? Json(time->count()) : Json(); }

}  // namespace

View view_of(const std::optional<State>& before, const State& now) {
  View view{};
  view.state = now;
  const State* const base = before && is_same_run(*before, now) ? &*before : nullptr;
  view.since_start = base == nullptr;
  view.seconds = static_cast<double>(now.up_ns() - (base ? base->up_ns() : 0)) / 1e9;
  for (const Operation& each : now.operations()) {
    OperationRow row = row_of(base ? find(*base, each) : nullptr, each, view.seconds);
    if (row.calls != 0) view.operations.push_back(std::move(row));
  }
  std::ranges::stable_sort(view.operations, std::greater(), &OperationRow::calls);
  return view;
}

std::string text_of(const View& view, std::size_t columns, std::size_t most_lines) {
  Lines lines(columns);
  add_summary(lines, view);
  add_lanes(lines, view.state);
  add_queues(lines, view.state);
  add_schedule(lines, view.state);
  const Table table({{"CALLS/S", 10, 0},
                     {"CALLS", 10, 5},
                     {"EXCEPT", 8, 3},
                     {"MEDIAN", 9, 2},
                     {"P99", 9, 1},
                     {"LONGEST", 9, 4}},
                    "OPERATION", columns);
  lines.add("");
  lines.add(table.head());
  for (const OperationRow& row : view.operations) {
    if (lines.is_full(most_lines)) break;
    lines.add(table.row({formatted("%.1f", row.calls_per_second), text_of(row.calls), text_of(row.exceptions),
                         short_time(row.median), short_time(row.p99), short_time(row.longest)},
                        row.name));
  }
  return lines.text(most_lines);
}

namespace {

// The ORB's counts of its schedule, its memory and its connections.
void add_counts(const State& state, Json& json) {
  const auto list = [&](const char* name) -> Json& { return json[name] = Json::array(); };
  Json& schedule = list("schedule");
  for (const auto& each : state.schedule())
    schedule.push_back({{"operation", each.name()},
                        {"upcalls", each.begun()},
                        {"deadlines_missed", each.deadlines_missed()},
                        {"overruns", each.overruns()},
                        {"refusals", each.refusals()},
                        {"longest_response_ns", each.longest_response_ns()}});
  Json& memory = list("memory");
  for (const auto& each : state.memory())
    memory.push_back({{"side", each.side()},
                      {"taken_bytes", each.taken_bytes()},
                      {"peak_bytes", each.peak_bytes()},
                      {"limit_bytes", each.limit_bytes()},
                      {"refusals", each.refusals()}});
  Json& refusals = json["refusals"] = Json::object();
  for (const auto& each : state.refusals()) refusals[each.reason()] = each.requests();
  Json& relayed = list("relayed");
  for (const auto& each : state.relayed())
    relayed.push_back({{"requests", each.requests()},
                       {"replies", each.replies()},
                       {"failures", each.failures()},
                       {"request_bytes", each.request_bytes()},
                       {"reply_bytes", each.reply_bytes()}});
  Json& roads = list("roads");
  for (const auto& each : state.roads())
    roads.push_back({{"road", each.name()},
                     {"opened", each.opened()},
                     {"accepted", each.accepted()},
                     {"refused", each.refused()}});
}

}  // namespace

Json json_of(const View& view) {
  const State& state = view.state;
  Json json = {{"orb", state.orb_id()},
               {"process", state.process()},
               {"up_ns", state.up_ns()},
               {"since_start", view.since_start},
               {"interval_ns", static_cast<std::uint64_t>(view.seconds * 1e9)},
               {"connections_accepted", state.connections_accepted()},
               {"connections_refused", state.connections_refused()}};
  const auto list = [&](const char* name) -> Json& { return json[name] = Json::array(); };
  Json& lanes = list("lanes");
  for (const auto& each : state.lanes())
    lanes.push_back({{"lane", each.id()},
                     {"priority", each.priority()},
                     {"connections", each.connections()},
                     {"deadlines_missed", each.deadlines_missed()},
                     {"overruns", each.overruns()}});
  Json& queues = list("queues");
  for (const auto& each : state.queues())
    queues.push_back({{"queue", each.name()},
                      {"in_lane", each.in_lane()},
                      {"priority", each.priority()},
                      {"threads", each.threads()},
                      {"waiting", each.waiting()},
                      {"early", each.early()},
                      {"bytes", each.octets()},
                      {"oldest_ns", each.oldest_ns()}});
  Json& adapters = list("adapters");
  for (const auto& each : state.adapters())
    adapters.push_back({{"adapter", each.path()}, {"state", each.state()}, {"objects", each.objects()}});
  add_counts(state, json);
  Json& operations = list("operations");
  for (const OperationRow& each : view.operations)
    operations.push_back({{"operation", each.name},
                          {"calls", each.calls},
                          {"calls_per_second", each.calls_per_second},
                          {"exceptions", each.exceptions},
                          {"median_ns", ns_of(each.median)},
                          {"p99_ns", ns_of(each.p99)},
                          {"longest_ns", ns_of(each.longest)}});
  return json;
}

}  // namespace takt::command
