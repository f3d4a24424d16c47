#include "ifr/service/interface_repository.h"

#include <utility>

#include <takt/corba.h>

#include "adapters/adapters.h"
#include "ifr/service/core.h"
#include "ifr/service/servants.h"

namespace takt::ifr {

struct InterfaceRepository::Parts {
  Core core;
};

std::expected<std::unique_ptr<InterfaceRepository>, std::string> InterfaceRepository::start(
    CORBA::object_reference<CORBA::ORB> orb, const Options& options) {
  using namespace PortableServer;
  auto store = Store::open(options.store);
  if (!store) return std::unexpected(std::move(store.error()));
  const auto root = IDL::traits<POA>::narrow(orb->resolve_initial_references("RootPOA"));
  const auto current = IDL::traits<Current>::narrow(orb->resolve_initial_references("POACurrent"));
  std::unique_ptr<Parts> parts(new Parts{Core(std::move(*store), options.limits, orb, current)});
  const auto poa = adapter_without_objects(*root, "InterfaceRepository", LifespanPolicyValue::PERSISTENT,
                                           RequestProcessingPolicyValue::USE_SERVANT_MANAGER);
  parts->core.set_poa(poa);
  poa->set_servant_manager(make_locator(parts->core));
  std::unique_ptr<InterfaceRepository> repository(new InterfaceRepository(std::move(parts)));
  orb->register_object_key("InterfaceRepository", repository->reference());
  orb->register_initial_reference("InterfaceRepository", repository->reference());
  return repository;
}

InterfaceRepository::InterfaceRepository(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
InterfaceRepository::~InterfaceRepository() = default;

CORBA::object_reference<Takt::Reflection::Repository> InterfaceRepository::reference() const {
  return IDL::traits<Takt::Reflection::Repository>::unchecked_narrow(
      parts_->core.container(repository_number));
}

}  // namespace takt::ifr
