#include "client/thread_channels.h"

#include <algorithm>

#include "base/event_log.h"
#include "base/owned_by_thread.h"
#include "client/candidates.h"
#include "client/channel/failure.h"
#include "client/client.h"
#include "os/time/time_share.h"
#include "reference/local_roads.h"
#include "reference/policies/call_marking.h"
#include "reference/policies/overrides.h"

namespace takt::client {

ThreadChannels& ThreadChannels::begin() {
  static const bool forgets_at_fork = (os::call_in_forked_children([] { mine_ = nullptr; }), true);
  static_cast<void>(forgets_at_fork);
  // Allocated, since thread-local storage is reserved in every thread, including server threads.
  auto* const channels = new ThreadChannels();
  detail::at_thread_exit(&end, channels);
  mine_ = channels;
  return *channels;
}

void ThreadChannels::end(void* ended) noexcept {
  mine_ = nullptr;  // calls later in the thread's exit begin anew
  std::unique_ptr<ThreadChannels> channels(static_cast<ThreadChannels*>(ended));
  if (channels->process_ != os::process_number()) (void)channels.release();
}

ThreadChannels::ThreadChannels() {
  context_.set_follower(this);
  bindings_.use(kind());
}

namespace {

reference::CallPolicies::Clock::time_point connect_deadline(const reference::CallPolicies& policies,
                                                            const Quality* quality,
                                                            reference::CallPolicies::Clock::time_point now) {
  const auto of_call = std::min(policies.reply_deadline(now), policies.request_deadline(now));
  const auto of_connect = std::min(reference::CallPolicies::after(now, policies.connect_within), of_call);
  return quality ? std::min(of_connect, quality->deadline) : of_connect;
}

// The address with the changes that the policy and the marks require. `changed` holds the changed copy.
const reference::Route::Address& address_of(const Candidate& candidate, const reference::MarkingInputs& marks,
                                            Client& client,
                                            std::optional<reference::Route::Address>& changed) {
  changed = changed_address(client, candidate, marks);
  return changed ? *changed : *candidate.address;
}

// The candidates that may stand in for the first: those of other servers, and those for the same priorities.
[[gnu::cold, gnu::noinline]] std::size_t count_substitutes(std::span<const Candidate> candidates) {
  const Candidate& first = candidates.front();
  std::size_t count = 0;
  for (const Candidate& other : candidates)
    if (other.route != first.route || other.address->serves == first.address->serves) ++count;
  return count;
}

[[gnu::cold, noreturn]] void throw_not_connected(const reference::References& references,
                                                 const ConnectFailures& why) {
  if (references.down()) throw_orb_down();
  throw_unreachable(why);
}

// The parent and its child would write into one connection.
[[gnu::cold, noreturn]] void throw_of_other_process() {
  throw CORBA::BAD_INV_ORDER(0, CORBA::COMPLETED_NO,
                             "the ORB belongs to the process that forked this one: call ORB_init here");
}

}  // namespace

// Set in the connection id of a key. Ids count up from 1 and never reach it; bidirectional connections have
// the bits above.
constexpr std::uint64_t of_asynchronous_calls = std::uint64_t{1} << 61;

bool ThreadChannels::has_channel(const reference::ConnectionKey& key) const {
  return std::ranges::any_of(
      channels_, [&](const Owned& owned) { return owned.key == key && !owned.channel->broken(); });
}

reference::CallPolicies ThreadChannels::policies_of(const reference::ObjectRef& ref) const {
  reference::CallPolicies policies;
  policies.connect_within = client_of(*ref.references()).options.connect_timeout;
  if (const auto of_orb = ref.references()->overrides()) of_orb->apply_to(policies);
  if (const auto of_thread = context_.overrides()) of_thread->apply_to(policies);
  if (ref.overrides()) ref.overrides()->apply_to(policies);
  return policies;
}

void ThreadChannels::refuse_to_reconnect(const Attempt& attempt, const reference::ConnectionKey& key) const {
  if (attempt.allows_reconnecting() || has_channel(key)) return;
  const auto is_open = [this](const reference::ConnectionKey& one) { return has_channel(one); };
  if (reconnect_rules_.has_lost_one(attempt.ref, is_open)) throw_not_reconnected();
}

void ThreadChannels::note_connected(const Attempt& attempt, const reference::ConnectionKey& key) {
  if (!attempt.allows_reconnecting()) reconnect_rules_.note(attempt.ref, key);
}

Binding& ThreadChannels::bind_explicitly(reference::ObjectRef& ref) {
  reconnect_rules_.allow(ref);
  Binding& binding = bind(ref);
  connecting_since_ = reference::CallPolicies::never;  // no call follows at once
  return binding;
}

void ThreadChannels::connect_all_bands(reference::ObjectRef& ref) {
  const Binding& binding = bind_explicitly(ref);
  const reference::Route& route = *binding.route;
  if (!route.server->propagates_priority) return;  // one connection serves all its calls
  const auto target = binding.target;              // keeps `route` alive
  Attempt connecting = attempt(ref, reference::CallPolicies::Clock::now());
  const auto candidates =
      allowed_candidates_of(*ref.references(), *target, connecting.policies.protocols.get());
  if (!route.server->by_priority) return connect_marked(route, candidates, connecting);
  std::vector<giop::PriorityBand> reached;
  const auto missing = [&](const Candidate& candidate) {
    return candidate.route == &route &&
           std::ranges::find(reached, candidate.address->serves) == reached.end();
  };
  for (std::span<const Candidate> left(candidates); !left.empty(); left = left.subspan(1))
    if (missing(left.front()) && reaches(left, context_.priority(), connecting))
      reached.push_back(left.front().address->serves);
  if (std::ranges::any_of(candidates, missing)) throw_not_connected(*ref.references(), connecting.unreached);
}

// Opens one connection for each marking that the thread's priorities can lead to.
void ThreadChannels::connect_marked(const reference::Route& route, const std::vector<Candidate>& candidates,
                                    Attempt& connecting) {
  for (const giop::Priority priority :
       marked_from(client_of(*connecting.ref.references()), candidates.front())) {
    std::span<const Candidate> left(candidates);
    while (!left.empty() && !(left.front().route == &route && reaches(left, priority, connecting)))
      left = left.subspan(1);
    if (left.empty()) throw_not_connected(*connecting.ref.references(), connecting.unreached);
  }
}

bool ThreadChannels::reaches(std::span<const Candidate> candidates, std::optional<giop::Priority> priority,
                             Attempt& connecting) {
  const Candidate& candidate = candidates.front();
  connecting.untried = count_substitutes(candidates);
  Client& client = client_of(*connecting.ref.references());
  reconnect_rules_.allow(connecting.ref);
  std::optional<reference::Route::Address> changed;
  const reference::Route::Address& address =
      address_of(candidate, marks_of(client, candidate, priority, quality_row()), client, changed);
  return has_channel(connecting.key_for(address)) ||
         channel_to(*candidate.route, address, connecting) != nullptr;
}

Binding& ThreadChannels::rebind(reference::ObjectRef& ref, Binding& binding) {
  if (held_back_) {
    held_back_->let_go();
    return bind(ref);
  }
  if (ref.references()->options.probed) return bind_probed(ref, binding);
  if (!bindings_.current().bind_by_copy(ref, binding)) return bind_anew(ref, binding);
  repeated_ = false;
  return binding;
}

[[gnu::noinline]] Binding& ThreadChannels::bind_anew(reference::ObjectRef& ref, Binding& binding) {
  Binding& own = bindings_.is_missing() ? bindings_.find_missing().of(ref) : binding;
  return ref.references()->connections.marks_calls() ? bind_marked(ref, own) : connect(ref, own);
}

// The priority that determines the marking of the thread's connections to that server, or not_marked.
std::int32_t ThreadChannels::marked_by(const reference::References& references,
                                       const reference::ServerRoute& server) const {
  if (references.connections.marking.empty()) return Bindings::not_marked;
  return server.priority_of(context_.priority()).value_or(Bindings::not_marked);
}

void ThreadChannels::remember(const reference::References& references, const Candidate& candidate,
                              const Binding& binding) {
  const std::uint64_t id = candidate.address->connection_id;
  if (references.connections.marks_calls())
    bindings_.current().remember_marked(references, id, marked_by(references, *candidate.route->server),
                                        binding);
  else
    bindings_.current().remember(references, id, binding);
}

// `binding` serves calls of any quality until the thread first calls an ORB that marks by quality.
Binding& ThreadChannels::bind_marked(reference::ObjectRef& ref, Binding& binding) {
  const reference::References& references = *ref.references();
  const bool by_quality =
      std::exchange(marks_quality_, marks_quality_ || references.connections.marks_quality);
  if (by_quality != marks_quality_) {
    bindings_.use(kind());
    return bind_anew(ref, bindings_.current().of(ref));
  }
  const auto marked = [&](const reference::ServerRoute& server) { return marked_by(references, server); };
  if (!bindings_.current().bind_marked_by_copy(ref, binding, marked)) return connect(ref, binding);
  repeated_ = false;
  return binding;
}

Binding& ThreadChannels::bind_probed(reference::ObjectRef& ref, Binding& binding) {
  StepLog& steps = *client_of(*ref.references()).steps;
  steps.begin(Step::client_get_reference);
  const bool fits = binding.serial == ~ref.serial() && binding.generation == ref.generation() &&
                    !binding.channel->busy() && !binding.channel->broken();
  Binding* bound = &binding;
  try {
    if (!fits) {
      bound = &bind_anew(ref, binding);
      bound->serial = ~ref.serial();
    }
  } catch (...) {
    steps.begin(Step::client_done);
    throw;
  }
  steps.begin(Step::client_initialize);
  return *bound;
}

// The connection strategy and key: a feature's if one applies, else the usual ones. A feature's connections
// may end by themselves; those are discarded first, so that no call of this thread finds them broken.
ConnectionOverride::KeyedStrategy ThreadChannels::connection_for(const reference::Route& route,
                                                                 const reference::Route::Address& address,
                                                                 Attempt& attempt) {
  Client& client = client_of(*attempt.ref.references());
  ConnectionOverride::KeyedStrategy as_usual{client.strategy.get(), attempt.key_for(address)};
  if (strategy_) {
    as_usual.strategy = strategy_;
    as_usual.key.connection_id |= of_asynchronous_calls;
  }
  for (ConnectionOverride* const other : client.connection_overrides) {
    const auto replacement =
        other->connection_for(route, address, as_usual.key, attempt.policies.bidirectional);
    if (!replacement) continue;
    for (std::size_t i = channels_.size(); i-- > 0;)
      if (ClientChannel& channel = *channels_[i].channel; channel.gone() && !channel.busy()) discard(channel);
    return *replacement;
  }
  return as_usual;
}

ThreadChannels::Attempt ThreadChannels::attempt(reference::ObjectRef& ref,
                                                reference::CallPolicies::Clock::time_point since,
                                                reference::CallPolicies::Clock::time_point by) const {
  const reference::CallPolicies policies = policies_of(ref);
  return {.ref = ref,
          .policies = policies,
          .deadline = std::min(connect_deadline(policies, context_.quality(), since), by)};
}

// Each of many addresses has more than an even share, since most of them answer or refuse at once.
[[gnu::cold]] reference::CallPolicies::Clock::time_point ThreadChannels::Attempt::end_of_share() const {
  constexpr std::size_t most_shares = 4;
  return os::end_of_share(deadline, reference::CallPolicies::Clock::now(), std::min(untried, most_shares));
}

ClientChannel* ThreadChannels::channel_to(const reference::Route& route,
                                          const reference::Route::Address& address, Attempt& attempt) {
  const auto connection = connection_for(route, address, attempt);
  const reference::ConnectionKey& key = connection.key;
  for (const Owned& owned : channels_)
    if (owned.key == key && !owned.channel->busy() && !owned.channel->broken()) {
      note_connected(attempt, key);
      return moved_to_road(*owned.channel, connection, address, attempt);
    }
  refuse_to_reconnect(attempt, key);
  close_unused();
  if (channels_.size() >= sweep_from_) close_ended();
  Client& client = client_of(*attempt.ref.references());
  if (!client.process.claim() && connection.strategy->may_share()) throw_of_other_process();
  auto opened = connection.strategy->open(client, address, key, attempt.end_of_share());
  if (!opened) {
    attempt.unreached.note(opened.error());
    return nullptr;
  }
  note_connected(attempt, key);
  return add(key, std::move(*opened), attempt);
}

ClientChannel* ThreadChannels::add(const reference::ConnectionKey& key, std::unique_ptr<ClientChannel> opened,
                                   const Attempt& attempt) {
  if (takes(client_of(*attempt.ref.references()).log.get(), LogEvent::octets_left))
    opened->watch_octets_left();
  std::weak_ptr<const reference::ObjectRef> only;
  if (key.reference != 0) only = attempt.ref.weak_from_this();
  channels_.push_back({key, std::move(opened), std::move(only)});
  return channels_.back().channel.get();
}

// Calls bind again when a road was prepared, since that begins a generation of the ORB.
ClientChannel* ThreadChannels::moved_to_road(ClientChannel& idle,
                                             const ConnectionOverride::KeyedStrategy& connection,
                                             const reference::Route::Address& address, Attempt& attempt) {
  const reference::References& references = *attempt.ref.references();
  if (!address.road || !references.roads || !references.roads->has_led_to(*address.road, address.endpoint) ||
      !idle.may_leave_tcp())
    return &idle;
  // The reply to the next call settles the other channel's oneways, if the call goes by that.
  if (ClientChannel* const other = with_open_oneway(idle, connection.key))
    return other->busy() ? &idle : other;
  auto opened = connection.strategy->leave_tcp(client_of(references), address, connection.key);
  if (!opened) return &idle;
  discard(idle);
  return add(connection.key, std::move(opened), attempt);
}

// Another channel of the thread that is on the same connection, with a oneway that might be overtaken; null
// if there is none.
ClientChannel* ThreadChannels::with_open_oneway(const ClientChannel& idle,
                                                const reference::ConnectionKey& key) const {
  const void* const connection = idle.connection_identity();
  const auto stays = [&](const Owned& owned) {
    const ClientChannel& other = *owned.channel;
    return &other != &idle && owned.key == key && !other.broken() &&
           (other.busy() || !other.may_leave_tcp()) && other.connection_identity() == connection;
  };
  const auto found = std::ranges::find_if(channels_, stays);
  return found == channels_.end() ? nullptr : found->channel.get();
}

// Private connections outlive their references until their thread opens another connection.
void ThreadChannels::close_unused() {
  const auto unused = [](const Owned& owned) {
    return owned.key.reference != 0 && owned.reference.expired() && !owned.channel->busy();
  };
  for (auto found = std::ranges::find_if(channels_, unused); found != channels_.end();
       found = std::ranges::find_if(channels_, unused))
    discard(*found->channel);
}

// No call may notice that a server has gone whose address is not used any more. The number of channels at
// which this happens grows with those that are in use, so that it costs little for each.
void ThreadChannels::close_ended() {
  for (std::size_t i = channels_.size(); i-- > 0;)
    if (ClientChannel& channel = *channels_[i].channel; !channel.busy() && channel.ended()) discard(channel);
  sweep_from_ = std::max(least_sweep, 2 * channels_.size());
}

// Whether any other reference to the same address would be bound in the same way.
bool ThreadChannels::is_common(const Attempt& attempt, const reference::Route& route) {
  const reference::CallPolicies& policies = attempt.policies;
  const reference::References& references = *attempt.ref.references();
  return references.controls.all().empty() && !attempt.ref.overrides() && !policies.protocols &&
         attempt.allows_reconnecting() && !policies.private_connection && !policies.bidirectional &&
         !route.server->by_priority &&
         std::ranges::none_of(client_of(references).connection_overrides,
                              [](const ConnectionOverride* other) { return other->may_apply_to_any(); });
}

ClientChannel* ThreadChannels::reach(std::span<const Candidate> candidates, Attempt& attempt) {
  const Candidate& candidate = candidates.front();
  const reference::Route& route = *candidate.route;
  const auto band = route.server->by_priority ? route.server->band_for(context_.priority()) : std::nullopt;
  if (route.server->by_priority && !band) throw_no_band(context_.priority().value_or(0));
  if (band && candidate.address->serves != *band) return nullptr;
  attempt.untried = count_substitutes(candidates);
  std::optional<reference::Route::Address> changed;
  Client& client = client_of(*attempt.ref.references());
  const reference::Route::Address& address =
      address_of(candidate, marks_of(client, candidate, context_.priority(), quality_row()), client, changed);
  ClientChannel* const channel = channel_to(route, address, attempt);
  if (!channel) return nullptr;
  if (candidate.lite_only && (!channel->names() || channel->names()->refused()))
    throw_no_lite(channel->describe());
  return channel;
}

ThreadChannels::Reached ThreadChannels::reach_one(const std::vector<Candidate>& candidates,
                                                  Attempt& attempt) {
  for (std::span<const Candidate> left(candidates); !left.empty(); left = left.subspan(1)) {
    if (left.size() != candidates.size() && reference::CallPolicies::Clock::now() >= attempt.deadline) {
      attempt.unreached.timed_out = true;
      break;
    }
    if (ClientChannel* const channel = reach(left, attempt)) return {&left.front(), channel};
  }
  return {};
}

Binding& ThreadChannels::connect(reference::ObjectRef& ref, Binding& binding) {
  reference::References& references = *ref.references();
  if (references.down()) throw_orb_down();
  const auto now = reference::CallPolicies::Clock::now();
  const bool repeated = std::exchange(repeated_, false);
  const auto since = repeated ? now - lost_time_ : now;
  const auto by = repeated ? reissued_by_ : reference::CallPolicies::never;
  ConnectFailures unreached;
  // Bounded, for other threads may have the reference forwarded again and again.
  for (std::uint32_t round = 0;; ++round) {
    const std::uint32_t generation = references.generation();
    Attempt connecting = attempt(ref, since, by);
    std::shared_ptr<const reference::Target> target = ref.target();
    if (target->routes.empty()) {
      ref.restore(*target);  // if it was forwarded there, the next call asks the original target
      throw_no_usable_profile(references, target->ior);
    }
    const auto candidates = allowed_candidates_of(references, *target, connecting.policies.protocols.get());
    if (const auto [reached, channel] = reach_one(candidates, connecting); reached) {
      Bindings::replace(binding, {.serial = ref.serial(),
                                  .generation = generation,
                                  .has_policies = context_.quality() || connecting.policies.any(),
                                  .lite_only = reached->lite_only,
                                  .channel = channel,
                                  .timeout = client_of(references).options.round_trip_timeout,
                                  .policies = connecting.policies});
      binding.set_route(*reached->route, std::move(target));
      connecting_since_ = binding.has_policies ? since : reference::CallPolicies::never;
      if (reached == &candidates.front() && is_common(connecting, *reached->route))
        remember(references, *reached, binding);
      return binding;
    }
    unreached.note(connecting.unreached);
    lost_time_ = reference::CallPolicies::Clock::now() - since;
    const bool late = repeated && reference::CallPolicies::Clock::now() >= connecting.deadline;
    // A forwarded target that cannot be reached: try the original again, with this call or the next one.
    const bool has_another = ref.restore(*target);
    if (!has_another || late || round == client_of(references).options.max_redirections)
      throw_not_connected(references, unreached);
    lost_target_ = unreached.tried;
  }
}

void ThreadChannels::priority_or_quality_changed() {
  let_go();
  bindings_.use(kind());
}

std::uint8_t ThreadChannels::quality_row() const {
  const Quality* const quality = context_.quality();
  return quality ? reference::marking_row(quality->communication, quality->importance) : 0;
}

void ThreadChannels::discard(ClientChannel& channel) {
  bindings_.forget(&channel);
  std::erase_if(channels_, [&](const Owned& owned) { return owned.channel.get() == &channel; });
}

}  // namespace takt::client
