#include "probes/probe_files.h"

#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

#include "probes/step_table.h"
#include "probes/timeline.h"
#include "probes/trace.h"
#include "threads/thread.h"

namespace takt::probes {

[[gnu::cold]] std::optional<std::string> write_probe_files(const std::string& name, ProbeLog& log,
                                                           const std::string& orb_id) {
  std::vector<ProbedCall> calls;
  for (const auto& records : log.stop()) {
    auto some = calls_of(records);
    calls.insert(calls.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
  }
  std::ofstream trace(name + ".json");
  write_trace(trace, calls, os::process_number(), orb_id.empty() ? "takt" : "takt " + orb_id);
  if (!trace.flush()) return "-ORBTimeProbes: " + name + ".json cannot be written";

  std::ofstream table(name + ".txt");
  table << step_table(figures_of(calls));
  if (const auto replaced = log.records_replaced(); replaced != 0)
    table << replaced << " older probes were replaced by newer ones (-ORBTimeProbeRecords)\n";
  if (const auto missed = log.threads_missed(); missed != 0)
    table << missed << " threads were not recorded: there were more than " << ProbeLog::max_rings
          << " at once\n";
  if (!table.flush()) return "-ORBTimeProbes: " + name + ".txt cannot be written";
  return std::nullopt;
}

}  // namespace takt::probes
