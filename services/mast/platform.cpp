#include "mast/platform.h"

#include <algorithm>

namespace takt::scheduling::mast {
namespace {

constexpr std::int64_t most_priority = 1'000'000'000;

class PlatformReader {
 public:
  explicit PlatformReader(Reading& reading) : reading_(reading) {}

  Platform read(std::span<const Element> elements) {
    for (const Element& each : elements)
      if (same(each.kind, "Processing_Resource")) read_resource(each);
    for (const Element& each : elements)
      if (same(each.kind, "Scheduler")) read_scheduler(each);
    for (const Element& each : elements)
      if (same(each.kind, "Scheduling_Server")) read_server(each);
    check_interrupts();
    find_lanes();
    return std::move(platform_);
  }

 private:
  Time time(Fields& fields, std::string_view name, const Resource& resource) const {
    const Value* value = fields.find(name);
    if (value == nullptr) return Time(0);
    return time_of(decimal_of(*value), reading_.unit, {resource.speed}, Rounding::up, value->at);
  }
  static std::optional<std::int64_t> priority(Fields& fields, std::string_view name) {
    const Value* value = fields.find(name);
    return value ? std::optional(whole_number_of(*value, 0, most_priority)) : std::nullopt;
  }
  // Refuses the attribute unless it is 0.
  static void need_zero(Fields& fields, std::string_view name) {
    const Value* value = fields.find(name);
    if (value && !decimal_of(*value).is_zero())
      throw Wrong{value->at,
                  fields.owner() + " has " + std::string(name) + ", which cannot be imported unless it is 0"};
  }
  static Decimal positive(const Value& value, const std::string& meaning) {
    const Decimal number = decimal_of(value);
    if (number.is_zero()) throw Wrong{value.at, meaning + " must be greater than 0"};
    return number;
  }

  void read_resource(const Element& element) {
    Fields fields(element.value, owner_of(element));
    const auto type = fields.one_of("Type", {"Fixed_Priority_Processor", "Regular_Processor",
                                             "Fixed_Priority_Network", "Packet_Based_Network"});
    Resource made{.name = fields.word("Name"), .at = element.at};
    if (const Value* speed = fields.find("Speed_Factor"))
      made.speed = positive(*speed, "Speed_Factor of " + fields.owner());
    type < 2 ? read_processor(fields, made) : read_network(fields, made);
    const bool schedules = type == 0 || type == 2;
    if (schedules) {
      read_policy(fields, made, type == 2);
      made.scheduler = made.name;
    }
    fields.finish();
    const SchedulerName scheduler{made.scheduler, made.at, platform_.resources.all().size()};
    platform_.resources.add(std::move(made));
    if (schedules) platform_.schedulers.add(scheduler);
  }

  void read_processor(Fields& fields, Resource& made) {
    made.interrupt_switch = time(fields, "Worst_ISR_Switch", made);
    fields.skip(reading_.unused,
                {"Avg_ISR_Switch", "Best_ISR_Switch", "Max_Interrupt_Priority", "Min_Interrupt_Priority"});
    if (const Value* timer = fields.find("System_Timer")) {
      Fields inner(*timer, "System_Timer of " + fields.owner());
      const bool ticks = inner.one_of("Type", {"Alarm_Clock", "Ticker"}) == 1;
      made.timer = Timer{.overhead = time(inner, "Worst_Overhead", made), .period = {}};
      if (ticks) {
        const Value& period = inner.need("Period");
        made.timer->period = time_of(positive(period, "Period of " + inner.owner()), reading_.unit, {},
                                     Rounding::down, period.at);
        if (*made.timer->period == Time(0))
          throw Wrong{period.at, "Period of " + inner.owner() + " is shorter than a nanosecond"};
      }
      inner.skip(reading_.unused, {"Avg_Overhead", "Best_Overhead"});
      inner.finish();
    }
  }

  // A message is delayed by one packet of a less urgent message, and by Max_Blocking. Without a size of
  // packets, a message can be interrupted at any time.
  void read_network(Fields& fields, Resource& made) {
    if (fields.find("Transmission")) {
      const auto kind = fields.one_of("Transmission", {"Simplex", "Half_Duplex", "Full_Duplex"});
      if (kind == 2)
        throw Wrong{
            fields.need("Transmission").at,
            fields.owner() + " is Full_Duplex, which cannot be imported; write a network for each direction"};
    }
    if (const Value* rate = fields.find("Throughput"))
      if (const Decimal number = decimal_of(*rate); !number.is_zero()) made.throughput = number;
    made.blocking = time(fields, "Max_Blocking", made) + time(fields, "Max_Packet_Transmission_Time", made);
    if (const Value* size = fields.find("Max_Packet_Size")) {
      if (!made.throughput) throw Wrong{size->at, fields.owner() + " has Max_Packet_Size but no Throughput"};
      made.blocking +=
          time_of(decimal_of(*size), reading_.unit, {*made.throughput, made.speed}, Rounding::up, size->at);
    }
    fields.skip(reading_.unused, {"Min_Packet_Transmission_Time", "Min_Packet_Size"});
  }

  // The attributes of a fixed-priority scheduler, which older models write into its resource.
  void read_policy(Fields& fields, Resource& made, bool network) {
    made.greatest_priority = priority(fields, "Max_Priority");
    made.least_priority = priority(fields, "Min_Priority");
    if (network) {
      for (const auto name : {"Packet_Worst_Overhead", "Packet_Overhead_Max_Size"}) need_zero(fields, name);
      fields.skip(reading_.unused, {"Packet_Avg_Overhead", "Packet_Best_Overhead", "Packet_Overhead_Avg_Size",
                                    "Packet_Overhead_Min_Size"});
    } else {
      made.context_switch = time(fields, "Worst_Context_Switch", made);
      fields.skip(reading_.unused, {"Avg_Context_Switch", "Best_Context_Switch"});
    }
  }

  void read_scheduler(const Element& element) {
    Fields fields(element.value, owner_of(element));
    fields.one_of("Type", {"Primary_Scheduler"});
    const std::string& name = fields.word("Name");
    const Value& host = fields.need("Host");
    Resource& resource = platform_.resources.get(word_of(host, "the name of a Processing_Resource"), host.at);
    Fields policy(fields.need("Policy"), "Policy of " + fields.owner());
    const bool network = policy.one_of("Type", {"Fixed_Priority", "FP_Packet_Based"}) == 1;
    read_policy(policy, resource, network);
    policy.finish();
    fields.finish();
    if (!resource.scheduler.empty())
      throw Wrong{host.at, "Processing_Resource '" + resource.name + "' already has Scheduler '" +
                               resource.scheduler + "'"};
    resource.scheduler = name;
    platform_.schedulers.add({name, element.at, platform_.resources.place_of(resource)});
  }

  std::size_t resource_of(Fields& fields) {
    if (const Value* old = fields.find("Server_Processing_Resource"))
      return platform_.resources.place_of(
          platform_.resources.get(word_of(*old, "the name of a Processing_Resource"), old->at));
    const Value& scheduler = fields.need("Scheduler");
    return platform_.schedulers.get(word_of(scheduler, "the name of a Scheduler"), scheduler.at).resource;
  }

  void read_server(const Element& element) {
    Fields fields(element.value, owner_of(element));
    fields.one_of("Type", {"Regular", "Fixed_Priority"});
    Server made{.name = fields.word("Name"), .at = element.at};
    made.resource = resource_of(fields);
    Resource& resource = platform_.resources.all()[made.resource];
    Fields policy(fields.need("Server_Sched_Parameters"), "Server_Sched_Parameters of " + fields.owner());
    const auto type =
        policy.one_of("Type", {"Fixed_Priority_Policy", "Interrupt_FP_Policy", "Non_Preemptible_FP_Policy"});
    made.interrupt = type == 1;
    made.preemptible = type != 2;
    const Value& priority = policy.need("The_Priority");
    made.priority = static_cast<std::int32_t>(whole_number_of(priority, 1, most_priority - 1));
    const bool outside = made.priority < resource.least_priority.value_or(0) ||
                         made.priority > resource.greatest_priority.value_or(most_priority);
    if (outside && !made.interrupt)
      throw Wrong{priority.at, "The_Priority of " + fields.owner() +
                                   " is not between Min_Priority and Max_Priority of '" + resource.name +
                                   "'"};
    policy.skip(reading_.unused, {"Preassigned"});
    policy.finish();
    fields.finish();
    resource.most_urgent = std::max(resource.most_urgent, made.priority);
    platform_.servers.add(std::move(made));
  }

  // Interrupts preempt all other servers, so their numbers have to be greater.
  void check_interrupts() {
    std::vector<std::int32_t> greatest(platform_.resources.all().size(), 0);
    for (const Server& each : platform_.servers.all())
      if (!each.interrupt) greatest[each.resource] = std::max(greatest[each.resource], each.priority);
    for (const Server& each : platform_.servers.all())
      if (each.interrupt && each.priority <= greatest[each.resource])
        throw Wrong{each.at, "Scheduling_Server '" + each.name + "' is an interrupt, but its priority " +
                                 std::to_string(each.priority) + " is not greater than " +
                                 std::to_string(greatest[each.resource]) + ", that of another server"};
  }

  // Either all servers of a resource can be preempted by each other, or none; interrupts aside.
  void find_lanes() {
    std::vector<const Server*> first(platform_.resources.all().size(), nullptr);
    for (const Server& each : platform_.servers.all()) {
      if (each.interrupt) continue;
      const Server*& other = first[each.resource];
      if (other == nullptr) other = &each;
      Resource& resource = platform_.resources.all()[each.resource];
      resource.lane = !each.preemptible;
      if (each.preemptible != other->preemptible)
        throw Wrong{each.at, "Scheduling_Server '" + each.name + "' can be preempted and '" + other->name +
                                 "' cannot, or the reverse; mixed servers on one Processing_Resource, '" +
                                 resource.name + "', cannot be imported"};
    }
  }

  Reading& reading_;
  Platform platform_;
};

}  // namespace

Platform read_platform(std::span<const Element> elements, Reading& reading) {
  return PlatformReader(reading).read(elements);
}

std::string owner_of(const Element& element) {
  for (const Attribute& each : element.value.attributes)
    if (same(each.name, "Name") && each.value.form == Value::Form::word)
      return element.kind + " '" + each.value.text + "'";
  return element.kind;
}

}  // namespace takt::scheduling::mast
