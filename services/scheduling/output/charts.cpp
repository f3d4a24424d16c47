#include "scheduling/output/charts.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "schedulability/model/checked.h"
#include "schedulability/model/words.h"
#include "scheduling/output/report.h"
#include "scheduling/output/svg.h"

namespace takt::scheduling {
namespace {

// A row has a line of text above its bars, so that names of any length are shown in full.
constexpr double left = 8, right = Svg::width - 8, row = 40, bar = 18;

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

void axis(Svg& svg, double y, Time begin, Time end) {
  constexpr int ticks = 8;
  const std::int64_t all = (end - begin).count();
  for (int i = 0; i <= ticks; ++i) {
    const double x = left + (right - left) * i / ticks;
    svg.line(x, 4, x, y, "grid");
    const char* const place = i == 0 ? "tick left" : i == ticks ? "tick right" : "tick";
    svg.text(x, y + 14, rounded(Time(begin.count() + all / ticks * i)), place);
  }
}

double part(Time some, Time all) {
  return all > Time(0) ? static_cast<double>(some.count()) / static_cast<double>(all.count()) : 0;
}

}  // namespace

namespace {

// ", processor 1"; empty if there is only one.
std::string place_of(const Analysis& analysis, std::size_t i) {
  if (analysis.processors.size() < 2) return {};
  return ", processor " + std::to_string(analysis.threads[i].processor);
}

// A row of the Gantt chart: the position of its bars, and the times that it spans.
struct Track {
  Svg& svg;
  Time begin, end;
  double y;

  double x(Time time) const {
    return left + (right - left) * std::clamp(part(time - begin, end - begin), 0.0, 1.0);
  }
  bool has(Time time) const { return time >= begin && time <= end; }
  void mark(Time time, std::string_view type, const std::string& title) const {
    if (has(time)) svg.line(x(time), y + 14, x(time), y + row - 2, type, title);
  }
};

void draw_releases(const Track& track, const Played& played, const Thread& thread, const std::string& name) {
  constexpr std::int64_t most = 400;  // more jobs would look like a solid bar
  const std::int64_t period = thread.period.count();
  if ((track.end - track.begin).count() / period > most / thread.burst) return;
  const std::int64_t first = first_arrival(played, thread).count();
  std::int64_t at = first;
  if (track.begin.count() > thread.deadline.count() + first + period)
    at += (track.begin.count() - thread.deadline.count() - first) / period * period;
  for (; at <= track.end.count(); at += period)
    for (std::int32_t job = 0; job < thread.burst; ++job) {
      const Time arrival = Time(at) + job * thread.distance, release = std::max(Time(0), arrival);
      track.mark(release, "release", name + " is released at " + text_of(release));
      if (thread.deadline != thread.period)
        track.mark(arrival + thread.deadline, "deadline",
                   "deadline of " + name + " at " + text_of(arrival + thread.deadline));
    }
}

}  // namespace

std::string gantt_chart(const Repository& repository, const Analysis& analysis, const Played& played) {
  Svg svg;
  const auto order = rows_of(analysis);
  axis(svg, 4 + row * static_cast<double>(order.size()), played.begin, played.end);
  std::vector<double> y(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t i = order[k];
    const Track track{svg, played.begin, played.end, y[i] = 4 + row * static_cast<double>(k)};
    const std::string name = name_of(repository, analysis, i);
    svg.text(left + 2, track.y + 12, name + place_of(analysis, i));
    svg.line(left, track.y + row - 2, right, track.y + row - 2, "grid");
    if (!analysis.threads[i].trigger) draw_releases(track, played, analysis.threads[i], name);
  }
  for (const Slice& each : played.simulation.slices) {
    const Track track{svg, played.begin, played.end, y[each.thread]};
    const ThreadPriority& priority = analysis.results[each.thread].priority;
    svg.rectangle(track.x(each.begin), track.y + 18, std::max(0.4, track.x(each.end) - track.x(each.begin)),
                  bar, colour(priority.level),
                  name_of(repository, analysis, each.thread) + " runs from " + text_of(each.begin) + " to " +
                      text_of(each.end) + " (" + text_of(each.end - each.begin) + "), priority level " +
                      std::to_string(priority.level) + ", processor " + std::to_string(each.processor));
  }
  for (std::size_t i = 0; i < order.size(); ++i)
    if (const auto& miss = played.simulation.threads[i].first_miss)
      Track{svg, played.begin, played.end, y[i]}.mark(*miss, "missed",
                                                      name_of(repository, analysis, i) +
                                                          " misses its deadline at " + text_of(*miss) +
                                                          ", its first miss");
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
  double y = 4;
  for (const ProcessorResult& each : analysis.processors) {
    char total[64];
    std::snprintf(total, sizeof total, "processor %d: %.1f %%", each.processor, each.utilisation * 100);
    svg.text(left + 2, y + 12, total);
    double from = left;
    for (auto at = use.lower_bound({each.processor, 0}); at != use.end() && at->first.first == each.processor;
         ++at) {
      const double wide = (right - left) * at->second / most;
      char title[64];
      std::snprintf(title, sizeof title, "level %d: %.1f %%", at->first.second, at->second * 100);
      svg.rectangle(from, y + 18, std::max(0.4, wide), bar, colour(at->first.second), title);
      if (wide > 110) svg.text(from + 6, y + 31, title, "inside");
      from += wide;
    }
    svg.line(left + (right - left) / most, y + 14, left + (right - left) / most, y + row - 2, "deadline",
             "100 % of the processor");
    y += row;
  }
  return svg.done("Processor utilisation by priority level");
}

std::string response_chart(const Repository& repository, const Analysis& analysis,
                           const Simulation& simulation) {
  Svg svg;
  double y = 4;
  constexpr double whole = (right - left) * 0.75;  // width of a deadline; the rest shows responses beyond it
  for (const std::size_t i : rows_of(analysis)) {
    const Thread& thread = analysis.threads[i];
    const ThreadResult& result = analysis.results[i];
    const bool waits = is_call(thread);
    const auto wide = [&](Time time) {
      return std::clamp(whole * part(time, thread.deadline), 0.4, right - left);
    };
    const Time bound = result.response.value_or(Time::max());
    const std::string words = (result.response ? rounded(bound) + " of " : "no bound, deadline ") +
                              text_of(thread.deadline) + ", " + std::string(word_of(result.verdict));
    const std::string name = name_of(repository, analysis, i);
    svg.text(left + 2, y + 12, name + ": " + words);
    svg.rectangle(left, y + 18, result.response ? wide(bound) : right - left, bar,
                  result.verdict == Verdict::meets    ? "good"
                  : result.verdict == Verdict::misses ? "bad"
                                                      : "open",
                  "bound of the analysis for " + name + ": " + words);
    if (!waits)
      svg.rectangle(left, y + 31, wide(simulation.threads[i].worst_response), 4, "seen",
                    "slowest response of " + name +
                        " in the simulation: " + text_of(simulation.threads[i].worst_response));
    y += row;
  }
  svg.line(left + whole, 14, left + whole, y, "deadline", "the deadline");
  return svg.done("Response times against deadlines");
}

}  // namespace takt::scheduling
