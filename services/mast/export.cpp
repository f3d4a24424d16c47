#include "mast/export.h"

#include <algorithm>
#include <map>
#include <set>

#include "mast/syntax.h"

namespace takt::scheduling {
namespace {

struct NoModel {
  std::string text;
};

constexpr std::size_t longest_thread_name = 200;  // leaves room for what is appended

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// An operation's name as MAST allows names: letters, digits, '_' and '.', a letter first.
std::string mast_name(const std::string& name) {
  std::string made;
  for (std::size_t i = 0; i < name.size() && made.size() < longest_thread_name; ++i) {
    if (name.compare(i, 2, "::") == 0) {
      made += '.';
      ++i;
    } else {
      made += is_letter(name[i]) || is_digit(name[i]) || name[i] == '.' ? name[i] : '_';
    }
  }
  return is_letter(made[0]) ? made : "op." + made;
}

// Quotes a name that might be a word of MAST's; those have neither digits nor dots.
std::string quoted(const std::string& name) {
  const bool plain = std::ranges::any_of(name, [](char c) { return c == '.' || is_digit(c); });
  return plain ? name : '"' + name + '"';
}

class Exporter {
 public:
  Exporter(const Repository& repository, const Analysis& analysis, Time unit)
      : repository_(repository), analysis_(analysis), unit_(unit) {}

  std::string model() {
    check();
    name_all();
    next_.resize(analysis_.threads.size());
    for (std::size_t i = 0; i < analysis_.threads.size(); ++i)
      if (const auto& trigger = analysis_.threads[i].trigger) next_[trigger->thread].push_back(i);
    for (const ProcessorResult& each : analysis_.processors)
      text_ += "Processing_Resource (\n  Type => Fixed_Priority_Processor,\n  Name => " +
               processor(each.processor) + ",\n  Max_Priority => " + std::to_string(analysis_.levels) +
               ",\n  Min_Priority => 1);\n\n";
    add_locks();
    for (std::size_t i = 0; i < analysis_.threads.size(); ++i) add_server(i);
    for (std::size_t i = 0; i < analysis_.threads.size(); ++i)
      if (!analysis_.threads[i].trigger) add_transaction(i);
    return std::move(text_);
  }

 private:
  const std::string& entry(std::size_t i) const {
    return repository_[analysis_.threads[i].entry].entry_point;
  }
  static std::string processor(std::int32_t number) { return "processor_" + std::to_string(number); }
  std::string number(Time time) const { return mast_number(time, unit_); }

  void check() const {
    if (!is_fixed(analysis_.options.strategy))
      throw NoModel{"only fixed priorities can be exported; choose --strategy rms, dms or declared"};
    if (!repository_.chains().empty())
      throw NoModel{"the chain '" + repository_.chains().front().name + "' is not exported"};
    for (std::size_t i = 0; i < analysis_.threads.size(); ++i) {
      const Thread& thread = analysis_.threads[i];
      const auto refuse = [&](const std::string& text) {
        throw NoModel{"operation '" + entry(i) + "' has " + text + ", which is not exported"};
      };
      if (thread.blocking > Time(0)) refuse("a blocking time");
      if (!thread.lane.empty()) refuse("the lane '" + thread.lane + "'");
      if (thread.transaction != 0) refuse("a transaction");
      if (thread.burst > 1 && !thread.trigger && thread.distance + thread.jitter + thread.phase > Time(0))
        refuse("a burst with a distance, jitter or phase");
      if (is_call(thread))
        throw NoModel{"operation '" + entry(thread.trigger->thread) + "' waits for '" + entry(i) +
                      "' on another processor, which is not exported"};
    }
  }

  // A name like `wanted` that is not taken yet.
  static std::string unique(const std::string& wanted, std::set<std::string>& taken) {
    const std::string base = mast_name(wanted);
    std::string name = base;
    for (int count = 2; !taken.insert(mast::lower(name)).second; ++count)
      name = base + "_" + std::to_string(count);
    return name;
  }
  void name_all() {
    for (std::size_t i = 0; i < analysis_.threads.size(); ++i) names_.push_back(unique(entry(i), taken_));
  }
  void add_locks() {
    std::set<std::string> taken;
    for (const Thread& thread : analysis_.threads)
      for (const LockUse& lock : thread.locks) {
        const auto [known, is_new] = locks_.try_emplace(lock.name);
        if (!is_new) continue;
        known->second = unique(lock.name, taken);
        text_ += "Shared_Resource (\n  Type => Immediate_Ceiling_Resource,\n  Name => " +
                 quoted(known->second) + ");\n\n";
      }
  }

  void add_server(std::size_t i) {
    const Thread& thread = analysis_.threads[i];
    const std::int32_t priority = analysis_.levels - analysis_.results[i].priority.level;
    text_ += "Scheduling_Server (\n  Type => Fixed_Priority,\n  Name => " + quoted(names_[i]) +
             ",\n  Server_Sched_Parameters => (Type => Fixed_Priority_Policy, The_Priority => " +
             std::to_string(priority) + "),\n  Server_Processing_Resource => " + processor(thread.processor) +
             ");\n\n";
    const std::string sections = add_sections(i);
    text_ += std::string("Operation (\n  Type => ") + (sections.empty() ? "Simple" : "Enclosing") +
             ",\n  Name => " + quoted(names_[i]) + ",\n  Worst_Case_Execution_Time => " +
             number(thread.execution / thread.burst);
    if (thread.typical > Time(0) && thread.typical < thread.execution)
      text_ += ",\n  Avg_Case_Execution_Time => " + number(thread.typical / thread.burst);
    if (!sections.empty()) text_ += ",\n  Composite_Operation_List => (" + sections + ")";
    text_ += ");\n\n";
  }

  // Adds an operation for each lock that the thread takes, and returns their names.
  std::string add_sections(std::size_t i) {
    std::string all;
    for (const LockUse& lock : analysis_.threads[i].locks) {
      const std::string name = unique(names_[i] + ".section1", taken_);
      text_ += "Operation (\n  Type => Simple,\n  Name => " + name + ",\n  Worst_Case_Execution_Time => " +
               number(lock.held) + ",\n  Shared_Resources_List => (" + quoted(locks_[lock.name]) + "));\n\n";
      all += (all.empty() ? "" : ", ") + name;
    }
    return all;
  }

  // Adds the activity and its event, and releases those after it.
  void add_activity(std::size_t i, const std::string& input, const std::string& arrival, std::string& events,
                    std::string& handlers) {
    const auto event = [&](const std::string& name, const std::string& more) {
      events += (events.empty() ? "" : ",") + ("\n    (Type => Regular, Name => " + name) + more + ")";
    };
    const std::string done = names_[i] + ".done";
    event(done, ", Timing_Requirements => (Type => Hard_Global_Deadline, Deadline => " +
                    number(analysis_.threads[i].deadline) + ", Referenced_Event => " + arrival + ")");
    handlers += (handlers.empty() ? "" : ",") + ("\n    (Type => Activity, Input_Event => " + input) +
                ", Output_Event => " + done + ",\n     Activity_Operation => " + quoted(names_[i]) +
                ", Activity_Server => " + quoted(names_[i]) + ")";
    if (next_[i].size() == 1) inputs_[next_[i][0]] = done;
    if (next_[i].size() < 2) return;
    std::string outputs;
    for (const std::size_t each : next_[i]) {
      inputs_[each] = names_[each] + ".released";
      event(inputs_[each], "");
      outputs += (outputs.empty() ? "" : ", ") + inputs_[each];
    }
    handlers +=
        ",\n    (Type => Multicast, Input_Event => " + done + ", Output_Events_List => (" + outputs + "))";
  }

  void add_transaction(std::size_t root) {
    const Thread& thread = analysis_.threads[root];
    const std::string arrival = names_[root] + ".arrival";
    std::string events, handlers;
    inputs_.resize(analysis_.threads.size());
    inputs_[root] = arrival;
    std::vector<std::size_t> open{root};
    for (std::size_t at = 0; at < open.size(); ++at) {
      add_activity(open[at], inputs_[open[at]], arrival, events, handlers);
      open.insert(open.end(), next_[open[at]].begin(), next_[open[at]].end());
    }
    text_ += "Transaction (\n  Type => Regular,\n  Name => " + quoted(names_[root]) +
             ",\n  External_Events => (\n    (Name => " + arrival +
             (thread.burst > 1 ? ", Type => Bursty, Max_Arrivals => " + std::to_string(thread.burst) +
                                     ", Bound_Interval => "
                               : ", Type => Periodic, Period => ") +
             number(thread.period);
    if (thread.jitter > Time(0)) text_ += ", Max_Jitter => " + number(thread.jitter);
    if (thread.phase > Time(0)) text_ += ", Phase => " + number(thread.phase);
    text_ += ")),\n  Internal_Events => (" + events + "),\n  Event_Handlers => (" + handlers + "));\n\n";
  }

  const Repository& repository_;
  const Analysis& analysis_;
  Time unit_;
  std::string text_;
  std::vector<std::string> names_, inputs_;  // by thread
  std::vector<std::vector<std::size_t>> next_;
  std::set<std::string> taken_;               // names of operations in the model, in lower case
  std::map<std::string, std::string> locks_;  // names in the model
};

}  // namespace

std::string mast_number(Time time, Time unit) {
  std::string fraction = std::to_string(unit.count() + time.count() % unit.count()).substr(1);
  while (fraction.ends_with('0')) fraction.pop_back();
  return std::to_string(time.count() / unit.count()) + (fraction.empty() ? "" : "." + fraction);
}

std::expected<std::string, std::string> export_mast(const Repository& repository, const Analysis& analysis,
                                                    const MastOptions& options) {
  try {
    return Exporter(repository, analysis, options.unit).model();
  } catch (const NoModel& reason) {
    return std::unexpected(reason.text);
  }
}

}  // namespace takt::scheduling
