#include "rt/poa_priorities.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <takt/adapter/poa.h>

#include "rt/orb_threadpools.h"
#include "rt/protocol_choices.h"
#include "rt/thread_priorities.h"

namespace takt::rt {

using giop::PriorityPolicies;
using RTCORBA::Priority;

namespace {

class PoaPriorities final : public adapter::PoaExtension {
 public:
  PoaPriorities(std::shared_ptr<ThreadPriorities> priorities, std::shared_ptr<const Threadpool> pool,
                std::optional<PriorityPolicies> policies, reference::Publication publication)
      : priorities_(std::move(priorities)),
        lanes_(lanes_of(pool.get())),
        use_(std::move(pool)),
        policies_(std::move(policies)),
        publication_(std::move(publication)) {}

  // If a schedule sets the call's priority, the schedule also restores the previous one.
  Ending enter(server::ServerCall* call, std::int16_t object_priority) override {
    if (!call) ThreadPriority::local_call_begins();
    const ThreadPriority::State before = ThreadPriority::present();
    if (policies_) run_at_their_priority(call, object_priority);
    if (call && ThreadPriority::present().native != before.native) call->leave_before_end();
    if (ThreadPriority::is_scheduled(call)) return {nullptr, 0};
    return ThreadPriority::restoring(before, priorities_->scheduling_class());
  }

  int urgency_of(std::int16_t asked, std::int16_t object_priority) const noexcept override {
    if (!policies_) return 0;
    const bool counts = policies_->model == PriorityPolicies::Model::client_propagated && asked >= 0;
    const auto native =
        priorities_->upcall_scheduling_at(counts && in_a_band(asked) ? asked : declared_for(object_priority));
    return native && native->scheduling_class != os::SchedulingClass::other ? native->priority : 0;
  }

  reference::Publication publication(std::int16_t object_priority) const override {
    reference::Publication where = publication_;
    where.priorities = policies_;
    if (policies_ && object_priority >= 0) where.priorities->server_priority = object_priority;
    return where;
  }

  bool declares(std::int16_t object_priority) const override {
    if (!policies_ || policies_->model != PriorityPolicies::Model::server_declared) return false;
    if (object_priority == -1) return true;
    return priorities_->has_native(object_priority) && in_a_band(object_priority) &&
           (lanes_.empty() || std::ranges::find(lanes_, object_priority) != lanes_.end());
  }

  void ended() noexcept override { use_.reset(); }

 private:
  static std::vector<Priority> lanes_of(const Threadpool* pool) {
    std::vector<Priority> lanes;
    if (pool && pool->has_lanes)
      for (const auto& lane : pool->lanes) lanes.push_back(lane.priority);
    return lanes;
  }
  // A client's request cannot get a priority that the server does not offer.
  bool in_a_band(Priority priority) const noexcept {
    const auto holds = [&](const giop::PriorityBand& band) {
      return band.low <= priority && priority <= band.high;
    };
    return policies_->bands.empty() || std::ranges::any_of(policies_->bands, holds);
  }
  std::int16_t declared_for(std::int16_t object_priority) const noexcept {
    return object_priority >= 0 ? object_priority : policies_->server_priority;
  }
  void run_at_their_priority(server::ServerCall* call, std::int16_t object_priority) {
    const bool propagated = policies_->model == PriorityPolicies::Model::client_propagated;
    const bool scheduled = ThreadPriority::is_scheduled(call);
    std::int16_t priority = declared_for(object_priority), asked = -1;
    if (propagated) {
      asked = call ? call->priority() : ThreadPriority::present().priority;
      if (asked >= 0 && in_a_band(asked)) priority = asked;
      if (scheduled) priority = ThreadPriority::present().priority;
    }
    if (!scheduled && !priorities_->run_upcall_at(priority)) priorities_->throw_no_native(priority);
    if (call && asked >= 0) call->set_reply_priority(priority);
  }

  const std::shared_ptr<ThreadPriorities> priorities_;
  const std::vector<Priority> lanes_;      // the priorities of its pool's lanes; empty: none
  std::shared_ptr<const Threadpool> use_;  // only ended() and the destructor may touch it
  const std::optional<PriorityPolicies> policies_;
  const reference::Publication publication_;
};

// The RT-CORBA policies of a list, each with its index.
class Reading {
 public:
  Reading(ThreadPriorities& priorities, OrbThreadpools& pools, const CORBA::PolicyList& list)
      : priorities_(priorities), pools_(pools) {
    for (std::size_t i = 0; i < list.size(); ++i) read(list[i], static_cast<std::uint16_t>(i));
  }

  // Without a ThreadpoolPolicy, the adapter uses the ORB's pool.
  void take_default(std::shared_ptr<const Threadpool> default_pool) {
    pool = std::move(default_pool);
    if (has_model_) return;
    has_model_ = true;
    policies_.model = PriorityPolicies::Model::client_propagated;
    policies_.server_priority =
        std::ranges::min_element(pool->lanes, {}, &Threadpool::Lane::priority)->priority;
  }

  bool any() const { return pool || has_model_ || has_bands_ || protocols_; }
  std::shared_ptr<const Threadpool> pool;
  std::optional<PriorityPolicies> policies() const {
    return has_model_ ? std::optional(policies_) : std::nullopt;
  }

  void check() {
    if (has_model_ && !priorities_.has_native(policies_.server_priority)) refuse(model_place_);
    const bool laned = pool && pool->has_lanes;
    if (has_bands_ && !has_model_) refuse(bands_place_);
    if (laned && !has_model_) refuse(pool_place_);
    check_protocols();
    if (has_model_ && policies_.model == PriorityPolicies::Model::server_declared) check_declared(laned);
    if (laned && !std::ranges::all_of(policies_.bands, [&](const auto& band) { return has_lane_of(band); }))
      refuse(bands_place_);
    if (!laned && policies_.model == PriorityPolicies::Model::client_propagated)
      priorities_.warn_of_shared_bands(policies_.bands);
  }

  // The addresses of the adapter's objects.
  reference::Publication publication() const {
    reference::Publication where;
    where.protocols_chosen = protocols_.has_value();
    if (!pool && protocols_) where.endpoints = pools_.host().endpoints_for(*protocols_, declared());
    if (!pool) return where;
    if (pool->has_lanes)
      for (const auto& lane : pool->lanes) where.lanes.push_back({lane.priority, endpoints_of(lane)});
    else
      where.endpoints = endpoints_of(pool->lanes.front());  // for requests of all priorities
    return where;
  }

 private:
  // The priority of all requests to the adapter, if it declares one.
  std::optional<Priority> declared() const {
    const bool declares = has_model_ && policies_.model == PriorityPolicies::Model::server_declared;
    return declares ? std::optional(policies_.server_priority) : std::nullopt;
  }
  std::vector<transport::Endpoint> endpoints_of(const Threadpool::Lane& lane) const {
    return protocols_ ? pools_.host().endpoints_of_lane(*protocols_, lane.opened, lane.priority)
                      : lane.opened.endpoints;
  }
  // Settings by priority need lanes or a declared priority.
  void check_protocols() const {
    if (protocols_ && !pool && !declared() &&
        std::ranges::any_of(*protocols_, [](const auto& one) { return !one.streams.by_priority.empty(); }))
      refuse(protocols_place_);
  }
  static bool holds(const giop::PriorityBand& band, Priority priority) {
    return band.low <= priority && priority <= band.high;
  }
  bool has_lane_of(const giop::PriorityBand& band) const {
    return std::ranges::any_of(pool->lanes, [&](const auto& lane) { return holds(band, lane.priority); });
  }
  void check_declared(bool laned) const {
    const Priority declared = policies_.server_priority;
    if (laned && !pool->has_lane(declared)) refuse(model_place_);
    if (has_bands_ &&
        std::ranges::none_of(policies_.bands, [&](const auto& band) { return holds(band, declared); }))
      refuse(bands_place_);
  }
  [[noreturn]] static void refuse(std::uint16_t place) { throw PortableServer::POA::InvalidPolicy(place); }
  // A list may repeat a policy, but not with another value.
  template <class Value>
  static void take(bool& has, Value& into, Value value, std::uint16_t& at, std::uint16_t place) {
    if (has && !(into == value)) refuse(place);
    has = true;
    into = std::move(value);
    at = place;
  }
  void read(const CORBA::object_reference<CORBA::Policy>& policy, std::uint16_t place) {
    if (const auto model = IDL::traits<RTCORBA::PriorityModelPolicy>::narrow(policy)) {
      take(has_model_, model_, {model->priority_model(), model->server_priority()}, model_place_, place);
      policies_.model = static_cast<PriorityPolicies::Model>(model->priority_model());
      policies_.server_priority = model->server_priority();
    } else if (const auto named = IDL::traits<RTCORBA::ThreadpoolPolicy>::narrow(policy)) {
      take(has_pool_, pool, pools_.use(named->threadpool()), pool_place_, place);
      if (!pool) refuse(place);
    } else if (const auto banded = IDL::traits<RTCORBA::PriorityBandedConnectionPolicy>::narrow(policy)) {
      std::vector<giop::PriorityBand> bands;
      for (const auto& band : banded->priority_bands()) bands.push_back({band.low(), band.high()});
      take(has_bands_, policies_.bands, std::move(bands), bands_place_, place);
    } else if (const auto listed = IDL::traits<RTCORBA::ServerProtocolPolicy>::narrow(policy)) {
      if (protocols_) refuse(place);
      protocols_ = choices_of_server(listed->protocols());
      protocols_place_ = place;
      for (const reference::ProtocolChoice& choice : *protocols_)
        if (pools_.host().protocol_name(choice.protocol).empty() || !pools_.host().validate(choice).empty())
          refuse(place);
    }
  }

  ThreadPriorities& priorities_;
  OrbThreadpools& pools_;
  PriorityPolicies policies_;
  std::pair<RTCORBA::PriorityModel, Priority> model_;  // as given
  bool has_model_ = false, has_pool_ = false, has_bands_ = false;
  std::optional<reference::ProtocolChoices> protocols_;
  std::uint16_t model_place_ = 0, pool_place_ = 0, bands_place_ = 0, protocols_place_ = 0;
};

}  // namespace

[[gnu::cold]] std::shared_ptr<adapter::PoaExtension> make_poa_priorities(
    std::shared_ptr<ThreadPriorities> priorities, OrbThreadpools& pools, const CORBA::PolicyList& policies) {
  auto default_pool = pools.default_pool();
  Reading reading(*priorities, pools, policies);
  if (default_pool && !reading.pool) reading.take_default(std::move(default_pool));
  if (!reading.any()) return nullptr;
  reading.check();
  auto publication = reading.publication();
  return std::make_shared<PoaPriorities>(std::move(priorities), std::move(reading.pool), reading.policies(),
                                         std::move(publication));
}

}  // namespace takt::rt
