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
  Made(CORBA::object_reference<CORBA::ORB> of_orb, const Limits& limits)
      : orb(std::move(of_orb)), registry(*orb, limits), adapters(make_adapters(*orb)), references(adapters) {}

  std::expected<ChannelPtr, Registry::ChannelFault> make_channel(
      const std::string& name, const CosNotification::QoSProperties& qos,
      const CosNotification::AdminProperties& admin) {
    if (name == factory_key || name == state_key) return std::unexpected(Refusal::name_taken);
    auto made = registry.make_channel(name, qos, admin);
    if (made && !name.empty()) orb->register_object_key(name, references.of(**made));
    return made;
  }

  const CORBA::object_reference<CORBA::ORB> orb;
  Registry registry;
  const Adapters adapters;
  const References references;
};

std::unique_ptr<NotificationService> NotificationService::start(CORBA::object_reference<CORBA::ORB> orb,
                                                                const Limits& limits) {
  auto made = std::make_unique<Made>(orb, limits);
  const Adapters& adapters = made->adapters;
  adapters.state->set_servant(CORBA::make_reference<StateServant>(made->registry, adapters));
  adapters.factory->set_servant(CORBA::make_reference<FactoryServant>(
      made->registry, adapters, [parts = made.get()](const auto& name, const auto& qos, const auto& admin) {
        return parts->make_channel(name, qos, admin);
      }));
  set_filter_servants(made->registry, adapters);
  set_admin_servants(made->registry, adapters);
  set_proxy_servants(made->registry, adapters);
  std::unique_ptr<NotificationService> service(new NotificationService(std::move(made)));
  orb->register_object_key(factory_key, service->factory());
  orb->register_object_key(state_key, events::reference_in<Takt::Notification::Service>(*adapters.state, 1));
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

void NotificationService::stop() { parts_->registry.stop(); }

}  // namespace takt::notification
