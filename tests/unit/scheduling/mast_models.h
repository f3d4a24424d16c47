// Models of MAST for tests.
#pragma once

#include <string>
#include <vector>

#include "mast/import.h"
#include "sets.h"

namespace takt::scheduling {

// An activity of a transaction, with an operation and a server of its own. `deadline` is none if empty.
struct MastActivity {
  std::string name, time, resource, priority, deadline;
};

inline std::string mast_processor(const std::string& name, const std::string& more = "") {
  return "Processing_Resource (Type => Fixed_Priority_Processor, Name => " + name + more + ");\n";
}
inline std::string mast_network(const std::string& name, const std::string& more = "") {
  return "Processing_Resource (Type => Fixed_Priority_Network, Name => " + name + more + ");\n";
}
inline std::string mast_server(const std::string& name, const std::string& resource,
                               const std::string& priority) {
  return "Scheduling_Server (Type => Fixed_Priority, Name => " + name +
         ", Server_Sched_Parameters => (Type => Fixed_Priority_Policy, The_Priority => " + priority +
         "), Server_Processing_Resource => " + resource + ");\n";
}
inline std::string mast_operation(const std::string& name, const std::string& time) {
  return "Operation (Type => Simple, Name => " + name + ", Worst_Case_Execution_Time => " + time + ");\n";
}

// A linear transaction, with its servers and operations. Event NAME.in leads to NAME.1, NAME.2 and so on.
inline std::string mast_chain(const std::string& name, const std::string& arrival,
                              const std::vector<MastActivity>& activities) {
  std::string before, events, handlers;
  std::string input = name + ".in";
  for (std::size_t i = 0; i < activities.size(); ++i) {
    const MastActivity& each = activities[i];
    const std::string output = name + "." + std::to_string(i + 1), comma = i == 0 ? "" : ", ";
    before += mast_server(each.name, each.resource, each.priority) + mast_operation(each.name, each.time);
    events += comma + "(Type => Regular, Name => " + output;
    if (!each.deadline.empty())
      events += ", Timing_Requirements => (Type => Hard_Global_Deadline, Deadline => " + each.deadline +
                ", Referenced_Event => " + name + ".in)";
    events += ")";
    handlers += comma + "(Type => Activity, Input_Event => " + input + ", Output_Event => " + output +
                ", Activity_Operation => " + each.name + ", Activity_Server => " + each.name + ")";
    input = output;
  }
  return before + "Transaction (Type => Regular, Name => " + name + ", External_Events => ((Name => " + name +
         ".in, " + arrival + ")), Internal_Events => (" + events + "), Event_Handlers => (" + handlers +
         "));\n";
}
inline std::string mast_periodic(const std::string& period) {
  return "Type => Periodic, Period => " + period;
}

// RTSS_98 of MAST's examples.
inline std::string mast_rtss_98() {
  return mast_processor("CPU_1") + mast_processor("CPU_2") + mast_network("Serial_Line") +
         mast_chain("t_1", mast_periodic("20"), {{"t1", "4", "CPU_1", "30", "20"}}) +
         mast_chain("t_2", mast_periodic("250"),
                    {{"t21", "20", "CPU_1", "10", ""},
                     {"m1", "25", "Serial_Line", "10", ""},
                     {"t4", "15", "CPU_2", "20", ""},
                     {"m2", "34", "Serial_Line", "10", ""},
                     {"t22", "30", "CPU_1", "10", "250"}}) +
         mast_chain("t_3", mast_periodic("30"), {{"t3", "5", "CPU_2", "30", "30"}}) +
         mast_chain("t_4", mast_periodic("200"), {{"t5", "100", "CPU_2", "10", "200"}});
}

// Replaces the first `from`, which must exist.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, text.npos) << from << " is not in\n" << text;
  return at == text.npos ? text : text.replace(at, from.size(), to);
}

inline ImportedModel imported(const std::string& text, Time unit = Time(1000)) {
  auto model = import_mast(text, "m.txt", {.unit = unit});
  EXPECT_TRUE(model) << model.error() << '\n' << text;
  return model ? *model : ImportedModel();
}
inline std::string import_error(const std::string& text) {
  const auto model = import_mast(text, "m.txt");
  return model ? "none" : model.error();
}
inline Repository repository_of(const std::vector<Declaration>& declarations) {
  auto all = complete({&declarations, 1});
  EXPECT_TRUE(all) << all.error();
  return all ? std::move(all->repository) : Repository();
}
inline Analysis analysed_mast(const std::string& text) {
  return analysed(repository_of(imported(text).declarations), Strategy::declared_priorities);
}
// In microseconds, by the order of the activities in the model; -1 if there is no bound.
inline std::vector<double> mast_responses(const std::string& text) {
  const Repository repository = repository_of(imported(text).declarations);
  const Analysis analysis = analysed(repository, Strategy::declared_priorities);
  std::vector<double> all;
  for (const RtInfo& each : repository.infos())
    all.push_back(response(analysis, each.handle) < 0
                      ? -1
                      : static_cast<double>(response(analysis, each.handle)) / 1000);
  return all;
}

}  // namespace takt::scheduling
