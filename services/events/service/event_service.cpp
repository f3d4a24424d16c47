#include "events/service/event_service.h"

#include <utility>

#include "events/service/adapters.h"
#include "events/service/channel_servants.h"
#include "events/service/factory_servant.h"
#include "events/service/proxy_servants.h"
#include "events/service/state_servant.h"

namespace takt::events {
namespace {

constexpr const char* factory_key = "omniEvents";
constexpr const char* state_key = "TaktEvents";

}  // namespace

struct EventService::Made {
  Made(CORBA::object_reference<CORBA::ORB> of_orb, const Options& options, std::unique_ptr<Journal> journal)
      : orb(std::move(of_orb)),
        registry(*orb, options.limits, std::move(journal)),
        adapters(make_adapters(*orb)) {}

  ChannelRef reference_of(const Channel& channel) const {
    return reference_in<omniEvents::EventChannel>(*adapters.channels, channel.id());
  }
  std::expected<ChannelRef, Refusal> make_channel(ChannelSettings settings) {
    if (settings.name == factory_key || settings.name == state_key)
      return std::unexpected(Refusal::name_taken);
    const auto made = registry.make_channel(std::move(settings));
    if (!made) return std::unexpected(made.error());
    register_name(**made);
    return reference_of(**made);
  }
  void register_name(const Channel& channel) { registry.register_name(channel, reference_of(channel)); }
  ChannelRef channel(const std::string& name) const {
    const auto found = registry.channel(name);
    return found ? reference_of(*found) : nullptr;
  }
  ServiceState look(std::size_t most_proxies) const;
  void set_servants(const Limits& limits);

  const CORBA::object_reference<CORBA::ORB> orb;
  Registry registry;
  const Adapters adapters;
};

ServiceState EventService::Made::look(std::size_t most_proxies) const {
  ServiceState state;
  for (const auto& channel : registry.channels()) state.channels.push_back(channel->look(most_proxies));
  state.proxies = registry.proxies();
  state.queued_bytes = registry.parts().memory.used_bytes();
  state.waiting_pulls = registry.parts().waiting_pulls;
  state.threads = registry.parts().dispatcher.counts();
  return state;
}

void EventService::Made::set_servants(const Limits& limits) {
  adapters.state->set_servant(CORBA::make_reference<StateServant>(
      [this](std::size_t most_proxies) { return look(most_proxies); }, *orb));
  adapters.factory->set_servant(CORBA::make_reference<FactoryServant>(
      [this](ChannelSettings settings) { return make_channel(std::move(settings)); },
      [this](const std::string& name) { return channel(name); }, limits));
  adapters.channels->set_servant(CORBA::make_reference<ChannelServant>(registry, adapters));
  adapters.consumer_admins->set_servant(CORBA::make_reference<ConsumerAdminServant>(registry, adapters));
  adapters.supplier_admins->set_servant(CORBA::make_reference<SupplierAdminServant>(registry, adapters));
  adapters.of(ProxyKind::push_consumer)
      ->set_servant(CORBA::make_reference<PushConsumerServant>(registry, adapters));
  adapters.of(ProxyKind::pull_consumer)
      ->set_servant(CORBA::make_reference<PullConsumerServant>(registry, adapters));
  adapters.of(ProxyKind::push_supplier)
      ->set_servant(CORBA::make_reference<PushSupplierServant>(registry, adapters));
  adapters.of(ProxyKind::pull_supplier)
      ->set_servant(CORBA::make_reference<PullSupplierServant>(registry, adapters));
}

std::expected<std::unique_ptr<EventService>, std::string> EventService::start(
    CORBA::object_reference<CORBA::ORB> orb, Options options) {
  std::unique_ptr<Store> store;
  Stored stored;
  if (!options.store.empty()) {
    auto opened = Store::open(options.store);
    if (!opened) return std::unexpected(std::move(opened.error()));
    auto read = opened->read();
    if (!read) return std::unexpected(options.store + ": " + read.error());
    stored = std::move(*read);
    store = std::make_unique<Store>(std::move(*opened));
  }
  auto made =
      std::make_unique<Made>(orb, options, std::make_unique<Journal>(std::move(store), options.report));
  made->registry.restore(stored);
  for (const auto& channel : made->registry.channels()) made->register_name(*channel);
  made->set_servants(options.limits);
  std::unique_ptr<EventService> service(new EventService(std::move(made)));
  orb->register_object_key(factory_key, service->factory());
  orb->register_object_key(state_key,
                           reference_in<Takt::Events::Service>(*service->parts_->adapters.state, 1));
  orb->register_initial_reference("EventChannelFactory", service->factory());
  return service;
}

EventService::EventService(std::unique_ptr<Made> parts) : parts_(std::move(parts)) {}
EventService::~EventService() = default;

CORBA::object_reference<omniEvents::EventChannelFactory> EventService::factory() const {
  return reference_in<omniEvents::EventChannelFactory>(*parts_->adapters.factory, 1);
}

std::expected<EventService::ChannelRef, Refusal> EventService::make_channel(ChannelSettings settings) {
  return parts_->make_channel(std::move(settings));
}

EventService::ChannelRef EventService::channel(const std::string& name) const {
  return parts_->channel(name);
}

ServiceState EventService::look(std::size_t most_proxies) const { return parts_->look(most_proxies); }

void EventService::stop() { parts_->registry.stop(); }

}  // namespace takt::events
