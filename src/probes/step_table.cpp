#include "probes/step_table.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

namespace takt::probes {

namespace {

constexpr StepName names[] = {
    {Step::client_initialize, 1, "initialization"},
    {Step::client_get_reference, 2, "get object reference"},
    {Step::client_marshal, 3, "parameter marshal"},
    {Step::client_messaging_send, 4, "ORB messaging send"},
    {Step::client_transport_send, 5, "ORB transport send"},
    {Step::client_io, 6, "I/O"},
    {Step::client_transport_receive, 7, "ORB transport receive, waiting included"},
    {Step::client_messaging_receive, 8, "ORB messaging receive"},
    {Step::client_demarshal, 9, "parameter demarshal"},
    {Step::server_io, 1, "I/O, waiting included where it blocks"},
    {Step::server_transport_receive, 2, "ORB transport receive"},
    {Step::server_messaging_receive, 3, "ORB messaging receive"},
    {Step::server_parse_key, 4, "parsing object key"},
    {Step::server_poa_demux, 5, "POA demux"},
    {Step::server_servant_demux, 6, "servant demux"},
    {Step::server_operation_demux, 7, "operation demux"},
    {Step::server_upcall, 8, "user upcall, demarshal included"},
    {Step::server_messaging_send, 9, "ORB messaging send"},
    {Step::server_transport_send, 10, "ORB transport send"},
};

bool answered(const ProbedCall& call) {
  return call.passed(call.of_server ? Step::server_transport_send : Step::client_messaging_receive);
}

std::int64_t time_in(const ProbedCall& call, Step step) {
  std::int64_t sum = 0;
  for (const auto& interval : call.steps)
    if (interval.step == step) sum += interval.end_ns - interval.begin_ns;
  return sum;
}

[[gnu::cold]] StepFigures figures_of(const StepName& name, std::span<const ProbedCall* const> calls) {
  std::vector<std::int64_t> times;
  times.reserve(calls.size());
  for (const ProbedCall* call : calls) times.push_back(time_in(*call, name.step));
  std::ranges::sort(times);
  const double sum = std::accumulate(times.begin(), times.end(), 0.0);
  return {&name, sum / static_cast<double>(times.size()), times[times.size() / 2],
          times[times.size() * 99 / 100]};
}

}  // namespace

std::span<const StepName> step_names() { return names; }

[[gnu::cold]] std::vector<SideFigures> figures_of(std::span<const ProbedCall> calls) {
  std::vector<SideFigures> sides;
  for (const bool of_server : {false, true}) {
    std::vector<const ProbedCall*> chosen;
    for (const ProbedCall& call : calls)
      if (call.of_server == of_server && answered(call)) chosen.push_back(&call);
    if (chosen.empty()) continue;
    SideFigures& side = sides.emplace_back();
    side.of_server = of_server;
    side.calls = chosen.size();
    for (const StepName& name : names)
      if (of_client(name.step) != of_server)
        side.sum_ns += side.steps.emplace_back(figures_of(name, chosen)).mean_ns;
  }
  return sides;
}

[[gnu::cold]] std::string step_table(std::span<const SideFigures> sides) {
  std::string text;
  char line[160];
  for (const SideFigures& side : sides) {
    std::snprintf(line, sizeof line, "%s, %zu two-way calls; microseconds a call\n",
                  side.of_server ? "server" : "client", side.calls);
    text += line;
    std::snprintf(line, sizeof line, "%5s%-42s%10s%10s%10s\n", "", "step", "mean", "p50", "p99");
    text += line;
    for (const StepFigures& step : side.steps) {
      std::snprintf(line, sizeof line, "%3d. %-42.*s%10.3f%10.3f%10.3f\n", step.name->number,
                    static_cast<int>(step.name->title.size()), step.name->title.data(), step.mean_ns / 1e3,
                    static_cast<double>(step.p50_ns) / 1e3, static_cast<double>(step.p99_ns) / 1e3);
      text += line;
    }
    std::snprintf(line, sizeof line, "%5s%-42s%10.3f\n\n", "", "sum", side.sum_ns / 1e3);
    text += line;
  }
  return text;
}

}  // namespace takt::probes
