// The object of Takt::Admin::Orb (idl/Takt_Admin.idl).
#pragma once

#include "admin/observation.h"
#include "orb/runtime/runtime.h"
#include "server/pipeline/dispatcher.h"

namespace takt::admin {

// The only object at the admin endpoints, so it is reached although the ORB's adapters hold requests or all
// its threads are busy. Any thread.
class AdminObject final : public server::Dispatcher {
 public:
  // Both must outlive it. `changes`: clients may change options.
  AdminObject(orb::Runtime& runtime, const Observation& observation, bool changes)
      : runtime_(runtime), observation_(observation), changes_(changes) {}

  void dispatch(server::ServerCall& call) noexcept override;
  reference::LocateAnswer locate(ByteView object_key) noexcept override;
  reference::LocalAnswer call_local(const OperationId& operation, void* arguments,
                                    const ByteView& object_key) override;

 private:
  void run(server::ServerCall& call);
  void get_option(server::ServerCall& call);
  void set_option(server::ServerCall& call);

  orb::Runtime& runtime_;
  const Observation& observation_;
  const bool changes_;
};

}  // namespace takt::admin
