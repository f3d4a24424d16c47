#include "schedulability/model/threads.h"

#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <utility>

#include "schedulability/model/checked.h"
#include "schedulability/model/one_way_calls.h"
#include "schedulability/model/sharing.h"
#include "schedulability/model/words.h"

namespace takt::scheduling {
namespace {

constexpr std::size_t most_threads = 1'000'000;
constexpr std::size_t most_visits = 20'000'000;  // visits of operations by all threads

// A thread to create. Without a trigger it is released at its own rate.
struct Plan {
  Handle entry = 0;
  std::optional<Trigger> trigger;
  std::size_t waiting = 0;  // the number of the waiting thread, or this thread's number
};

class Finder {
 public:
  explicit Finder(const Repository& repository) : repository_(repository) {}

  std::expected<std::vector<Thread>, GraphFault> find() {
    auto order = callers_first(repository_);
    if (!order) return std::unexpected(std::move(order.error()));
    order_ = std::move(*order);
    prepare();
    if (auto fault = find_transactions()) return std::unexpected(std::move(*fault));
    for (const Handle handle : order_)
      if (begins_[index_of(handle)]) plans_.push_back({handle, std::nullopt, 0});
    for (; !plans_.empty(); plans_.pop_front())
      if (auto fault = make(plans_.front())) return std::unexpected(std::move(*fault));
    if (auto fault = check_rates()) return std::unexpected(std::move(*fault));
    if (auto fault = check_reservations(repository_, threads_)) return std::unexpected(std::move(*fault));
    if (auto fault = check_bursts(repository_, threads_)) return std::unexpected(std::move(*fault));
    if (auto fault = check_sharing(repository_, threads_)) return std::unexpected(std::move(*fault));
    return std::move(threads_);
  }

 private:
  void prepare();
  void find_beginnings();
  void find_rates();
  std::optional<GraphFault> find_transactions();
  std::optional<GraphFault> make(const Plan& plan);
  void collect(Handle entry);
  void count_calls();
  std::optional<GraphFault> add_up(const Plan& plan, Thread& thread) const;
  std::int32_t burst_of(const Plan& plan) const {
    return plan.trigger ? threads_[plan.trigger->thread].burst : repository_[plan.entry].burst;
  }
  void set_times(const Plan& plan, Thread& thread) const;
  void plan_others(const Plan& plan, std::size_t number, std::int32_t processor);
  std::optional<GraphFault> check_rates() const;
  // An active object releases each of its threads every period.
  static std::int64_t threads_of(const RtInfo& entry) { return std::max<std::int64_t>(1, entry.threads); }
  // Whether the call runs in the caller's thread, if both are on one processor.
  bool borrows(const DependencyInfo& call) const {
    return call.type == DependencyType::two_way && !begins_[index_of(call.rt_info)];
  }

  const Repository& repository_;
  std::vector<Handle> order_;
  std::vector<std::size_t> position_, place_;  // index in order_; rank among equal priorities
  std::vector<bool> begins_;                   // begins a thread of its own
  std::vector<Time> rate_;  // the shortest period of the operations that it visits; 0 if there is none
  struct Transaction {
    std::size_t number = 0;
    Handle first = 0;  // an operation that it releases
  };
  std::map<std::string, Transaction, std::less<>> transactions_;
  std::vector<OneWayCalls> asked_;  // for operations that have rates of their own
  std::deque<Plan> plans_;
  std::vector<Thread> threads_;
  // State of the thread being created.
  std::vector<Handle> members_;
  std::vector<std::size_t> seen_;  // number of the last thread that visited it, plus 1
  std::vector<std::int64_t> calls_;
  std::size_t visits_ = 0;
};

void Finder::prepare() {
  const std::size_t count = order_.size();
  position_.resize(count);
  place_.resize(count);
  seen_.assign(count, 0);
  calls_.assign(count, 0);
  asked_.resize(count);
  for (std::size_t i = 0; i < count; ++i) position_[index_of(order_[i])] = i;
  const auto sorted = by_importance(repository_, order_);
  for (std::size_t i = 0; i < count; ++i) place_[index_of(sorted[i])] = i;
  find_beginnings();
  find_rates();
}

// An operation begins a thread if no other operation calls it, or if it has a rate and either threads of its
// own or a caller that does not wait.
void Finder::find_beginnings() {
  const std::size_t count = order_.size();
  std::vector<bool> called(count, false), queued(count, false);
  for (const RtInfo& info : repository_.infos())
    for (const DependencyInfo& each : info.dependencies) {
      called[index_of(each.rt_info)] = true;
      if (each.type == DependencyType::one_way) queued[index_of(each.rt_info)] = true;
    }
  begins_.assign(count, true);
  for (const RtInfo& info : repository_.infos()) {
    const std::size_t i = index_of(info.handle);
    begins_[i] = !called[i] || (info.period > Time(0) && (info.threads > 0 || queued[i]));
  }
}

// Rule 2 of section 4.5.2: the shortest period of the operation and of those that it depends on. An operation
// that begins a thread keeps its own rate; callers take that rate only if they have no other.
void Finder::find_rates() {
  const auto keep = [](Time& least, Time other) {
    if (other != Time(0) && (least == Time(0) || other < least)) least = other;
  };
  rate_.resize(order_.size());
  for (const Handle handle : std::vector<Handle>(order_.rbegin(), order_.rend())) {
    Time shortest = repository_[handle].period, lent{0};
    for (const DependencyInfo& each : repository_[handle].dependencies)
      keep(borrows(each) ? shortest : lent, rate_[index_of(each.rt_info)]);
    rate_[index_of(handle)] = shortest != Time(0) ? shortest : lent;
  }
}

std::optional<GraphFault> Finder::find_transactions() {
  for (const RtInfo& info : repository_.infos()) {
    if (info.transaction.empty()) continue;
    const std::string what =
        "operation '" + info.entry_point + "' of the transaction '" + info.transaction + "' ";
    const auto fault = [&](const std::string& text) {
      return GraphFault{GraphError::transaction, info.entry_point, info.handle, what + text};
    };
    const std::size_t place = index_of(info.handle);
    if (!begins_[place])
      return fault("is called by another operation, which releases it; leave the transaction out");
    if (rate_[place] != info.period)
      return fault("runs every " + text_of(rate_[place]) + " because an operation that it calls has that " +
                   "period; give that operation threads of its own, or a longer period");
    const auto [known, is_new] =
        transactions_.try_emplace(info.transaction, Transaction{transactions_.size() + 1, info.handle});
    const RtInfo& first = repository_[known->second.first];
    if (first.period != info.period)
      return fault("has the period " + text_of(info.period) + ", and '" + first.entry_point + "' has " +
                   text_of(first.period) + "; they must be the same");
    if (first.phase != info.phase)
      return fault("has the phase " + text_of(info.phase) + ", and '" + first.entry_point + "' has " +
                   text_of(first.phase) + "; use offsets for what differs");
  }
  return std::nullopt;
}

// Collects the operations of a thread: the entry and the operations that it calls on its processor, callers
// first.
void Finder::collect(Handle entry) {
  const std::size_t mark = threads_.size() + 1;
  const std::int32_t processor = repository_[entry].processor;
  members_.assign(1, entry);
  seen_[index_of(entry)] = mark;
  for (std::size_t next = 0; next < members_.size(); ++next)
    for (const DependencyInfo& call : repository_[members_[next]].dependencies) {
      if (!borrows(call) || repository_[call.rt_info].processor != processor) continue;
      if (std::exchange(seen_[index_of(call.rt_info)], mark) != mark) members_.push_back(call.rt_info);
    }
  std::ranges::sort(members_, {}, [&](Handle handle) { return position_[index_of(handle)]; });
  visits_ += members_.size();
}

// How often an operation runs in full; with a cache, at most once.
std::int64_t full_runs(const RtInfo& info, std::int64_t calls) {
  return info.cached_execution_time > Time(0) ? std::min<std::int64_t>(calls, 1) : calls;
}

// Counts how often each member is called per call of the entry. A call answered from a cache makes no further
// calls.
void Finder::count_calls() {
  const std::size_t mark = threads_.size() + 1;
  for (const Handle handle : members_) calls_[index_of(handle)] = 0;
  calls_[index_of(members_.front())] = 1;
  for (const Handle handle : members_) {
    const RtInfo& info = repository_[handle];
    const std::int64_t runs = full_runs(info, calls_[index_of(handle)]);
    for (const DependencyInfo& call : info.dependencies)
      if (borrows(call) && seen_[index_of(call.rt_info)] == mark)
        calls_[index_of(call.rt_info)] =
            add(calls_[index_of(call.rt_info)], multiply(runs, call.number_of_calls));
  }
}

std::optional<GraphFault> Finder::add_up(const Plan& plan, Thread& thread) const {
  std::int64_t worst = 0, typical = 0, blocking = 0;
  for (const Handle handle : members_) {
    const RtInfo& info = repository_[handle];
    const std::int64_t calls = calls_[index_of(handle)], runs = full_runs(info, calls);
    const std::int64_t cached = multiply(calls - runs, info.cached_execution_time.count());
    worst = add(worst, add(cached, multiply(runs, info.worstcase_execution_time.count())));
    typical = add(typical, add(cached, multiply(runs, info.typical_execution_time.count())));
    blocking = add(blocking, multiply(runs, info.blocking.count()));
  }
  const RtInfo& entry = repository_[plan.entry];
  const std::int64_t calls = plan.trigger ? plan.trigger->calls : threads_of(entry);
  const std::int64_t burst = burst_of(plan);
  const std::int64_t once = multiply(calls, worst), all = multiply(burst, once);
  const std::int64_t all_blocking = multiply(calls, blocking);
  if (std::max(all, all_blocking) > longest_time.count())
    return GraphFault{
        GraphError::time_overflow, entry.entry_point, calls,
        "operation '" + entry.entry_point + "': its " + std::to_string(calls) +
            " calls or threads in a period take, with their callees, longer than can be analysed, " +
            text_of(longest_time)};
  thread.one_call = Time(plan.trigger ? worst : once);
  const bool has_waiting_caller = plan.trigger && plan.trigger->type == DependencyType::two_way;
  thread.at_once = has_waiting_caller ? calls - calls / threads_[plan.waiting].at_once + 1 : calls;
  thread.execution = Time(all);
  thread.typical = Time(multiply(multiply(burst, calls), typical));
  thread.blocking = Time(all_blocking);
  return std::nullopt;
}

void Finder::set_times(const Plan& plan, Thread& thread) const {
  const RtInfo& entry = repository_[plan.entry];
  thread.period = plan.trigger ? threads_[plan.trigger->thread].period : rate_[index_of(plan.entry)];
  thread.deadline = entry.deadline != Time(0) ? entry.deadline : thread.period;
  for (const Handle handle : members_)
    if (const Time wanted = repository_[handle].deadline; wanted != Time(0))
      thread.deadline = std::min(thread.deadline, wanted);
  thread.jitter = plan.trigger ? Time(0) : entry.jitter;
  thread.burst = burst_of(plan);
  const Thread* const first = plan.trigger ? &threads_[plan.trigger->thread] : nullptr;
  thread.phase = first ? first->phase : entry.phase + entry.offset;
  thread.distance = first ? first->distance : entry.distance;
  thread.offset = first ? first->offset : entry.offset;
  if (first)
    thread.transaction = first->transaction;
  else if (const auto known = transactions_.find(entry.transaction); known != transactions_.end())
    thread.transaction = known->second.number;
}

// Plans the threads that this thread's members start, and those that they wait for on other processors.
void Finder::plan_others(const Plan& plan, std::size_t number, std::int32_t processor) {
  const std::int64_t outer = plan.trigger ? plan.trigger->calls : threads_of(repository_[plan.entry]);
  std::vector<std::pair<Trigger, Handle>> wanted;
  for (const Handle handle : members_) {
    const RtInfo& info = repository_[handle];
    const std::int64_t runs = multiply(outer, full_runs(info, calls_[index_of(handle)]));
    for (const DependencyInfo& call : info.dependencies) {
      const RtInfo& callee = repository_[call.rt_info];
      const std::int64_t calls = multiply(runs, call.number_of_calls);
      if (begins_[index_of(call.rt_info)]) {
        if (call.type == DependencyType::one_way) asked_[index_of(call.rt_info)].add(threads_[number], calls);
        continue;
      }
      if (borrows(call) && callee.processor == processor) continue;
      // A callee's cache answers all calls but one. The cached calls count as full ones, which is safe,
      // because they travel too.
      wanted.push_back(
          {{call.type == DependencyType::two_way ? number : plan.waiting, call.type, calls}, call.rt_info});
    }
  }
  const auto key = [](const auto& each) { return std::pair(each.second, each.first.type); };
  std::ranges::stable_sort(wanted, {}, key);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    auto& [trigger, callee] = wanted[i];
    if (i + 1 < wanted.size() && key(wanted[i + 1]) == key(wanted[i])) {
      wanted[i + 1].first.calls = add(wanted[i + 1].first.calls, trigger.calls);
      continue;
    }
    plans_.push_back({callee, trigger, trigger.type == DependencyType::two_way ? plan.waiting : 0});
  }
}

std::optional<GraphFault> Finder::check_rates() const {
  for (const RtInfo& info : repository_.infos()) {
    const std::size_t place = index_of(info.handle);
    if (auto fault = asked_[place].compare(repository_, info, rate_[place])) return fault;
  }
  return std::nullopt;
}

std::optional<GraphFault> Finder::make(const Plan& wanted) {
  Plan plan = wanted;
  const RtInfo& entry = repository_[plan.entry];
  const std::size_t number = threads_.size();
  if (number == most_threads || visits_ > most_visits)
    return GraphFault{GraphError::too_complex, entry.entry_point, static_cast<std::int64_t>(number),
                      "operation '" + entry.entry_point + "': there are already " + std::to_string(number) +
                          " threads with " + std::to_string(visits_) +
                          " operations in total, the most that are analysed; use fewer calls across threads"};
  if (!plan.trigger || plan.trigger->type == DependencyType::one_way) plan.waiting = number;
  collect(plan.entry);
  count_calls();
  Thread thread;
  if (auto fault = add_up(plan, thread)) return fault;
  set_times(plan, thread);
  if (thread.period == Time(0))
    return GraphFault{
        GraphError::no_rate, entry.entry_point, entry.handle,
        "operation '" + entry.entry_point +
            "' has period 0, and no period can be derived for it: it has no caller, and no operation that it "
            "depends on has a period; declare one"};
  thread.entry = plan.entry;
  thread.members = members_;
  thread.processor = entry.processor;
  thread.criticality = entry.criticality;
  thread.place = place_[index_of(plan.entry)];
  thread.trigger = plan.trigger;
  thread.lane = entry.reservation.empty() ? entry.lane : entry.reservation;
  const auto reservations = repository_.reservations();
  const auto reserved = std::ranges::find(reservations, entry.reservation, &Reservation::name);
  if (reserved != reservations.end())
    thread.reservation = static_cast<std::size_t>(reserved - reservations.begin()) + 1;
  thread.locks = locks_of(repository_, members_);
  threads_.push_back(std::move(thread));
  plan_others(plan, number, entry.processor);
  return std::nullopt;
}

}  // namespace

std::expected<std::vector<Thread>, GraphFault> find_threads(const Repository& repository) {
  return Finder(repository).find();
}

}  // namespace takt::scheduling
