#include "rt_events/service/event_channel_service.h"

#include <utility>

#include "rt_events/service/servants.h"

namespace takt::rt_events {
namespace {

constexpr const char* channel_key = "EventService";
constexpr const char* state_key = "TaktRtEvents";

Adapters make_adapters(CORBA::ORB& orb) {
  using namespace PortableServer;
  const auto root = IDL::traits<POA>::narrow(orb.resolve_initial_references("RootPOA"));
  const auto own_ids = root->create_id_assignment_policy(IdAssignmentPolicyValue::USER_ID);
  const auto lasting = root->create_lifespan_policy(LifespanPolicyValue::PERSISTENT);
  return {.fixed = root->create_POA("RtEventChannel", root->the_POAManager(), {own_ids, lasting}),
          .proxies = root->create_POA("RtEventProxies", root->the_POAManager(), {own_ids}),
          .gateways =
              root->create_POA("RtEventGateways", root->the_POAManager(),
                               {root->create_id_uniqueness_policy(IdUniquenessPolicyValue::MULTIPLE_ID)})};
}

void activate(PortableServer::POA& adapter, const std::string& id,
              const CORBA::servant_reference<PortableServer::Servant>& servant) {
  adapter.activate_object_with_id({id.begin(), id.end()}, servant);
}

// Another process may have a proxy adapter with the same key, but no proxy with the same number.
bool has_proxy(const ServantParts& parts, const CORBA::object_reference<CORBA::Object>& proxy) {
  try {
    ProxyId id = 0;
    const PortableServer::ObjectId octets = parts.adapters.proxies->reference_to_id(proxy);
    for (const std::uint8_t octet : octets) id = id << 8 | octet;
    return parts.proxies->has(id);
  } catch (const PortableServer::POA::WrongAdapter&) {
    return false;
  }
}

}  // namespace

struct EventChannelService::Made : ServantParts {
  CORBA::servant_reference<StateServant> state;
  bool is_scheduled = false;
};

std::expected<std::unique_ptr<EventChannelService>, std::string> EventChannelService::start(
    CORBA::object_reference<CORBA::ORB> orb, EventChannelServiceOptions options) {
  try {
    return make(orb, std::move(options));
  } catch (const CORBA::Exception& failure) {  // an ORB that ends, or that has such a service
    return std::unexpected(std::string(failure.what()));
  }
}

std::expected<std::unique_ptr<EventChannelService>, std::string> EventChannelService::make(
    const CORBA::object_reference<CORBA::ORB>& orb, EventChannelServiceOptions options) {
  options.channel.encodes = true;
  auto channel = EventChannel::start(orb, options.channel);
  if (!channel) return std::unexpected(std::move(channel.error()));
  auto made = std::make_unique<Made>();
  made->adapters = make_adapters(*orb);
  made->destroyed = std::move(options.destroyed);
  made->is_scheduled = options.declarations.consumer_connects != nullptr;
  const auto deactivate = [adapter = made->adapters.proxies](ProxyId id) {
    try {
      adapter->deactivate_object(object_id_of(id));
    } catch (const PortableServer::POA::ObjectNotActive&) {  // it is being made
    } catch (const CORBA::SystemException&) {                // the ORB ends
    }
  };
  made->proxies = std::make_unique<Proxies>(orb, *std::move(channel), options, deactivate);
  for (const std::string& peer : options.peers)
    made->gateways.push_back(std::make_unique<Gateway>(
        *orb, *made->adapters.gateways, made->proxies->channel(), peer, options.limits,
        [proxies = made->proxies.get()] { return proxies->kinds(Declared::subscriptions); },
        [parts = made.get()](const auto& proxy) { return has_proxy(*parts, proxy); }, options.report));
  made->proxies->on_subscriptions([parts = made.get()] {
    for (const auto& gateway : parts->gateways) gateway->changed();
  });
  made->state = CORBA::make_reference<StateServant>(*made);
  PortableServer::POA& fixed = *made->adapters.fixed;
  activate(fixed, channel_id, CORBA::make_reference<ChannelServant>(*made));
  activate(fixed, consumers_id, CORBA::make_reference<ConsumerAdminServant>(*made));
  activate(fixed, suppliers_id, CORBA::make_reference<SupplierAdminServant>(*made));
  activate(fixed, state_id, made->state);
  std::unique_ptr<EventChannelService> service(new EventChannelService(std::move(made)));
  orb->register_object_key(channel_key, service->reference());
  orb->register_object_key(state_key, fixed_reference<Takt::RtEvents::Service>(fixed, state_id));
  return service;
}

EventChannelService::EventChannelService(std::unique_ptr<Made> parts) : parts_(std::move(parts)) {}
EventChannelService::~EventChannelService() { stop(); }

EventChannelService::ChannelRef EventChannelService::reference() const {
  return fixed_reference<RtecEventChannelAdmin::EventChannel>(*parts_->adapters.fixed, channel_id);
}

EventChannel& EventChannelService::channel() const { return parts_->proxies->channel(); }

bool EventChannelService::is_scheduled() const { return parts_->is_scheduled; }

Takt::RtEvents::State EventChannelService::look(std::uint32_t most_clients) const {
  return parts_->state->look(most_clients);
}

void EventChannelService::show_datagrams(std::function<Takt::RtEvents::DatagramCounts()> counts) {
  const std::lock_guard lock(parts_->shown_mutex);
  parts_->datagrams = std::move(counts);
}

void EventChannelService::show_rings(std::function<Takt::RtEvents::RingsState(std::uint32_t)> rings) {
  const std::lock_guard lock(parts_->shown_mutex);
  parts_->rings = std::move(rings);
}

void EventChannelService::stop() {
  for (const auto& gateway : parts_->gateways) gateway->stop();
  parts_->proxies->stop();
}

}  // namespace takt::rt_events
