#include "scheduling/output/calibration.h"

#include <algorithm>
#include <map>
#include <set>

#include "schedulability/model/words.h"
#include "scheduling/output/columns.h"

namespace takt::scheduling {
namespace {

// Rounded up, and at most longest_time.
Time whole_microseconds(std::int64_t ns) {
  return Time(std::min((std::min(ns, longest_time.count()) + 999) / 1000 * 1000, longest_time.count()));
}

// Cannot overflow: a time has 54 bits, and the margin is a small number.
Time with_margin(Time time, int percent) {
  const std::int64_t ns = std::min(time, longest_time).count();
  return whole_microseconds(ns + ns / 100 * percent + (ns % 100 * percent + 99) / 100);
}

std::string line_of(const std::string& name, std::size_t width, std::span<const std::string> columns) {
  std::string text = in_column(name, width + 2) + in_column(columns[0], 9);
  for (const std::string& each : columns.subspan(1)) text += in_column(each + " ", 13);
  return text.substr(0, text.find_last_not_of(' ') + 1) + '\n';
}

}  // namespace

void name_as_declared(std::vector<Execution>& measured, const Repository& repository,
                      std::span<const Inheritance> inherited) {
  for (Execution& each : measured) {
    if (repository.lookup(each.operation)) continue;
    for (const auto& [derived, base] : inherited) {
      if (!each.operation.starts_with(derived + "::")) continue;
      const std::string declared = base + each.operation.substr(derived.size());
      if (!repository.lookup(declared)) continue;
      each.operation = declared;
      break;
    }
  }
}

std::vector<Execution> combined(std::span<const Execution> measured) {
  std::vector<Execution> all;
  std::map<std::string, std::size_t, std::less<>> places;
  for (const Execution& each : measured) {
    const auto [known, is_new] = places.try_emplace(each.operation, all.size());
    if (is_new) {
      all.push_back(each);
      continue;
    }
    Execution& sum = all[known->second];
    sum.runs = std::min(sum.runs, longest_time.count()) + std::min(each.runs, longest_time.count());
    sum.median = std::max(sum.median, each.median);
    sum.p99 = std::max(sum.p99, each.p99);
    sum.longest = std::max(sum.longest, each.longest);
  }
  return all;
}

Calibration calibrate(const Repository& repository, std::span<const Execution> measured, int margin_percent) {
  Calibration result;
  std::set<Handle> seen;
  for (const Execution& each : measured) {
    const auto handle = repository.lookup(each.operation);
    if (!handle) {
      result.unknown.push_back(each.operation);
      continue;
    }
    seen.insert(*handle);
    const RtInfo& info = repository[*handle];
    Declaration& made = result.declarations.emplace_back();
    made.name = each.operation;
    made.needs.worstcase_execution_time = with_margin(each.longest, margin_percent);
    made.needs.typical_execution_time =
        std::min(whole_microseconds(each.median.count()), made.needs.worstcase_execution_time);
    made.note("wcet");
    made.note("typical");
    const bool lowered = info.cached_execution_time > made.needs.worstcase_execution_time;
    if (lowered) {
      made.needs.cached_execution_time = made.needs.worstcase_execution_time;
      made.note("cached");
    }
    result.changes.push_back(
        {each, info.worstcase_execution_time, made.needs.worstcase_execution_time, lowered});
  }
  for (const RtInfo& info : repository.infos())
    if (!seen.contains(info.handle)) result.unmeasured.push_back(info.entry_point);
  return result;
}

std::string calibration_report(const Calibration& calibration) {
  std::size_t width = 9;
  for (const auto& each : calibration.changes)
    width = std::max(width, characters_of(each.measured.operation));
  const std::string head[] = {"runs", "median", "longest", "declared", "calibrated"};
  std::string text = line_of("operation", width, head);
  std::vector<std::string> few, lowered;
  for (const auto& each : calibration.changes) {
    const std::string columns[] = {std::to_string(each.measured.runs), rounded(each.measured.median),
                                   rounded(each.measured.longest), text_of(each.declared),
                                   text_of(each.calibrated)};
    text += line_of(each.measured.operation, width, columns);
    if (each.has_few_runs()) few.push_back(each.measured.operation);
    if (each.cached_lowered) lowered.push_back(each.measured.operation);
  }
  const auto say = [&](std::span<const std::string> names, const std::string& what) {
    if (!names.empty()) text += what + ": " + listed(names) + '\n';
  };
  say(few, "ran fewer than 100 times, so the longest time is not reliable");
  say(lowered, "their cached time exceeded the new worst case and is reduced to it");
  say(calibration.unmeasured, "not measured; unchanged");
  say(calibration.unknown, "measured, but not among these operations");
  return text;
}

}  // namespace takt::scheduling
