#include "scheduling/output/run_time_table.h"

#include <algorithm>
#include <limits>

#include "scheduling/output/cpp_text.h"
#include "scheduling/output/run_time_entries.h"

namespace takt::scheduling {
namespace {

std::string nanoseconds(Time time) { return std::to_string(time.count()) + "ns"; }

std::string entry_of(const RunTimeEntry& entry) {
  std::string text = "      {.name = " + literal(entry.name) +
                     ",\n       .priority = " + std::to_string(entry.priority) +
                     ",\n       .sub_priority = " + std::to_string(entry.sub_priority) +
                     ",\n       .queue = " + std::to_string(entry.queue);
  const auto add = [&](const char* field, Time time) {
    if (time > Time(0)) text += std::string(",\n       .") + field + " = " + nanoseconds(time);
  };
  add("period", entry.period);
  add("jitter", entry.jitter);
  if (entry.burst > 1) text += ",\n       .burst = " + std::to_string(entry.burst);
  add("phase", entry.phase);
  add("deadline", entry.deadline);
  add("execution", entry.execution);
  if (entry.critical) text += ",\n       .critical = true";
  return text + "},\n";
}

std::string refusal(const RtInfo& info) {
  return "#error the priority of " + literal(info.entry_point) + " is " + std::to_string(info.priority) +
         ", which is not an RT-CORBA priority; make the table with --minimum and --maximum from 0 to 32767\n";
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

  text += "#include <vector>\n\n#include <takt/rt/schedule.h>\n\nnamespace " + std::string(name) +
          " {\n\n// For takt::rt::RunTimeScheduler::install(), before the root POA is first asked for.\n"
          "inline std::vector<takt::rt::ScheduledOperation> scheduled_operations() {\n"
          "  using namespace std::chrono_literals;\n  return {\n";
  for (const RunTimeEntry& each : run_time_entries(infos, analysis)) text += entry_of(each);
  return text + "  };\n}\n\n}  // namespace " + std::string(name) + "\n";
}

}  // namespace takt::scheduling
