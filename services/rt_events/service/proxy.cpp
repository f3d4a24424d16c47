#include "rt_events/service/proxy.h"

#include <algorithm>
#include <utility>

#include "addresses/address_in.h"

namespace takt::rt_events {
namespace {

std::size_t octets_of(const ObjectRef& client) {
  const cdr::Ior ior = addresses::ior_of(client);
  std::size_t octets = ior.type_id.size();
  for (const auto& profile : ior.profiles) octets += profile.data.size();
  return octets;
}

}  // namespace

bool Proxy::is_unused(Clock::time_point now) const {
  const std::lock_guard lock(mutex_);
  return state_ == State::unconnected && now - made_ >= owner_.limits().connect_within;
}

std::shared_ptr<ClientWatch> Proxy::watch() const {
  const std::lock_guard lock(mutex_);
  return has_client() ? watch_ : nullptr;
}

void Proxy::look_after(Clock::time_point now, events::Dispatcher& dispatcher) {
  if (const auto watching = watch()) watching->check_if_silent(now, dispatcher);
}

bool Proxy::is_suspect() const {
  const auto watching = watch();
  return watching && watching->is_suspect();
}

std::expected<void, Refusal> Proxy::reserve(const ObjectRef& client) {
  if (client && octets_of(client) > owner_.limits().reference_bytes)
    return std::unexpected(Refusal::too_long);
  const std::lock_guard lock(mutex_);
  if (state_ == State::ended) return std::unexpected(Refusal::gone);
  const ClientDeclarations& declared = owner_.declarations();
  const bool reconnects =
      owner_.limits().reconnects && !declared.consumer_connects && !declared.supplier_connects;
  if (state_ == State::connected && reconnects)
    state_ = State::reconnecting;
  else if (state_ == State::unconnected)
    state_ = State::connecting;
  else
    return std::unexpected(Refusal::already_connected);
  connecting_address_ = client ? addresses::address_in(addresses::ior_of(client)) : std::string();
  return {};
}

void Proxy::give_back() {
  if (connected_.load()) {
    const std::lock_guard lock(mutex_);
    if (state_ == State::reconnecting) state_ = State::connected;  // with the earlier client
    return;
  }
  if (const auto& ended = owner_.declarations().ended) ended(id_);
  const std::lock_guard lock(mutex_);
  if (state_ == State::connecting) state_ = State::unconnected;
}

bool Proxy::end() { return end(nullptr); }

// While a client connects again, the earlier one may well be dead. If it keeps its place, it is asked again.
bool Proxy::end_if(const ClientWatch& found) { return end(&found); }

bool Proxy::end(const ClientWatch* found) {
  bool was_connected = false;
  {
    const std::lock_guard lock(mutex_);
    if (state_ == State::ended) return false;
    if (found && (state_ == State::reconnecting || !is_present(*found))) return false;
    was_connected = has_client();
    state_ = State::ended;
    connected_.store(false);
  }
  stop();
  if (was_connected) owner_.changed(declares());
  return true;
}

ObjectRef Proxy::client() const {
  const std::lock_guard lock(mutex_);
  return client_;
}

void Proxy::add_kinds(EventKinds& kinds) const {
  const std::lock_guard lock(mutex_);
  if (has_client()) kinds.insert(kinds.end(), kinds_.begin(), kinds_.end());
}

void Proxy::is_dead(const ClientWatch& found) { owner_.is_dead(*this, found); }

ProxyState Proxy::look() const {
  ProxyState state;
  state.is_consumer = is_consumer();
  const std::lock_guard lock(mutex_);
  state.connected = has_client();
  state.answers = !watch_ || !watch_->is_suspect();
  state.address = address_;
  return state;
}

std::expected<EventSubscription, std::string> ConsumerProxy::subscription_of(
    const Dependencies& dependencies) const {
  EventSubscription subscription;
  subscription.name = connecting_address_;
  subscription.held = true;
  subscription.discard = owner_.limits().discard;
  std::optional<std::size_t> level;
  subscription.filter.reserve(dependencies.size());
  for (const auto& each : dependencies) {
    const RtecEventComm::EventHeader& header = each.event().header();
    subscription.filter.push_back({header.type(), header.source(), header.creation_time()});
    if (each.rt_info() == 0) continue;
    const auto own = owner_.level_of(each.rt_info());
    if (!own) return std::unexpected("no level has the rt_info " + std::to_string(each.rt_info()));
    level = std::min(level.value_or(*own), *own);
  }
  if (!level) level = owner_.level_of(0);
  subscription.level = level.value_or(0);
  return subscription;
}

std::expected<void, Refusal> ConsumerProxy::connect(const ObjectRef& consumer,
                                                    const RtecEventChannelAdmin::ConsumerQOS& qos) {
  if (!consumer) return std::unexpected(Refusal::nil);
  if (const auto reserved = reserve(consumer); !reserved) return reserved;
  const Reservation reservation(*this);
  const auto refuse = [&](Refusal refusal, const std::string& why) {
    owner_.refused(*this, connecting_address_, why);
    return std::unexpected(refusal);
  };
  const auto subscription = subscription_of(qos.dependencies());
  if (!subscription) return refuse(Refusal::bad_subscription, subscription.error());
  const auto filter = Filter::parse(subscription->filter, owner_.options().filters);
  if (!filter)
    return refuse(Refusal::bad_subscription, "entry " + std::to_string(filter.error().entry) +
                                                 " of the subscription: " + filter.error().text);
  if (const auto& declare = owner_.declarations().consumer_connects)
    if (const auto why = declare(id(), qos)) return refuse(Refusal::bad_subscription, *why);
  auto remote = std::make_shared<RemoteConsumer>(owner_.orb(), consumer, owner_.limits(), qos.is_gateway(),
                                                 [owner = &owner_] { owner->wake(); });
  auto connection = owner_.channel().connect(remote, *subscription);
  if (!connection) return refuse(Refusal::too_many, connection.error());
  std::unique_ptr<EventConnection> earlier;  // ends without the lock, because that may wait
  const bool done = complete(consumer, remote->object(), [&] {
    if (consumer_) consumer_->detach();
    consumer_ = remote;
    earlier = std::exchange(connection_, *std::move(connection));
    remote->attach(*connection_);
    kinds_ = qos.is_gateway() ? EventKinds() : kinds_accepted_by(*filter);
    apply_suspension();
  });
  if (!done) return std::unexpected(Refusal::gone);
  owner_.wake();  // opens the consumer's connection
  owner_.changed(declares());
  return {};
}

void ConsumerProxy::apply_suspension() {
  if (!connection_) return;
  if (suspended_)
    connection_->suspend();
  else
    connection_->resume();
}

void ConsumerProxy::suspend(bool suspended) {
  const std::lock_guard lock(mutex_);
  suspended_ = suspended;
  apply_suspension();
}

void ConsumerProxy::look_after(Clock::time_point now, events::Dispatcher& dispatcher) {
  bool suspect = false;
  {
    const std::lock_guard lock(mutex_);
    suspect = has_client() && consumer_->is_suspect();
  }
  const auto watching = suspect ? watch() : nullptr;
  if (watching)
    watching->check(dispatcher);
  else
    Proxy::look_after(now, dispatcher);
}

void ConsumerProxy::answers(const ClientWatch& found) {
  const std::lock_guard lock(mutex_);
  if (connection_ && is_present(found)) consumer_->answers();
}

// A question over the connection for events could hold it while an event is sent, which would then go over
// another one and overtake those before it. So it is asked there only while no events are sent.
bool ConsumerProxy::is_held() const {
  const std::lock_guard lock(mutex_);
  return consumer_ && consumer_->is_suspect();
}

void ConsumerProxy::stop() {
  std::unique_ptr<EventConnection> connection;
  {
    const std::lock_guard lock(mutex_);
    if (consumer_) consumer_->detach();
    connection = std::move(connection_);
  }
}

ProxyState ConsumerProxy::look() const {
  ProxyState state = Proxy::look();
  const std::lock_guard lock(mutex_);
  if (!connection_) return state;
  state.answers = state.answers && !consumer_->is_suspect();
  state.events = consumer_->sent();
  state.lost = consumer_->lost();
  state.counts = connection_->counts();
  state.counts.suspended = suspended_;
  return state;
}

std::expected<void, Refusal> SupplierProxy::connect(const ObjectRef& supplier,
                                                    const RtecEventChannelAdmin::SupplierQOS& qos) {
  if (qos.publications().size() > owner_.limits().publications) return std::unexpected(Refusal::too_long);
  if (const auto reserved = reserve(supplier); !reserved) return reserved;
  const Reservation reservation(*this);
  if (const auto& declare = owner_.declarations().supplier_connects)
    if (const auto why = declare(id(), qos)) {
      owner_.refused(*this, connecting_address_, *why);
      return std::unexpected(Refusal::bad_publication);
    }
  EventKinds kinds;
  if (!qos.is_gateway())
    for (const auto& each : qos.publications())
      kinds.emplace_back(each.event().header().type(), each.event().header().source());
  merge(kinds);
  if (!complete(supplier, nullptr, [&] { kinds_ = std::move(kinds); })) return std::unexpected(Refusal::gone);
  owner_.changed(declares());
  return {};
}

void SupplierProxy::push(std::span<const RtecEventComm::Event> events) {
  if (!connected_.load(std::memory_order_acquire)) {
    unconnected_.fetch_add(events.size(), std::memory_order_relaxed);
    return;
  }
  pushed_.fetch_add(events.size(), std::memory_order_relaxed);
  owner_.channel().push(events);
}

ProxyState SupplierProxy::look() const {
  ProxyState state = Proxy::look();
  state.events = pushed_.load();
  state.lost = unconnected_.load();
  return state;
}

}  // namespace takt::rt_events
