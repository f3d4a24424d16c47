#include "schedulability/model/repository.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "schedulability/model/words.h"

namespace takt::scheduling {
namespace {

using Refusal = std::unexpected<RegistrationFault>;

Refusal refuse(RegistrationError kind, std::string_view operation, std::int64_t number, std::string text) {
  return Refusal({kind, std::string(operation), number, std::move(text)});
}

struct NamedTime {
  std::string_view name;
  Time value;
};

std::expected<void, RegistrationFault> check_times(const std::string& operation, const Requirements& wanted) {
  const NamedTime times[] = {{"worst-case execution time", wanted.worstcase_execution_time},
                             {"typical execution time", wanted.typical_execution_time},
                             {"cached execution time", wanted.cached_execution_time},
                             {"period", wanted.period},
                             {"quantum", wanted.quantum},
                             {"deadline", wanted.deadline},
                             {"phase", wanted.phase},
                             {"jitter", wanted.jitter},
                             {"blocking time", wanted.blocking},
                             {"offset", wanted.offset},
                             {"distance", wanted.distance}};
  for (const auto& [name, value] : times) {
    const std::string what = "operation '" + operation + "': its " + std::string(name) + ", " +
                             std::to_string(value.count()) + " ns, ";
    if (value < Time(0))
      return refuse(RegistrationError::negative_time, operation, value.count(), what + "is negative");
    if (value > longest_time)
      return refuse(
          RegistrationError::time_too_long, operation, value.count(),
          what + "exceeds the longest that can be analysed, " + std::to_string(longest_time.count()) + " ns");
  }
  for (const auto& [name, value] : {times[1], times[2]})
    if (value > wanted.worstcase_execution_time)
      return refuse(RegistrationError::execution_order, operation, value.count(),
                    "operation '" + operation + "': its " + std::string(name) + ", " + text_of(value) +
                        ", exceeds its worst case, " + text_of(wanted.worstcase_execution_time));
  return {};
}

// Reports and pages show names. In UTF-8, what controls a terminal or reorders a line: C1 (U+0080 to U+009F),
// and the marks, separators, embeddings, overrides and isolates of U+061C, U+200E to U+200F, U+2028 to U+202E
// and U+2066 to U+2069.
bool begins_with_control(std::string_view text) {
  const auto octet = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0; };
  const auto is_in = [](int value, int first, int last) { return value >= first && value <= last; };
  if (octet(0) < ' ' || octet(0) == 0x7f) return true;
  if (octet(0) == 0xc2) return is_in(octet(1), 0x80, 0x9f);
  if (octet(0) == 0xd8) return octet(1) == 0x9c;
  if (octet(0) != 0xe2) return false;
  if (octet(1) == 0x80) return is_in(octet(2), 0x8e, 0x8f) || is_in(octet(2), 0xa8, 0xae);
  return octet(1) == 0x81 && is_in(octet(2), 0xa6, 0xa9);
}

bool is_name(std::string_view text) {
  if (text.empty()) return false;
  for (; !text.empty(); text.remove_prefix(1))
    if (begins_with_control(text)) return false;
  return true;
}

std::expected<void, RegistrationFault> check_locks(const std::string& operation, const Requirements& wanted) {
  const auto refusal = [&](std::int64_t number, const std::string& text) {
    return refuse(RegistrationError::bad_lock, operation, number,
                  "operation '" + operation + "' has " + text);
  };
  if (!wanted.lane.empty() && !is_name(wanted.lane))
    return refusal(0, "a lane whose name has a control character");
  if (!wanted.reservation.empty() && !is_name(wanted.reservation))
    return refusal(0, "a reservation whose name has a control character");
  if (!wanted.reservation.empty() && !wanted.lane.empty())
    return refusal(0, "the lane '" + wanted.lane + "' and the reservation '" + wanted.reservation +
                          "', which is a lane itself; leave one of them out");
  for (const LockUse& lock : wanted.locks) {
    if (!is_name(lock.name))
      return refusal(lock.held.count(), "a lock whose name is empty or has a control character");
    if (lock.held <= Time(0) || lock.held > longest_time)
      return refusal(lock.held.count(), "the lock '" + lock.name + "', held for " +
                                            std::to_string(lock.held.count()) + " ns; the range is 1 to " +
                                            std::to_string(longest_time.count()) + " ns");
    if (std::ranges::count(wanted.locks, lock.name, &LockUse::name) > 1)
      return refusal(lock.held.count(), "the lock '" + lock.name + "' twice; give the longest time once");
  }
  return {};
}

std::expected<void, RegistrationFault> check_burst(const std::string& operation, const Requirements& wanted) {
  const auto refusal = [&](const std::string& text) {
    return refuse(RegistrationError::bad_burst, operation, wanted.burst,
                  "operation '" + operation + "' has " + text);
  };
  const std::string burst = "a burst of " + std::to_string(wanted.burst) + " releases";
  if (wanted.burst < 1 || wanted.burst > most_in_a_burst)
    return refusal(burst + "; the range is 1 to " + std::to_string(most_in_a_burst));
  if (wanted.burst == 1) {
    if (wanted.distance == Time(0)) return {};
    return refusal("the distance " + text_of(wanted.distance) +
                   " but no burst whose releases it keeps apart");
  }
  if (wanted.period == Time(0)) return refusal(burst + " but no period, the time between bursts");
  if (!wanted.transaction.empty())
    return refusal(burst + " and the transaction '" + wanted.transaction +
                   "', which releases it once a period; leave one of them out");
  if (wanted.distance > wanted.period / wanted.burst)
    return refusal(burst + " with the distance " + text_of(wanted.distance) +
                   ", which does not fit into its period, " + text_of(wanted.period));
  return {};
}

std::expected<void, RegistrationFault> check_transaction(const std::string& operation,
                                                         const Requirements& wanted) {
  const auto refusal = [&](const std::string& text) {
    return refuse(RegistrationError::bad_transaction, operation, wanted.offset.count(),
                  "operation '" + operation + "' has " + text);
  };
  if (wanted.transaction.empty()) {
    if (wanted.offset == Time(0)) return {};
    return refusal("the offset " + text_of(wanted.offset) +
                   " but no transaction; name the one whose operations the same clock releases");
  }
  if (!is_name(wanted.transaction)) return refusal("a transaction whose name has a control character");
  if (wanted.period == Time(0))
    return refusal("the transaction '" + wanted.transaction + "' but no period; declare the transaction's");
  if (wanted.offset >= wanted.period)
    return refusal("the offset " + text_of(wanted.offset) + ", which must be less than its period, " +
                   text_of(wanted.period));
  return {};
}

}  // namespace

std::expected<Handle, RegistrationFault> Repository::create(std::string_view entry_point) {
  if (!is_name(entry_point))
    return refuse(RegistrationError::bad_name, entry_point, static_cast<std::int64_t>(entry_point.size()),
                  "an operation's name is empty or has a control character");
  if (handles_.contains(entry_point))
    return refuse(RegistrationError::duplicate_name, entry_point, handles_.find(entry_point)->second,
                  "operation '" + std::string(entry_point) + "' is already registered");
  const auto handle = static_cast<Handle>(infos_.size() + 1);
  RtInfo& info = infos_.emplace_back();
  info.entry_point = entry_point;
  info.handle = handle;
  handles_.emplace(entry_point, handle);
  return handle;
}

std::expected<Handle, RegistrationFault> Repository::lookup(std::string_view entry_point) const {
  if (const auto found = handles_.find(entry_point); found != handles_.end()) return found->second;
  return refuse(RegistrationError::unknown_task, entry_point, 0,
                "no operation is called '" + std::string(entry_point) + "'");
}

std::expected<const RtInfo*, RegistrationFault> Repository::get(Handle handle) const {
  if (auto known = check(handle); !known) return std::unexpected(std::move(known.error()));
  return &(*this)[handle];
}

std::expected<void, RegistrationFault> Repository::set(Handle handle, const Requirements& wanted) {
  if (const auto known = check(handle); !known) return known;
  RtInfo& info = at_valid(handle);
  if (const auto times = check_times(info.entry_point, wanted); !times) return times;
  if (const auto fits = check_transaction(info.entry_point, wanted); !fits) return fits;
  if (const auto fits = check_burst(info.entry_point, wanted); !fits) return fits;
  if (const auto fits = check_locks(info.entry_point, wanted); !fits) return fits;
  if (wanted.threads < 0 || wanted.threads > 1'000'000)
    return refuse(
        RegistrationError::bad_count, info.entry_point, wanted.threads,
        "operation '" + info.entry_point + "' cannot have " + std::to_string(wanted.threads) + " threads");
  if (wanted.processor < 0)
    return refuse(
        RegistrationError::bad_processor, info.entry_point, wanted.processor,
        "operation '" + info.entry_point + "': there is no processor " + std::to_string(wanted.processor));
  static_cast<Requirements&>(info) = wanted;
  if (info.typical_execution_time == Time(0)) info.typical_execution_time = info.worstcase_execution_time;
  return {};
}

std::expected<void, RegistrationFault> Repository::add_dependency(Handle handle, Handle dependency,
                                                                  std::int64_t calls, DependencyType type) {
  for (const Handle each : {handle, dependency})
    if (const auto known = check(each); !known) return known;
  RtInfo& info = at_valid(handle);
  const std::string what =
      "operation '" + info.entry_point + "': its dependency on '" + (*this)[dependency].entry_point + "' ";
  if (handle == dependency)
    return refuse(RegistrationError::own_dependency, info.entry_point, handle, what + "is on itself");
  if (calls <= 0 || calls > most_calls)
    return refuse(
        RegistrationError::bad_count, info.entry_point, calls,
        what + "has " + std::to_string(calls) + " calls; the range is 1 to " + std::to_string(most_calls));
  const auto same = [&](const DependencyInfo& each) {
    return each.rt_info == dependency && each.type == type;
  };
  if (std::ranges::any_of(info.dependencies, same))
    return refuse(RegistrationError::double_dependency, info.entry_point, dependency,
                  what + "is already declared; add its calls there");
  info.dependencies.push_back({dependency, calls, type});
  return {};
}

std::expected<void, RegistrationFault> Repository::add_reservation(Reservation made) {
  const auto refusal = [&](std::int64_t number, const std::string& text) {
    return refuse(RegistrationError::bad_reservation, "", number, "reservation '" + made.name + "' " + text);
  };
  if (!is_name(made.name)) return refusal(0, "has a name that is empty or has a control character");
  if (std::ranges::find(reservations_, made.name, &Reservation::name) != reservations_.end())
    return refusal(0, "is already registered");
  if (made.period <= Time(0) || made.period > longest_time)
    return refusal(made.period.count(), "has a period of " + std::to_string(made.period.count()) +
                                            " ns; the range is 1 to " + std::to_string(longest_time.count()) +
                                            " ns");
  if (made.budget <= Time(0) || made.budget > made.period)
    return refusal(made.budget.count(), "has a budget of " + text_of(made.budget) +
                                            "; the range is 1 ns to its period, " + text_of(made.period));
  if (made.processor < 0)
    return refusal(made.processor,
                   "has the processor " + std::to_string(made.processor) + ", which there is not");
  reservations_.push_back(std::move(made));
  return {};
}

std::expected<void, RegistrationFault> Repository::add_chain(Chain chain) {
  const auto refusal = [&](std::int64_t number, const std::string& text) {
    return refuse(RegistrationError::bad_chain, "", number, "chain '" + chain.name + "' " + text);
  };
  if (!is_name(chain.name)) return refusal(0, "has a name that is empty or has a control character");
  if (std::ranges::find(chains_, chain.name, &Chain::name) != chains_.end())
    return refusal(0, "is already registered");
  if (chain.steps.empty()) return refusal(0, "has no operations");
  if (chain.steps.front().delay != Time(0))
    return refusal(chain.steps.front().delay.count(), "begins with a delay; only later operations have one");
  for (const Time limit : {chain.age, chain.reaction})
    if (limit < Time(0) || limit > longest_time)
      return refusal(limit.count(), "has a limit of " + std::to_string(limit.count()) +
                                        " ns; the range is 1 to " + std::to_string(longest_time.count()) +
                                        " ns");
  for (const ChainStep& step : chain.steps) {
    if (const auto known = check(step.operation); !known) return known;
    const std::string& name = (*this)[step.operation].entry_point;
    if (std::ranges::count(chain.steps, step.operation, &ChainStep::operation) > 1)
      return refusal(step.operation, "has the operation '" + name + "' twice");
    if (step.delay < Time(0) || step.delay > longest_time)
      return refusal(step.delay.count(), "has a delay of " + std::to_string(step.delay.count()) +
                                             " ns before '" + name + "'; the range is 0 to " +
                                             std::to_string(longest_time.count()) + " ns");
  }
  chains_.push_back(std::move(chain));
  return {};
}

std::expected<void, RegistrationFault> Repository::check(Handle handle) const {
  if (handle >= 1 && static_cast<std::size_t>(handle) <= infos_.size()) return {};
  return refuse(RegistrationError::unknown_task, "", handle,
                "no operation has the handle " + std::to_string(handle) + "; there are " +
                    std::to_string(infos_.size()));
}

}  // namespace takt::scheduling
