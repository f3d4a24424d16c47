#include "notification_parts/model/qos.h"

#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <variant>

#include <takt/standard/TimeBaseC.h>

namespace takt::notification {
namespace {

using CosNotification::QoSError_code;

// A wide integer that has every value of a property.
__extension__ using Wide = __int128;

template <class Owner>
using Member =
    std::variant<std::int16_t Owner::*, std::int32_t Owner::*, Units Owner::*, bool Owner::*, std::monostate>;

// A property of an Owner. std::monostate: it is only a property of events, of the type UtcT.
template <class Owner>
struct Rule {
  const char* name;
  unsigned levels;  // bits by Level
  Member<Owner> member;
  Wide low, high;
};

constexpr unsigned at(auto... levels) { return ((1u << static_cast<unsigned>(levels)) | ...); }
constexpr unsigned objects = at(Level::channel, Level::admin, Level::proxy);
constexpr unsigned everywhere = objects | at(Level::message);
constexpr std::size_t most_errors = 100;  // that an answer lists
constexpr Wide most_long = std::numeric_limits<std::int32_t>::max();
constexpr Wide most_units = std::numeric_limits<Units>::max();

std::span<const Rule<Qos>> qos_rules() {
  using namespace CosNotification;
  // Without a store, reliabilities have one value.
  static const Rule<Qos> rules[] = {
      {"EventReliability", at(Level::channel, Level::message), &Qos::event_reliability, BestEffort,
       Persistent},
      {"ConnectionReliability", objects, &Qos::connection_reliability, BestEffort, Persistent},
      {"Priority", everywhere, &Qos::priority, LowestPriority, HighestPriority},
      {"StartTime", at(Level::message), std::monostate(), 0, 0},
      {"StopTime", at(Level::message), std::monostate(), 0, 0},
      {"Timeout", everywhere, &Qos::timeout, 0, most_units},
      {"StartTimeSupported", objects, &Qos::start_time_supported, 0, 1},
      {"StopTimeSupported", objects, &Qos::stop_time_supported, 0, 1},
      {"MaxEventsPerConsumer", objects, &Qos::max_events_per_consumer, 0, most_long},
      {"OrderPolicy", objects, &Qos::order_policy, AnyOrder, DeadlineOrder},
      {"DiscardPolicy", objects, &Qos::discard_policy, AnyOrder, LifoOrder},
      {"MaximumBatchSize", objects, &Qos::maximum_batch_size, 1, most_long},
      {"PacingInterval", objects, &Qos::pacing_interval, 0, most_units}};
  return rules;
}

std::span<const Rule<AdminProperties>> admin_rules() {
  constexpr unsigned channel = at(Level::channel);
  static const Rule<AdminProperties> rules[] = {
      {"MaxQueueLength", channel, &AdminProperties::max_queue_length, 0, most_long},
      {"MaxConsumers", channel, &AdminProperties::max_consumers, 0, most_long},
      {"MaxSuppliers", channel, &AdminProperties::max_suppliers, 0, most_long},
      {"RejectNewEvents", channel, &AdminProperties::reject_new_events, 0, 1}};
  return rules;
}

template <class Owner>
CORBA::Any any_of(const Member<Owner>& member, Wide value) {
  CORBA::Any any;
  std::visit(
      [&]<class M>(M) {
        if constexpr (std::is_same_v<M, std::monostate>)
          any <<= TimeBase::UtcT();
        else
          any <<= static_cast<std::remove_reference_t<decltype(std::declval<Owner&>().*std::declval<M>())>>(
              value);
      },
      member);
  return any;
}

template <class Owner>
CosNotification::PropertyRange range_of(const Rule<Owner>& rule, Wide high) {
  if (std::holds_alternative<std::monostate>(rule.member)) {
    TimeBase::UtcT last;
    last.time(std::numeric_limits<Units>::max());
    CORBA::Any any;
    any <<= last;
    return {any_of<Owner>(rule.member, 0), any};
  }
  return {any_of<Owner>(rule.member, rule.low), any_of<Owner>(rule.member, high)};
}

// Sets the property of `owner`. Returns why not, if the value has the wrong type or is out of range.
template <class Owner>
std::optional<QoSError_code> set(Owner& owner, const Rule<Owner>& rule, Wide high, const CORBA::Any& value) {
  return std::visit(
      [&]<class M>(M member) -> std::optional<QoSError_code> {
        if constexpr (std::is_same_v<M, std::monostate>) {
          TimeBase::UtcT time;
          if (!(value >>= time)) return QoSError_code::BAD_TYPE;
        } else {
          std::remove_reference_t<decltype(owner.*member)> given{};
          if (!(value >>= given)) return QoSError_code::BAD_TYPE;
          if (static_cast<Wide>(given) < rule.low || static_cast<Wide>(given) > high)
            return rule.low == high ? QoSError_code::UNSUPPORTED_VALUE : QoSError_code::BAD_VALUE;
          owner.*member = given;
        }
        return std::nullopt;
      },
      rule.member);
}

// The largest value of the property here.
template <class Owner>
Wide highest(const Rule<Owner>& rule, const Limits* limits) {
  if (!limits) return rule.high;
  const std::string_view name = rule.name;
  if (name == "MaxEventsPerConsumer") return limits->max_queued_events;
  if (name == "MaximumBatchSize") return limits->batch;
  if (name.ends_with("Reliability"))
    return limits->persistent ? CosNotification::Persistent : CosNotification::BestEffort;
  return rule.high;
}

template <class Owner>
std::expected<Owner, PropertyErrors> apply(Owner owner, std::span<const Rule<Owner>> rules,
                                           const CosNotification::PropertySeq& properties, Level level,
                                           const Limits* limits) {
  PropertyErrors errors;
  for (const auto& property : properties) {
    if (errors.size() == most_errors) break;
    const auto rule = std::ranges::find(rules, property.name(), &Rule<Owner>::name);
    if (rule == rules.end()) {
      errors.emplace_back(QoSError_code::BAD_PROPERTY, property.name(), CosNotification::PropertyRange());
    } else if (!(rule->levels & at(level))) {
      errors.emplace_back(QoSError_code::UNSUPPORTED_PROPERTY, property.name(),
                          CosNotification::PropertyRange());
    } else if (const auto why = set(owner, *rule, highest(*rule, limits), property.value())) {
      errors.emplace_back(*why, property.name(), range_of(*rule, highest(*rule, limits)));
    }
  }
  if (!errors.empty()) return std::unexpected(std::move(errors));
  return owner;
}

template <class Owner>
CosNotification::PropertySeq listed(const Owner& owner, std::span<const Rule<Owner>> rules, Level level) {
  CosNotification::PropertySeq properties;
  for (const auto& rule : rules) {
    if (!(rule.levels & at(level))) continue;
    std::visit(
        [&]<class M>(M member) {
          if constexpr (!std::is_same_v<M, std::monostate>)
            properties.emplace_back(rule.name, any_of<Owner>(rule.member, static_cast<Wide>(owner.*member)));
        },
        rule.member);
  }
  return properties;
}

}  // namespace

QueuePolicies Qos::queue(const Limits& limits) const {
  return {
      static_cast<Order>(order_policy), static_cast<Discard>(discard_policy),
      max_events_per_consumer > 0 ? static_cast<std::size_t>(max_events_per_consumer) : limits.queued_events};
}

std::expected<Qos, PropertyErrors> changed(Qos qos, const CosNotification::QoSProperties& properties,
                                           Level level, const Limits& limits) {
  return apply(qos, qos_rules(), properties, level, &limits);
}

CosNotification::QoSProperties properties_of(const Qos& qos, Level level) {
  return listed(qos, qos_rules(), level);
}

std::expected<CosNotification::NamedPropertyRangeSeq, PropertyErrors> available_beside(
    const CosNotification::QoSProperties& required, Level level, const Limits& limits) {
  if (auto possible = changed(Qos(), required, level, limits); !possible)
    return std::unexpected(std::move(possible.error()));
  CosNotification::NamedPropertyRangeSeq ranges;
  for (const auto& rule : qos_rules()) {
    if (!(rule.levels & at(level))) continue;
    const bool named =
        std::ranges::any_of(required, [&](const auto& each) { return each.name() == rule.name; });
    if (!named) ranges.emplace_back(rule.name, range_of(rule, highest(rule, &limits)));
  }
  return ranges;
}

std::expected<AdminProperties, PropertyErrors> changed(AdminProperties admin,
                                                       const CosNotification::AdminProperties& properties) {
  return apply(admin, admin_rules(), properties, Level::channel, nullptr);
}

CosNotification::AdminProperties properties_of(const AdminProperties& admin) {
  return listed(admin, admin_rules(), Level::channel);
}

}  // namespace takt::notification
