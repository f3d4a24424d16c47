// The IORInfo of a new adapter.
#pragma once

#include <takt/interceptors/ior_interceptor.h>

#include "adapter/poa/poa_core.h"
#include "interceptors/common/orb_interceptors.h"
#include "interceptors/ior/added_components.h"

namespace takt::interceptors {

class IorInfo final : public PortableInterceptor::IORInfo {
 public:
  // All must outlive end().
  IorInfo(const OrbInterceptors& orb, const adapter::PoaCore& poa, AdapterForm& form)
      : orb_(&orb), poa_(&poa), form_(&form) {}

  // components_established begins.
  void components_established() { established_ = true; }
  void end() { poa_ = nullptr; }

  CORBA::object_reference<CORBA::Policy> get_effective_policy(CORBA::PolicyType type) override;
  void add_ior_component(const IOP::TaggedComponent& component) override;
  void add_ior_component_to_profile(const IOP::TaggedComponent& component,
                                    IOP::ProfileId profile_id) override;
  PortableInterceptor::AdapterManagerId manager_id() override;
  PortableInterceptor::AdapterState state() override;
  CORBA::valuetype_reference<PortableInterceptor::ObjectReferenceTemplate> adapter_template() override;
  CORBA::valuetype_reference<PortableInterceptor::ObjectReferenceFactory> current_factory() override;
  void current_factory(
      CORBA::valuetype_reference<PortableInterceptor::ObjectReferenceFactory> factory) override;

 private:
  // Throws OBJECT_NOT_EXIST after end().
  const adapter::PoaCore& poa() const;
  // Throw BAD_INV_ORDER (OMG minor 14) too.
  AddedComponents& added() const;
  const adapter::PoaCore& established_poa() const;

  const OrbInterceptors* orb_;
  const adapter::PoaCore* poa_;
  AdapterForm* const form_;
  bool established_ = false;
};

}  // namespace takt::interceptors
