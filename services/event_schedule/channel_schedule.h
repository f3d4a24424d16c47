// The Scheduling Service of a real-time event channel: which levels the channel has, and what its clients
// declare.
//
//   auto schedule = takt::rt_events::ChannelSchedule::read(scheduler, "EventService", {}, report);
//   options.channel.levels = (*schedule)->levels();
//   options.level_of = (*schedule)->level_of();
//   options.declarations = (*schedule)->declarations();
#pragma once

#include <chrono>
#include <expected>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "RT_SchedulerC.h"
#include "rt_events/event_channel.h"
#include "rt_events/schedule/event_dependencies.h"
#include "rt_events/service/limits.h"

namespace takt::rt_events {

// The rt_info of clients is the handle of an operation in the scheduler. Without a computed schedule (a
// configuration run), each connection adds the calls that follow from it to the scheduler, and all consumers
// have the last level. With one, nothing is added; calls that the schedule lacks are reported, because its
// bounds do not hold with them. Any thread.
//
// The channel's own work is two operations of the scheduler, "CHANNEL::push", which each supplier calls, and
// "CHANNEL::deliver", which each consumer calls. A timer is an operation with its period.
class ChannelSchedule : public std::enable_shared_from_this<ChannelSchedule> {
 public:
  using SchedulerRef = CORBA::object_reference<RT_Scheduler::Scheduler>;

  // Reads the registered operations. `channel` begins the names of the channel's own operations. Calls of the
  // scheduler block up to `call_timeout`, and all those of a connection up to about five times that. Fails
  // with the reason if it cannot be reached.
  static std::expected<std::shared_ptr<ChannelSchedule>, std::string> read(
      const SchedulerRef& scheduler, std::string channel, const FilterLimits& filters, Report report,
      std::chrono::milliseconds call_timeout = std::chrono::seconds(1));

  bool is_computed() const { return computed_; }
  // A level for each priority of an operation that is called one-way, the most urgent first, and a last one
  // without a priority, for consumers that name no operation.
  std::vector<EventLevel> levels() const;
  // Both keep this object. The first is for a channel with these levels.
  LevelOfInfo level_of(std::span<const EventLevel> levels);
  ClientDeclarations declarations();

 private:
  using Pair = std::pair<std::int32_t, std::int32_t>;  // caller and callee
  struct Operation {
    std::string name;
    std::int16_t priority = -1;
    bool has_period = false;
  };
  struct Declared {
    std::int64_t times = 0;
    bool loaded = false;  // before this channel started
  };
  struct Client {
    std::vector<std::pair<std::int32_t, Publication>> publications;  // by operation
    std::vector<std::int32_t> operations;                            // the consumed ones, sorted
    Filter filter;
  };

  ChannelSchedule(SchedulerRef scheduler, std::string channel, const FilterLimits& filters, Report report,
                  std::chrono::milliseconds patience)
      : scheduler_(std::move(scheduler)),
        channel_(std::move(channel)),
        filters_(filters),
        report_(std::move(report)),
        patience_(patience) {}
  void load();  // throws exceptions of CORBA
  std::optional<std::string> supplier_connects(std::uint64_t id,
                                               const RtecEventChannelAdmin::SupplierQOS& qos);
  std::optional<std::string> consumer_connects(std::uint64_t id,
                                               const RtecEventChannelAdmin::ConsumerQOS& qos);
  void ended(std::uint64_t id);
  // The rest is called with `declaring_`, and calls the scheduler.
  bool is_too_slow();  // reports it
  std::optional<std::string> unknown(std::int32_t operation);
  void take(std::uint64_t id, const Client& added);
  std::optional<EventDependencies> dependencies_of(const Client& added);
  void require(const Client& added, const EventDependencies& all);
  void require_timers(const EventDependencies& all);
  void require_call(Pair pair, std::int64_t times, RT_Scheduler::Dependency_Type type);
  std::optional<std::int32_t> own_operation(const std::string& name, std::chrono::nanoseconds period = {});
  void require_period(std::int32_t timer, std::chrono::nanoseconds period);
  void say_unbounded(const EventCalls& call);
  std::string name_of(std::int32_t operation) const;
  void say(const std::string& text);

  const SchedulerRef scheduler_;
  const std::string channel_;
  const FilterLimits filters_;
  const Report report_;
  const std::chrono::milliseconds patience_;  // for all calls of the scheduler that a connection needs
  bool computed_ = false;
  std::mutex declaring_;                         // held in calls of the scheduler
  std::chrono::steady_clock::time_point until_;  // the end of the present connection's patience
  std::map<std::int32_t, Operation> operations_;
  std::map<Pair, Declared> one_way_, two_way_;  // the calls that the scheduler has
  std::mutex mutex_;                            // guards the rest, never held for long
  std::map<std::uint64_t, Client> clients_;
  std::set<std::string> said_;  // reported once
};

}  // namespace takt::rt_events
