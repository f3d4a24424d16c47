#include "mast/import.h"

#include <algorithm>
#include <set>

#include "mast/transactions.h"
#include "schedulability/model/checked.h"

namespace takt::scheduling {
namespace mast {
namespace {

// Deadlines of activities for which the model has none. The analysis gives up beyond it in any case.
constexpr std::int64_t periods_without_deadline = 64;
constexpr std::int64_t switches_per_activity = 2;  // to it and from it

// The activities of a transaction as declarations.
class Activities {
 public:
  Activities(const Transaction& transaction, Platform& platform, Operations& operations,
             const std::string& origin, ImportedModel& result)
      : transaction_(transaction),
        platform_(platform),
        operations_(operations),
        origin_(origin),
        result_(result) {}

  void add() {
    name_all();
    declared_.assign(transaction_.handlers.size(), none);
    for (const Event& each : transaction_.events.all())
      if (each.arrival) add_chain(each);
    for (const Handler& each : transaction_.handlers)
      if (!each.multicast && declared_[number_of(each)] == none)
        throw Wrong{each.at, "the event handler is not reached from an external event of Transaction '" +
                                 transaction_.name + "'"};
  }

 private:
  std::size_t number_of(const Handler& handler) const {
    return static_cast<std::size_t>(&handler - transaction_.handlers.data());
  }
  const Event& event(std::size_t place) const { return transaction_.events.all()[place]; }
  std::string where(Place at) const { return origin_ + ":" + std::to_string(at.line); }

  // An operation that several activities run has its output event added to its name.
  void name_all() {
    std::map<std::string, int> uses;
    for (const Handler& each : transaction_.handlers) ++uses[lower(each.operation)];
    for (const Handler& each : transaction_.handlers) {
      std::string name = transaction_.name + "::" + each.operation;
      if (!each.multicast && uses[lower(each.operation)] > 1) name += "::" + event(each.outputs[0]).name;
      names_.push_back(std::move(name));
    }
  }

  // The activities that an event releases, through multicasts, and the tightest deadline of the events
  // between.
  std::vector<std::size_t> released_by(std::size_t from, const Event& external, Time& deadline) const {
    std::vector<std::size_t> found, open{from};
    while (!open.empty()) {
      const Event& each = event(open.back());
      open.pop_back();
      for (const HardDeadline& wanted : each.deadlines) {
        if (!same(wanted.from, external.name))
          throw Wrong{wanted.at, "the deadline of event '" + each.name + "' counts from '" + wanted.from +
                                     "', but '" + external.name + "' leads to it"};
        deadline = deadline == Time(0) ? wanted.deadline : std::min(deadline, wanted.deadline);
      }
      if (each.consumer == none) continue;
      const Handler& next = transaction_.handlers[each.consumer];
      if (next.multicast)
        open.insert(open.end(), next.outputs.rbegin(), next.outputs.rend());
      else
        found.push_back(each.consumer);
    }
    return found;
  }

  // Declares all activities that an external event leads to. Each event has one producer and one consumer, so
  // they are a tree.
  void add_chain(const Event& external) {
    Time no_deadline{0};
    const auto first = released_by(transaction_.events.place_of(external), external, no_deadline);
    if (first.empty()) throw Wrong{external.at, "event '" + external.name + "' releases no activity"};
    std::vector<std::size_t> order = first;
    std::vector<std::vector<std::size_t>> next_of;
    std::vector<Time> deadlines;
    for (std::size_t i = 0; i < order.size(); ++i) {
      Time& deadline = deadlines.emplace_back(0);
      next_of.push_back(released_by(transaction_.handlers[order[i]].outputs[0], external, deadline));
      order.insert(order.end(), next_of.back().begin(), next_of.back().end());
    }
    lend_deadlines(order, next_of, deadlines);
    for (std::size_t i = 0; i < order.size(); ++i)
      declare(order[i], external, i < first.size(), deadlines[i], next_of[i]);
  }

  // An activity without a deadline gets the tightest of the activities after it, which cannot meet theirs if
  // it is later.
  void lend_deadlines(const std::vector<std::size_t>& order,
                      const std::vector<std::vector<std::size_t>>& next_of,
                      std::vector<Time>& deadlines) const {
    std::map<std::size_t, Time> of_handler;
    for (std::size_t i = order.size(); i-- > 0;) {
      if (deadlines[i] == Time(0))
        for (const std::size_t next : next_of[i])
          if (const Time later = of_handler[next]; later != Time(0))
            deadlines[i] = deadlines[i] == Time(0) ? later : std::min(deadlines[i], later);
      of_handler[order[i]] = deadlines[i];
    }
  }

  void declare(std::size_t number, const Event& external, bool is_first, Time deadline,
               const std::vector<std::size_t>& next) {
    const Handler& handler = transaction_.handlers[number];
    const Server& server = platform_.servers.all()[handler.server];
    const Resource& resource = platform_.resources.all()[server.resource];
    declared_[number] = result_.declarations.size();
    Declaration& made = result_.declarations.emplace_back();
    made.name = names_[number];
    made.where = where(handler.at);
    set_times(made, handler, server, resource);
    made.needs.processor = static_cast<std::int32_t>(server.resource);
    made.needs.declared_priority = server.priority;
    if (deadline == Time(0)) {
      deadline =
          std::min(longest_time, Time(multiply(external.arrival->period.count(), periods_without_deadline)));
      result_.no_deadline.push_back(made.name);
    }
    made.needs.deadline = deadline;
    for (const auto key : {"wcet", "processor", "priority", "deadline"}) made.note(key);
    if (is_first) set_arrival(made, *external.arrival);
    for (const std::size_t each : next)
      made.calls.push_back({names_[each], 1, DependencyType::one_way, made.where});
    if (!next.empty()) made.note("calls");
    if (handler.timed && resource.timer) add_timer(number, external, is_first, resource, server);
  }

  void set_times(Declaration& made, const Handler& handler, const Server& server, const Resource& resource) {
    const Cost cost = operations_.cost_of(handler.operation, handler.at, resource, server.resource);
    const Time switching =
        switches_per_activity * (server.interrupt ? resource.interrupt_switch : resource.context_switch);
    made.needs.worstcase_execution_time = cost.worst + switching;
    made.needs.blocking = resource.blocking;
    if (std::max(made.needs.worstcase_execution_time, made.needs.blocking) > longest_time)
      throw Wrong{handler.at, "the activity takes longer than can be analysed"};
    if (cost.typical < cost.worst && cost.typical + switching > Time(0)) {
      made.needs.typical_execution_time = cost.typical + switching;
      made.note("typical");
    }
    if (resource.blocking > Time(0)) made.note("blocking");
    made.needs.locks = cost.locks;
    if (!cost.locks.empty()) made.note("locks");
    if (!resource.lane || server.interrupt) return;
    made.needs.lane = resource.name;
    made.note("lane");
  }

  static void set_arrival(Declaration& made, const Arrival& arrival) {
    made.needs.period = arrival.period;
    made.needs.jitter = arrival.jitter;
    made.needs.phase = arrival.phase;
    made.needs.burst = arrival.burst;
    made.note("period");
    if (arrival.burst > 1) made.note("burst");
    if (arrival.jitter > Time(0)) made.note("jitter");
    if (arrival.phase > Time(0)) made.note("phase");
  }

  // An activity that the system's clock releases: a ticker delays it by up to a tick, and an alarm clock
  // interrupts the processor for it.
  void add_timer(std::size_t number, const Event& external, bool is_first, const Resource& resource,
                 const Server& server) {
    if (!is_first)
      throw Wrong{transaction_.handlers[number].at,
                  "only the first activity after an external event can be a System_Timed_Activity on a "
                  "processor with a System_Timer"};
    Declaration& made = result_.declarations[declared_[number]];
    if (resource.timer->period) {
      made.needs.jitter += *resource.timer->period;
      if (made.needs.jitter > longest_time)
        throw Wrong{transaction_.handlers[number].at, "the jitter is longer than can be analysed"};
      return made.note("jitter");
    }
    Declaration alarm;
    alarm.name = made.name + "::System_Timer";
    alarm.where = made.where;
    alarm.needs.worstcase_execution_time = resource.timer->overhead;
    alarm.needs.processor = static_cast<std::int32_t>(server.resource);
    alarm.needs.declared_priority = resource.most_urgent + 1;
    for (const auto key : {"wcet", "processor", "priority"}) alarm.note(key);
    set_arrival(alarm, *external.arrival);
    result_.declarations.push_back(std::move(alarm));
  }

  const Transaction& transaction_;
  Platform& platform_;
  Operations& operations_;
  const std::string& origin_;
  ImportedModel& result_;
  std::vector<std::string> names_;     // by handler
  std::vector<std::size_t> declared_;  // by handler
};

void add_tickers(const Platform& platform, const std::string& origin, ImportedModel& result) {
  for (std::size_t i = 0; i < platform.resources.all().size(); ++i) {
    const Resource& each = platform.resources.all()[i];
    if (!each.timer || !each.timer->period || each.timer->overhead == Time(0)) continue;
    Declaration& made = result.declarations.emplace_back();
    made.name = each.name + "::System_Timer";
    made.where = origin + ":" + std::to_string(each.at.line);
    made.needs.worstcase_execution_time = each.timer->overhead;
    made.needs.period = *each.timer->period;
    made.needs.processor = static_cast<std::int32_t>(i);
    made.needs.declared_priority = each.most_urgent + 1;
    for (const auto key : {"wcet", "period", "processor", "priority"}) made.note(key);
  }
}

void read_model(const Element& element, Reading& reading, ImportedModel& result) {
  Fields fields(element.value, element.kind);
  if (fields.find("Model_Name")) result.name = fields.word("Model_Name");
  fields.skip(reading.unused, {"Model_Date", "System_Pip_Behaviour", "System_Pip_Behavior"});
  fields.finish();
}

void check_kinds(const std::vector<Element>& elements) {
  for (const Element& each : elements) {
    bool known = false;
    for (const auto kind : {"Model", "Processing_Resource", "Scheduler", "Scheduling_Server",
                            "Shared_Resource", "Operation", "Transaction"})
      known = known || same(each.kind, kind);
    if (!known) throw Wrong{each.at, "a MAST model has no element '" + each.kind + "'"};
  }
}

ImportedModel import_model(std::string_view text, const std::string& origin, Time unit) {
  ImportedModel result;
  Reading reading{unit, {}};
  const std::vector<Element> elements = parse(text);
  check_kinds(elements);
  for (const Element& each : elements)
    if (same(each.kind, "Model")) read_model(each, reading, result);
  Platform platform = read_platform(elements, reading);
  Operations operations(elements, reading);
  Names<SchedulerName> names("Transaction");
  for (const Element& each : elements) {
    if (!same(each.kind, "Transaction")) continue;
    const Transaction transaction = read_transaction(each, platform, operations, reading);
    names.add({transaction.name, transaction.at, 0});
    Activities(transaction, platform, operations, origin, result).add();
  }
  if (result.declarations.empty()) throw Wrong{{}, "the model has no Transaction"};
  add_tickers(platform, origin, result);
  std::set<std::string_view> names_of_operations;
  for (const Declaration& each : result.declarations)
    if (!names_of_operations.insert(each.name).second)
      throw Wrong{{},
                  "two activities would become the operation '" + each.name + "'; rename one in the model"};
  for (const Resource& each : platform.resources.all()) result.resources.push_back(each.name);
  result.unused = reading.unused.texts();
  return result;
}

}  // namespace
}  // namespace mast

std::expected<ImportedModel, std::string> import_mast(std::string_view text, const std::string& origin,
                                                      const MastOptions& options) {
  try {
    return mast::import_model(text, origin, options.unit);
  } catch (const mast::Wrong& wrong) {
    return std::unexpected(origin + ":" + std::to_string(wrong.at.line) + ":" +
                           std::to_string(wrong.at.column) + ": " + wrong.text);
  }
}

}  // namespace takt::scheduling
