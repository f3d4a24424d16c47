#include "scheduling/output/charts.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "scheduling/model/words.h"
#include "scheduling/output/report.h"
#include "scheduling/output/svg.h"

namespace takt::scheduling {
namespace {

constexpr double left = 210, right = Svg::width - 20, row = 26;

// Shortens a name from the front, because modules come first and the end distinguishes operations.
std::string shortened(std::string name, std::size_t most) {
  for (std::size_t end; name.size() > most && (end = name.find("::")) != std::string::npos &&
                        name.find("::", end + 2) != std::string::npos;)
    name.erase(0, end + 2);
  return name.size() <= most ? name : name.substr(0, most - 3) + "...";
}

std::string colour(std::int32_t level) { return "c" + std::to_string(level % 6); }

std::vector<std::size_t> rows_of(const Analysis& analysis) {
  std::vector<std::size_t> order(analysis.threads.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) {
    const ThreadPriority& priority = analysis.results[i].priority;
    return std::tuple(analysis.threads[i].processor, priority.level, priority.subpriority, i);
  });
  return order;
}

void axis(Svg& svg, double y, Time end) {
  constexpr int ticks = 10;
  for (int i = 0; i <= ticks; ++i) {
    const double x = left + (right - left) * i / ticks;
    svg.line(x, 16, x, y, "grid");
    svg.text(x, y + 14, text_of(Time(end.count() / ticks * i)), "tick");
  }
}

double part(Time some, Time all) {
  return all > Time(0) ? static_cast<double>(some.count()) / static_cast<double>(all.count()) : 0;
}

}  // namespace

std::string gantt_chart(const Repository& repository, const Analysis& analysis,
                        const Simulation& simulation) {
  Svg svg;
  const auto order = rows_of(analysis);
  const Time end = simulation.kept_until;
  const auto x = [&](Time time) { return left + (right - left) * std::min(1.0, part(time, end)); };
  axis(svg, 20 + row * static_cast<double>(order.size()), end);
  std::vector<double> y(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t i = order[k];
    const Thread& thread = analysis.threads[i];
    y[i] = 20 + row * static_cast<double>(k);
    svg.text(8, y[i] + 17, shortened(name_of(repository, analysis, i), 30));
    svg.line(left, y[i] + row - 2, right, y[i] + row - 2, "grid");
    if (thread.trigger) continue;
    constexpr std::int64_t most = 400;  // more jobs would look like a solid bar
    if (end.count() / thread.period.count() > most) continue;
    for (Time at = thread.phase; at <= end; at += thread.period) {
      svg.line(x(at), y[i] + 2, x(at), y[i] + row - 2, "release");
      if (at + thread.deadline <= end && thread.deadline != thread.period)
        svg.line(x(at + thread.deadline), y[i] + 2, x(at + thread.deadline), y[i] + row - 2, "deadline");
    }
  }
  for (const Slice& each : simulation.slices)
    svg.rectangle(
        x(each.begin), y[each.thread] + 6, std::max(0.4, x(each.end) - x(each.begin)), row - 10,
        colour(analysis.results[each.thread].priority.level),
        name_of(repository, analysis, each.thread) + ", " + text_of(each.begin) + " to " + text_of(each.end));
  return svg.done("Who runs when");
}

std::string utilisation_chart(const Analysis& analysis) {
  Svg svg;
  std::map<std::pair<std::int32_t, std::int32_t>, double> use;
  for (std::size_t i = 0; i < analysis.threads.size(); ++i)
    use[{analysis.threads[i].processor, analysis.results[i].priority.level}] +=
        part(analysis.threads[i].execution, analysis.threads[i].period);
  double most = 1;
  for (const ProcessorResult& each : analysis.processors) most = std::max(most, each.utilisation);
  double y = 8;
  for (const ProcessorResult& each : analysis.processors) {
    char total[64];
    std::snprintf(total, sizeof total, "processor %d: %.1f %%", each.processor, each.utilisation * 100);
    svg.text(8, y + 17, total);
    double from = left;
    for (auto at = use.lower_bound({each.processor, 0}); at != use.end() && at->first.first == each.processor;
         ++at) {
      const double wide = (right - left) * at->second / most;
      char title[64];
      std::snprintf(title, sizeof title, "level %d: %.1f %%", at->first.second, at->second * 100);
      svg.rectangle(from, y + 4, std::max(0.4, wide), row - 8, colour(at->first.second), title);
      if (wide > 70) svg.text(from + 5, y + 17, title, "inside");
      from += wide;
    }
    svg.line(left + (right - left) / most, y, left + (right - left) / most, y + row, "deadline");
    y += row;
  }
  return svg.done("Use of processors by priority level");
}

std::string response_chart(const Repository& repository, const Analysis& analysis,
                           const Simulation& simulation) {
  Svg svg;
  double y = 8;
  constexpr double whole = (right - left) * 0.75;  // width of a deadline; the rest shows responses beyond it
  for (const std::size_t i : rows_of(analysis)) {
    const Thread& thread = analysis.threads[i];
    const ThreadResult& result = analysis.results[i];
    const bool waits = thread.trigger && thread.trigger->type == DependencyType::two_way;
    const auto wide = [&](Time time) { return std::min(right - left, whole * part(time, thread.deadline)); };
    svg.text(8, y + 17, shortened(name_of(repository, analysis, i), 30));
    const Time bound = result.response.value_or(Time::max());
    const std::string words = (result.response ? text_of(bound) + " of " : "no bound, deadline ") +
                              text_of(thread.deadline) + ", " + std::string(word_of(result.verdict));
    const double bar = std::max(0.4, result.response ? wide(bound) : right - left);
    svg.rectangle(left, y + 4, bar, row - 8,
                  result.verdict == Verdict::meets    ? "good"
                  : result.verdict == Verdict::misses ? "bad"
                                                      : "open",
                  words);
    if (!waits)
      svg.rectangle(left, y + row - 9, std::max(0.4, wide(simulation.threads[i].worst_response)), 4, "seen",
                    "seen in the simulation: " + text_of(simulation.threads[i].worst_response));
    const bool beside = bar < whole - 230;
    svg.text(left + (beside ? bar : 0) + 6, y + 16, words, beside ? "" : "inside");
    y += row;
  }
  svg.line(left + whole, 4, left + whole, y, "deadline");
  return svg.done("Response times against deadlines");
}

std::string dependency_chart(const Repository& repository) {
  Svg svg;
  const auto order = callers_first(repository);
  if (!order) return svg.done("No graph");
  // Each operation is in the row below its lowest caller.
  std::vector<std::size_t> depth(order->size(), 0);
  std::vector<std::vector<Handle>> rows;
  for (const Handle handle : *order) {
    const std::size_t own = depth[index_of(handle)];
    if (own >= rows.size()) rows.resize(own + 1);
    rows[own].push_back(handle);
    for (const DependencyInfo& call : repository[handle].dependencies) {
      std::size_t& theirs = depth[static_cast<std::size_t>(call.rt_info) - 1];
      theirs = std::max(theirs, own + 1);
    }
  }
  constexpr double wide = 150, high = 34, gap = 10, below = 46;
  constexpr std::size_t in_row = 6;
  std::vector<std::pair<double, double>> at(order->size());
  double y = 8;
  for (const auto& each : rows) {
    for (std::size_t k = 0; k < each.size(); ++k) {
      if (k > 0 && k % in_row == 0) y += high + gap;
      at[static_cast<std::size_t>(each[k]) - 1] = {8 + static_cast<double>(k % in_row) * (wide + 8), y};
    }
    y += high + below;
  }
  for (const RtInfo& info : repository.infos())
    for (const DependencyInfo& call : info.dependencies) {
      const auto [x1, y1] = at[index_of(info.handle)];
      const auto [x2, y2] = at[static_cast<std::size_t>(call.rt_info) - 1];
      const auto number = [](double value) { return Svg::number(value); };
      svg.path("M" + number(x1 + wide / 2) + " " + number(y1 + high) + " C" + number(x1 + wide / 2) + " " +
                   number(y1 + high + below / 2) + " " + number(x2 + wide / 2) + " " +
                   number(y2 - below / 2) + " " + number(x2 + wide / 2) + " " + number(y2),
               call.type == DependencyType::one_way ? "oneway" : "call");
      if (call.number_of_calls > 1)
        svg.text((x1 + x2 + wide) / 2 + 16, (y1 + high + y2) / 2, std::to_string(call.number_of_calls) + " x",
                 "tick");
    }
  for (const RtInfo& info : repository.infos()) {
    const auto [x, top] = at[index_of(info.handle)];
    const std::string times = text_of(info.worstcase_execution_time) +
                              (info.period > Time(0) ? " of " + text_of(info.period) : ", passive");
    svg.rectangle(x, top, wide, high, info.period > Time(0) ? "node active" : "node",
                  info.entry_point + ": " + times);
    svg.text(x + 6, top + 14, shortened(info.entry_point, 22));
    svg.text(x + 6, top + 28, times, "tick left");
  }
  return svg.done("Who calls whom");
}

}  // namespace takt::scheduling
