// The initial references that an ORB has itself. Each is made when a program first asks for it.
#include <memory>
#include <utility>

#include <takt/adapter/poa.h>
#include <takt/reference/messaging.h>
#include <takt/rt/periodic.h>
#include <takt/rt/rtcorba.h>

#include "dynamic/any/dyn_any_factory.h"
#include "interceptors/codec/codec_factory.h"
#include "orb/runtime/ior_table_maker.h"
#include "orb/runtime/runtime.h"
#include "reference/orb_policy_manager.h"

namespace takt::orb {

void Runtime::add_built_in_references() {
  const auto add = [this](const char* name, InitialReferences::Maker maker) {
    initial_references_.add_built_in(name, std::move(maker));
  };
  add("RootPOA", [this]() -> Reference {
    server_.listen();
    const auto root = parts_->object_adapter.tree().root();
    return root ? Reference(root->reference()) : Reference();
  });
  add("POACurrent", [] { return Reference(CORBA::make_reference<PortableServer::Current>()); });
  add("POAManagerFactory", [this] {
    return Reference(CORBA::make_reference<PortableServer::POAManagerFactory>(parts_->references.shared(),
                                                                              parts_->object_adapter.tree()));
  });
  add("ORBPolicyManager", [this] {
    return Reference(CORBA::make_reference<reference::OrbPolicyManager>(parts_->references.shared()));
  });
  add("PolicyCurrent", [] { return Reference(CORBA::make_reference<CORBA::PolicyCurrent>()); });
  add("RTORB", [this] { return Reference(CORBA::make_reference<RTCORBA::RTORB>(parts_->real_time)); });
  add("RTCurrent", [this] { return Reference(CORBA::make_reference<RTCORBA::Current>(parts_->real_time)); });
  add_scheduling_references();
  add_optional_references();
}

void Runtime::add_scheduling_references() {
  const auto schedule = [this] {
    return std::shared_ptr<rt::OperationSchedule>(parts_, &parts_->operation_schedule);
  };
  initial_references_.add_built_in("RunTimeScheduler", [schedule] {
    return Reference(CORBA::make_reference<rt::RunTimeScheduler>(schedule()));
  });
  initial_references_.add_built_in("PeriodicDispatcher", [schedule] {
    return Reference(CORBA::make_reference<rt::PeriodicDispatcher>(schedule()));
  });
  if (server_.filters())
    initial_references_.add_built_in("ThreadingFramework", [this] {
      return Reference(CORBA::make_reference<ThreadingFramework>(server_.filters()));
    });
}

// References to parts that a program may leave out.
void Runtime::add_optional_references() {
  using FactoryMaker = Reference (*)(cdr::Environment*);
  const std::pair<const char*, FactoryMaker> factories[] = {
      {"DynAnyFactory", dynamic::make_dyn_any_factory}, {"CodecFactory", interceptors::make_codec_factory}};
  for (const auto& [name, maker] : factories)
    if (maker)
      initial_references_.add_built_in(name, [this, make = maker] { return make(&parts_->decoding); });
  if (make_ior_table)
    initial_references_.add_built_in("IORTable", [this] {
      return make_ior_table(
          std::shared_ptr<adapter::KeyAliases>(parts_, &parts_->object_adapter.resolver.aliases),
          parts_->references.orb);
    });
}

}  // namespace takt::orb
