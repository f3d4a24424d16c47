#include "connection/client/thread_channels.h"

#include <algorithm>

#include "connection/client/failure.h"
#include "connection/groups/groups.h"
#include "connection/orb_core.h"
#include "connection/policies/call_marking.h"
#include "connection/policies/client_protocols.h"
#include "connection/probes/probe_log.h"

namespace takt::connection {

ThreadChannels& ThreadChannels::begin() {
  // Not in thread-local storage itself, which every thread has all of, those of servers too.
  thread_local const auto channels = std::make_unique<ThreadChannels>();
  mine_ = channels.get();
  return *channels;
}

namespace {

CallPolicies::Clock::time_point connect_deadline(const CallPolicies& policies, const Quality* quality,
                                                 CallPolicies::Clock::time_point now) {
  const auto of_call = std::min(policies.reply_deadline(now), policies.request_deadline(now));
  const auto of_connect = std::min(CallPolicies::after(now, policies.connect_within), of_call);
  return quality ? std::min(of_connect, quality->deadline) : of_connect;
}

// As the policy and the marks want it, if they want something; `special` holds it then.
const Route::Address& address_of(const Way& way, const CallMarks& marks, OrbCore& core,
                                 std::optional<Route::Address>& special) {
  special = special_address(core, way, marks);
  return special ? *special : *way.address;
}

}  // namespace

bool ThreadChannels::has_channel(const ConnectionKey& key) const {
  return std::ranges::any_of(
      channels_, [&](const Owned& owned) { return owned.key == key && !owned.channel->broken(); });
}

CallPolicies ThreadChannels::policies_of(const ObjectRef& ref) const {
  CallPolicies policies;
  policies.connect_within = ref.core()->options.connect_timeout;
  if (const auto of_orb = ref.core()->overrides()) of_orb->apply_to(policies);
  if (overrides_) overrides_->apply_to(policies);
  if (ref.overrides()) ref.overrides()->apply_to(policies);
  return policies;
}

void ThreadChannels::refuse_to_reconnect(const Attempt& attempt, const ConnectionKey& key) {
  if (attempt.policies.rebind != CallPolicies::Rebind::no_reconnect || has_channel(key)) return;
  std::erase_if(not_to_reconnect_, [](const auto& known) { return known.expired(); });
  for (const auto& known : not_to_reconnect_)
    if (known.lock().get() == &attempt.ref) throw_not_reconnected();
  not_to_reconnect_.push_back(attempt.ref.weak_from_this());
}

void ThreadChannels::allow_to_reconnect(const ObjectRef& ref) {
  std::erase_if(not_to_reconnect_, [&](const auto& known) { return known.lock().get() == &ref; });
}

Binding& ThreadChannels::bind_explicitly(ObjectRef& ref) {
  allow_to_reconnect(ref);
  return bind(ref);
}

void ThreadChannels::connect_fully(ObjectRef& ref) {
  const Binding& binding = bind_explicitly(ref);
  const Route& route = *binding.route;
  if (!route.server->propagates_priority) return;  // one is for all its calls
  const auto target = binding.target;              // keeps the route
  Attempt connecting = attempt(ref, CallPolicies::Clock::now());
  const auto ways = allowed_ways_to(*ref.core(), *target, connecting.policies.protocols.get());
  if (!route.server->by_priority) return connect_marked(route, ways, connecting);
  std::vector<giop::PriorityBand> reached;
  const auto missing = [&](const Way& way) {
    return way.route == &route && std::ranges::find(reached, way.address->serves) == reached.end();
  };
  for (const Way& way : ways)
    if (missing(way) && reaches(way, priority_, connecting)) reached.push_back(way.address->serves);
  if (std::ranges::any_of(ways, missing)) throw_unreachable(connecting.unreached);
}

// One for each marking that the thread's priority may bring.
void ThreadChannels::connect_marked(const Route& route, const std::vector<Way>& ways, Attempt& connecting) {
  for (const giop::Priority priority : marked_from(*connecting.ref.core(), ways.front()))
    if (std::ranges::none_of(
            ways, [&](const Way& way) { return way.route == &route && reaches(way, priority, connecting); }))
      throw_unreachable(connecting.unreached);
}

bool ThreadChannels::reaches(const Way& way, std::optional<giop::Priority> priority, Attempt& connecting) {
  OrbCore& core = *connecting.ref.core();
  allow_to_reconnect(connecting.ref);
  std::optional<Route::Address> special;
  const Route::Address& address =
      address_of(way, marks_of(core, way, priority, quality_row()), core, special);
  return has_channel(connecting.key_for(address)) || channel_to(*way.route, address, connecting) != nullptr;
}

Binding& ThreadChannels::rebind(ObjectRef& ref, Binding& binding) {
  if (ref.core()->probes) return bind_probed(ref, binding);
  if (!bindings_->bind_alike(ref, binding))
    return ref.core()->options.marks_calls() ? bind_marked(ref, binding) : connect(ref, binding);
  repeated_ = false;
  return binding;
}

// By which priority the thread's connections to that server are marked, if by any.
std::int32_t ThreadChannels::marked_by(const OrbCore& core, const ServerRoute& server) const {
  if (core.options.marking.empty()) return Bindings::not_marked;
  return server.priority_of(priority_).value_or(Bindings::not_marked);
}

void ThreadChannels::remember(const OrbCore& core, const Way& way, const Binding& binding) {
  const std::uint64_t id = way.address->connection_id;
  if (core.options.marks_calls())
    bindings_->remember_marked(core, id, marked_by(core, *way.route->server), binding);
  else
    bindings_->remember(core, id, binding);
}

// `binding` is of calls of any quality until the thread first calls an ORB that marks them by it.
Binding& ThreadChannels::bind_marked(ObjectRef& ref, Binding& binding) {
  const OrbCore& core = *ref.core();
  const bool by_quality = std::exchange(marks_quality_, marks_quality_ || core.options.marks_quality);
  if (by_quality != marks_quality_) {
    use_bindings();
    return bind_marked(ref, bindings_->of(ref));
  }
  const auto marked = [&](const ServerRoute& server) { return marked_by(core, server); };
  if (!bindings_->bind_marked_alike(ref, binding, marked)) return connect(ref, binding);
  repeated_ = false;
  return binding;
}

Binding& ThreadChannels::bind_probed(ObjectRef& ref, Binding& binding) {
  ProbeLog& probes = *ref.core()->probes;
  probes.begin(Step::client_get_reference);
  const bool fits = binding.serial == ~ref.serial() && binding.generation == ref.generation() &&
                    !binding.channel->busy() && !binding.channel->broken();
  Binding* bound = &binding;
  try {
    if (!fits) {
      bound = &(ref.core()->options.marks_calls() ? bind_marked(ref, binding) : connect(ref, binding));
      bound->serial = ~ref.serial();
    }
  } catch (...) {
    probes.begin(Step::client_done);
    throw;
  }
  probes.begin(Step::client_initialize);
  return *bound;
}

// Over a connection on which both sides make requests, or as the ORB's clients usually do. Those that their
// peers have given up meanwhile go: no call of this thread may ever find them broken.
Bidirectional::Way ThreadChannels::way_to(const Route& route, const Route::Address& address,
                                          Attempt& attempt) {
  OrbCore& core = *attempt.ref.core();
  if (address.protocol == giop::group_profile) return {&core.groups->mux(), attempt.key_for(address)};
  const Bidirectional::Way as_usual{core.mux.get(), attempt.key_for(address)};
  if (!core.bidirectional) return as_usual;
  const auto way =
      core.bidirectional->way_to(core, route, address, as_usual.key, attempt.policies.bidirectional);
  if (!way) return as_usual;
  for (std::size_t i = channels_.size(); i-- > 0;)
    if (ClientChannel& channel = *channels_[i].channel; channel.gone() && !channel.busy()) discard(channel);
  return *way;
}

ThreadChannels::Attempt ThreadChannels::attempt(ObjectRef& ref, CallPolicies::Clock::time_point now) const {
  const CallPolicies policies = policies_of(ref);
  return {.ref = ref, .policies = policies, .deadline = connect_deadline(policies, quality_, now)};
}

ClientChannel* ThreadChannels::channel_to(const Route& route, const Route::Address& address,
                                          Attempt& attempt) {
  const auto way = way_to(route, address, attempt);
  const ConnectionKey& key = way.key;
  for (const Owned& owned : channels_)
    if (owned.key == key && !owned.channel->busy() && !owned.channel->broken()) return owned.channel.get();
  refuse_to_reconnect(attempt, key);
  close_unused();
  OrbCore& core = *attempt.ref.core();
  auto opened = way.mux->open(core, address, key, attempt.deadline);
  if (!opened) {
    attempt.unreached.note(opened.error());
    return nullptr;
  }
  std::weak_ptr<const ObjectRef> only;
  if (key.reference != 0) only = attempt.ref.weak_from_this();
  channels_.push_back({key, std::move(*opened), std::move(only)});
  return channels_.back().channel.get();
}

// Private connections outlive their references by as long as their threads connect to nothing else.
void ThreadChannels::close_unused() {
  const auto unused = [](const Owned& owned) {
    return owned.key.reference != 0 && owned.reference.expired() && !owned.channel->busy();
  };
  for (auto found = std::ranges::find_if(channels_, unused); found != channels_.end();
       found = std::ranges::find_if(channels_, unused))
    discard(*found->channel);
}

// Other references that lead there would be bound in the same way.
bool ThreadChannels::is_common(const Attempt& attempt, const Route& route) {
  const CallPolicies& policies = attempt.policies;
  const OrbCore& core = *attempt.ref.core();
  const auto& both_ways = core.bidirectional;
  return core.controls.all().empty() && !attempt.ref.overrides() && !policies.protocols &&
         !policies.private_connection && !policies.bidirectional && !(both_ways && both_ways->accepts()) &&
         !route.server->by_priority;
}

ClientChannel* ThreadChannels::reach(const Way& way, Attempt& attempt) {
  const Route& route = *way.route;
  const auto band = route.server->by_priority ? route.server->band_for(priority_) : std::nullopt;
  if (route.server->by_priority && !band) throw_no_band(priority_.value_or(0));
  if (band && way.address->serves != *band) return nullptr;
  std::optional<Route::Address> special;
  OrbCore& core = *attempt.ref.core();
  const Route::Address& address =
      address_of(way, marks_of(core, way, priority_, quality_row()), core, special);
  ClientChannel* const channel = channel_to(route, address, attempt);
  if (!channel) return nullptr;
  if (way.lite_alone && (!channel->names() || channel->names()->refused()))
    throw_no_lite(channel->describe());
  return channel;
}

Binding& ThreadChannels::connect(ObjectRef& ref, Binding& binding) {
  OrbCore& core = *ref.core();
  if (core.down()) throw_orb_down();
  const auto now = CallPolicies::Clock::now();
  const bool repeated = std::exchange(repeated_, false);
  const auto since = repeated ? now - lost_time_ : now;
  Unreached unreached;
  for (;;) {
    const std::uint32_t generation = core.generation();
    Attempt connecting = attempt(ref, since);
    std::shared_ptr<const Target> target = ref.target();
    if (target->routes.empty()) {
      ref.restore();  // if it was forwarded there; the next call asks the original again
      throw_no_usable_profile(core, target->ior);
    }
    const auto ways = allowed_ways_to(core, *target, connecting.policies.protocols.get());
    for (const Way& way : ways) {
      if (&way != ways.data() && CallPolicies::Clock::now() >= connecting.deadline) {
        connecting.unreached.timed_out = true;
        break;
      }
      ClientChannel* const channel = reach(way, connecting);
      if (!channel) continue;
      Bindings::replace(binding, {.serial = ref.serial(),
                                  .generation = generation,
                                  .special = quality_ || connecting.policies.any(),
                                  .lite_alone = way.lite_alone,
                                  .channel = channel,
                                  .timeout = core.options.round_trip_timeout,
                                  .policies = connecting.policies});
      binding.lead_to(*way.route, std::move(target));
      if (&way == &ways.front() && is_common(connecting, *way.route)) remember(core, way, binding);
      return binding;
    }
    unreached.note(connecting.unreached);
    lost_time_ = CallPolicies::Clock::now() - since;
    const bool late = repeated && CallPolicies::Clock::now() >= connecting.deadline;
    // A forwarded place that can't be reached: ask the original again, with this call or the next one.
    if (!ref.restore() || late) throw_unreachable(unreached);
  }
}

void ThreadChannels::use_priority(std::optional<giop::Priority> priority) {
  if (priority == priority_) return;
  priority_ = priority;
  use_bindings();
}

void ThreadChannels::use_quality(const Quality* quality) {
  const Key before = key();
  quality_ = quality;
  if (key() != before) use_bindings();
}

std::uint8_t ThreadChannels::quality_row() const {
  return quality_ ? marking_row(quality_->communication, quality_->importance) : 0;
}

void ThreadChannels::use_bindings() {
  const Key wanted = key();
  if (wanted == usual) {
    bindings_ = &usual_bindings_;
    return;
  }
  for (const auto& [known, bindings] : special_bindings_)
    if (known == wanted) {
      bindings_ = bindings.get();
      return;
    }
  if (special_bindings_.size() < most_kinds) {
    bindings_ = special_bindings_.emplace_back(wanted, std::make_unique<Bindings>()).second.get();
    return;
  }
  auto& [kind, bindings] = special_bindings_[next_forgotten_++ % most_kinds];
  kind = wanted;
  bindings->forget();  // and not the channels that they lead to
  bindings_ = bindings.get();
}

void ThreadChannels::forget(const ClientChannel* channel) {
  usual_bindings_.forget(channel);
  for (auto& [key, bindings] : special_bindings_) bindings->forget(channel);
}

void ThreadChannels::use_overrides(std::shared_ptr<const Overrides> overrides) {
  overrides_ = std::move(overrides);
  forget();
}

void ThreadChannels::discard(ClientChannel& channel) {
  forget(&channel);
  std::erase_if(channels_, [&](const Owned& owned) { return owned.channel.get() == &channel; });
}

}  // namespace takt::connection
