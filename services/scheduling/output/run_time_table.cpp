#include "scheduling/output/run_time_table.h"

#include <algorithm>
#include <limits>
#include <set>

#include "scheduling/output/cpp_text.h"

namespace takt::scheduling {
namespace {

std::string nanoseconds(Time time) { return std::to_string(time.count()) + "ns"; }

std::string entry_of(const RtInfo& info, const Thread* begins, bool critical) {
  std::string text = "      {.name = " + literal(info.entry_point) +
                     ",\n       .priority = " + std::to_string(info.priority) +
                     ",\n       .sub_priority = " + std::to_string(info.subpriority) +
                     ",\n       .queue = " + std::to_string(info.preemption_priority);
  if (begins && !begins->trigger)
    text += ",\n       .period = " + nanoseconds(begins->period) +
            (begins->phase > Time(0) ? ",\n       .phase = " + nanoseconds(begins->phase) : "") +
            ",\n       .deadline = " + nanoseconds(begins->deadline);
  if (begins) text += ",\n       .execution = " + nanoseconds(begins->one_call);
  if (critical) text += ",\n       .critical = true";
  return text + "},\n";
}

std::string refusal(const RtInfo& info) {
  return "#error the priority of " + literal(info.entry_point) + " is " + std::to_string(info.priority) +
         ", which RT-CORBA does not have; make the table with --minimum and --maximum in 0 to 32767\n";
}

}  // namespace

std::string run_time_table(std::span<const RtInfo> infos, const Analysis& analysis, std::string_view name) {
  std::string text =
      "// What the run-time scheduler needs to know of operations. Made by `takt schedule table`; made anew "
      "rather than\n// changed.\n#pragma once\n\n";
  const auto lacks = [](const RtInfo& info) {
    return info.priority < 0 || info.priority > std::numeric_limits<std::int16_t>::max();
  };
  if (const auto found = std::ranges::find_if(infos, lacks); found != infos.end())
    return text + refusal(*found);

  std::set<Handle> critical;
  for (std::size_t i = 0; i < analysis.threads.size(); ++i)
    if (analysis.results[i].priority.critical)
      critical.insert(analysis.threads[i].members.begin(), analysis.threads[i].members.end());
  text += "#include <vector>\n\n#include <takt/rt/schedule.h>\n\nnamespace " + std::string(name) +
          " {\n\n// For takt::rt::RunTimeScheduler::install(), before the root POA is first asked for.\n"
          "inline std::vector<takt::rt::ScheduledOperation> scheduled_operations() {\n"
          "  using namespace std::chrono_literals;\n  return {\n";
  for (const RtInfo& info : infos) {
    const auto begins = std::ranges::find(analysis.threads, info.handle, &Thread::entry);
    text +=
        entry_of(info, begins == analysis.threads.end() ? nullptr : &*begins, critical.contains(info.handle));
  }
  return text + "  };\n}\n\n}  // namespace " + std::string(name) + "\n";
}

}  // namespace takt::scheduling
