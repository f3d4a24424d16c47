#include "scheduling/output/measured.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "schedulability/model/words.h"
#include "scheduling/output/columns.h"
#include "scheduling/output/svg.h"

namespace takt::scheduling {

std::vector<MeasuredRow> measured_rows(const Repository& repository, const Analysis& analysis,
                                       std::span<const Measured> measured) {
  std::vector<MeasuredRow> rows;
  for (std::size_t i = 0; i < analysis.threads.size(); ++i) {
    const std::string& name = repository[analysis.threads[i].entry].entry_point;
    const auto found = std::ranges::find(measured, name, &Measured::entry_point);
    if (found != measured.end()) rows.push_back({&analysis.threads[i], &analysis.results[i], &*found});
  }
  std::ranges::stable_sort(rows, {}, [](const MeasuredRow& row) { return row.result->priority.level; });
  return rows;
}

NotCompared not_compared(const Repository& repository, const Analysis& analysis,
                         std::span<const Measured> measured) {
  NotCompared left;
  std::set<std::string_view> begun, seen;
  for (const Measured& each : measured) seen.insert(each.entry_point);
  for (const Thread& thread : analysis.threads) {
    const std::string& name = repository[thread.entry].entry_point;
    if (begun.insert(name).second && !seen.contains(name)) left.unmeasured.push_back(name);
  }
  for (const Measured& each : measured)
    if (!begun.contains(each.entry_point)) left.unknown.push_back(&each);
  return left;
}

Time MeasuredRow::beyond_bound() const {
  return result->response ? std::max(Time(0), measured->longest - *result->response) : Time(0);
}

namespace {

// Those beyond their bounds; apart, those that the machine's own delay explains.
std::string beyond_bounds(std::span<const MeasuredRow> rows, std::optional<Time> delay) {
  std::vector<std::string> explained, others;
  for (const MeasuredRow& row : rows)
    if (const Time beyond = row.beyond_bound(); beyond > Time(0))
      (delay && beyond <= *delay ? explained : others)
          .push_back(row.measured->entry_point + " (by " + rounded(beyond) + ")");
  std::string text;
  if (delay)
    text += "the machine delayed its most urgent thread by up to " + rounded(*delay) +
            " meanwhile, which no schedule can know\n";
  if (!explained.empty()) text += "beyond its bound by no more than that: " + listed(explained) + "\n";
  if (!others.empty())
    text += (delay ? "beyond its bound by more than that: " : "beyond its bound: ") + listed(others) + "\n";
  return text;
}

}  // namespace

std::string measured_report(const Repository& repository, const Analysis& analysis,
                            std::span<const Measured> measured, std::optional<Time> delay) {
  std::size_t widest = 10;
  const auto rows = measured_rows(repository, analysis, measured);
  for (const MeasuredRow& row : rows) widest = std::max(widest, characters_of(row.measured->entry_point));
  const auto line = [&](std::string name, auto... cells) {
    std::string text = in_column(std::move(name), widest + 2);
    ((text += in_column(cells + " ", 12)), ...);
    return text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
  };
  std::string text = line("operation", std::string("jobs"), std::string("deadline"), std::string("predicted"),
                          std::string("slowest"), std::string("99 %"), std::string("median"),
                          std::string("jitter"), std::string("missed"));
  for (const MeasuredRow& row : rows)
    text += line(row.measured->entry_point, std::to_string(row.measured->jobs), text_of(row.thread->deadline),
                 row.result->response ? rounded(*row.result->response) : std::string("no bound"),
                 rounded(row.measured->longest), rounded(row.measured->p99), rounded(row.measured->median),
                 rounded(row.measured->jitter), std::to_string(row.measured->misses));
  text += beyond_bounds(rows, delay);
  const NotCompared left = not_compared(repository, analysis, measured);
  if (!left.unmeasured.empty()) text += "not measured: " + listed(left.unmeasured) + "\n";
  std::vector<std::string> unknown;
  for (const Measured* const each : left.unknown)
    unknown.push_back(each->entry_point +
                      (each->misses > 0 ? " (" + std::to_string(each->misses) + " missed)" : ""));
  if (!unknown.empty())
    text += "measured, but no thread of the schedule begins at it: " + listed(unknown) + "\n";
  return text;
}

std::string measured_chart(const Repository& repository, const Analysis& analysis,
                           std::span<const Measured> measured) {
  constexpr double left = 8, row_height = 54, all = Svg::width - 2 * left, whole = all * 0.75;
  Svg svg;
  double y = 4;
  for (const MeasuredRow& row : measured_rows(repository, analysis, measured)) {
    const auto wide = [&](Time time) {
      const double part = static_cast<double>(time.count()) /
                          static_cast<double>(std::max<std::int64_t>(row.thread->deadline.count(), 1));
      return std::clamp(whole * part, 0.4, all);
    };
    const Measured& seen = *row.measured;
    const std::string bound =
        row.result->response ? "at most " + rounded(*row.result->response) : std::string("no bound");
    const std::string slowest =
        "slowest of " + std::to_string(seen.jobs) + " jobs " + rounded(seen.longest) +
        (seen.misses ? ", " + std::to_string(seen.misses) + " missed their deadline" : "");
    svg.text(left + 2, y + 12, seen.entry_point + ": predicted " + bound + ", " + slowest);
    if (row.result->response)
      svg.rectangle(left, y + 18, wide(*row.result->response), 14,
                    row.result->verdict == Verdict::meets ? "good" : "bad", "predicted: " + bound);
    svg.rectangle(left, y + 35, wide(seen.longest), 14, seen.misses == 0 ? "c0" : "bad", slowest);
    svg.rectangle(left, y + 40, wide(seen.median), 4, "seen", "median: " + rounded(seen.median));
    y += row_height;
  }
  svg.line(left + whole, 14, left + whole, y, "deadline", "the deadline");
  return svg.done("Predicted and measured responses against deadlines");
}

}  // namespace takt::scheduling
