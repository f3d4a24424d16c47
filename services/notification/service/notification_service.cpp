#include "notification/service/notification_service.h"

#include <utility>

#include "notification/service/access.h"
#include "notification/service/factory_servant.h"
#include "notification/service/set_servants.h"
#include "notification/service/state_servant.h"

namespace takt::notification {
namespace {

constexpr const char* factory_key = "NotifyEventChannelFactory";
constexpr const char* state_key = "TaktNotification";

}  // namespace

struct NotificationService::Made {
  Made(CORBA::object_reference<CORBA::ORB> of_orb, const Limits& limits,
       std::unique_ptr<Persistence> persistence)
      : orb(std::move(of_orb)),
        registry(*orb, limits, std::move(persistence)),
        adapters(make_adapters(*orb)),
        references(adapters) {}

  std::expected<ChannelPtr, Registry::ChannelFault> make_channel(
      const std::string& name, const CosNotification::QoSProperties& qos,
      const CosNotification::AdminProperties& admin) {
    if (name == factory_key || name == state_key) return std::unexpected(Refusal::name_taken);
    auto made = registry.make_channel(name, qos, admin);
    if (made) register_name(**made);
    return made;
  }
  void register_name(const Channel& channel) { registry.register_name(channel, references.of(channel)); }
  void set_servants();
  void restore(const StoredObjects& objects) {
    keeps_environment <<= ObjectRef(references.factory());
    registry.restore(objects, keeps_environment._environment(), damaged);
    for (const ChannelPtr& channel : registry.channels()) register_name(*channel);
  }

  const CORBA::object_reference<CORBA::ORB> orb;
  Registry registry;
  const Adapters adapters;
  const References references;
  CORBA::Any keeps_environment;  // holds a reference, so that its environment stays
  std::vector<std::string> damaged;
};

void NotificationService::Made::set_servants() {
  adapters.state->set_servant(CORBA::make_reference<StateServant>(registry, adapters));
  adapters.factory->set_servant(CORBA::make_reference<FactoryServant>(
      registry, adapters, [this](const auto& name, const auto& qos, const auto& admin) {
        return make_channel(name, qos, admin);
      }));
  set_filter_servants(registry, adapters);
  set_admin_servants(registry, adapters);
  set_proxy_servants(registry, adapters);
}

std::unique_ptr<NotificationService> NotificationService::start(CORBA::object_reference<CORBA::ORB> orb,
                                                                const Limits& limits) {
  return *start(std::move(orb), Options{.limits = limits});
}

std::expected<std::unique_ptr<NotificationService>, std::string> NotificationService::start(
    CORBA::object_reference<CORBA::ORB> orb, Options options) {
  std::unique_ptr<Persistence> persistence;
  StoredObjects stored;
  options.limits.persistent = !options.store.empty();
  if (options.limits.persistent) {
    auto opened = Store::open(options.store);
    if (!opened) return std::unexpected(std::move(opened.error()));
    auto read = opened->read();
    if (!read) return std::unexpected(options.store + ": " + read.error());
    stored = std::move(*read);
    persistence = std::make_unique<Persistence>(std::move(*opened), std::move(options.report));
  }
  auto made = std::make_unique<Made>(orb, options.limits, std::move(persistence));
  made->set_servants();
  if (options.limits.persistent) made->restore(stored);
  std::unique_ptr<NotificationService> service(new NotificationService(std::move(made)));
  const PoaRef& state = service->parts_->adapters.state;
  orb->register_object_key(factory_key, service->factory());
  orb->register_object_key(state_key, events::reference_in<Takt::Notification::Service>(*state, 1));
  orb->register_initial_reference(factory_key, service->factory());
  return service;
}

NotificationService::NotificationService(std::unique_ptr<Made> parts) : parts_(std::move(parts)) {}
NotificationService::~NotificationService() = default;

CORBA::object_reference<NotifyMonitoringExt::EventChannelFactory> NotificationService::factory() const {
  return parts_->references.factory();
}

std::expected<NotificationService::ChannelRef, Registry::ChannelFault> NotificationService::make_channel(
    const std::string& name, const CosNotification::QoSProperties& qos,
    const CosNotification::AdminProperties& admin) {
  const auto made = parts_->make_channel(name, qos, admin);
  if (!made) return std::unexpected(made.error());
  return parts_->references.of(**made);
}

NotificationService::ChannelRef NotificationService::channel(const std::string& name) const {
  const auto found = parts_->registry.channel(name);
  return found ? parts_->references.of(*found) : nullptr;
}

const std::vector<std::string>& NotificationService::damaged() const { return parts_->damaged; }

void NotificationService::stop() { parts_->registry.stop(); }

}  // namespace takt::notification
