#include "interceptors/ior/ior_info.h"

#include <algorithm>

#include "adapter/poa/adapter_tree.h"
#include "interceptors/common/adapter_policies.h"
#include "interceptors/ior/adapter_template.h"
#include "reference/profiles.h"

namespace takt::interceptors {

namespace {

bool has_profile(const adapter::PoaCore& poa, IOP::ProfileId tag) {
  const auto where = poa.policies.publication(-1);
  const auto profiles = reference::make_profiles(poa.tree.references, {}, where ? &*where : nullptr);
  return std::ranges::any_of(profiles, [&](const cdr::TaggedProfile& one) { return one.tag == tag; });
}

[[noreturn]] void throw_at_this_point(const char* why) {
  throw CORBA::BAD_INV_ORDER(CORBA::omg_minor(14), CORBA::COMPLETED_NO, why);
}

}  // namespace

const adapter::PoaCore& IorInfo::poa() const {
  if (!poa_)
    throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO,
                                  "an IORInfo is only for the functions of IOR interceptors");
  return *poa_;
}

AddedComponents& IorInfo::added() const {
  (void)poa();
  if (established_) throw_at_this_point("the adapter's components are established");
  return form_->components;
}

const adapter::PoaCore& IorInfo::established_poa() const {
  const adapter::PoaCore& present = poa();
  if (!established_) throw_at_this_point("the adapter's components are not established yet");
  return present;
}

CORBA::object_reference<CORBA::Policy> IorInfo::get_effective_policy(CORBA::PolicyType type) {
  auto found = effective_policy(poa(), type);
  if (!found && !is_adapter_policy(type) && !orb_->factories.contains(type))
    throw CORBA::INV_POLICY(CORBA::omg_minor(3), CORBA::COMPLETED_NO,
                            "neither the ORB's adapters nor a policy factory have policies of this type");
  return found;
}

void IorInfo::add_ior_component(const IOP::TaggedComponent& component) {
  added().in_all.push_back(component);
}

void IorInfo::add_ior_component_to_profile(const IOP::TaggedComponent& component, IOP::ProfileId profile_id) {
  AddedComponents& all = added();
  if (!has_profile(poa(), profile_id))
    throw CORBA::BAD_PARAM(CORBA::omg_minor(29), CORBA::COMPLETED_NO,
                           "references to objects of the adapter have no profile with this tag");
  all.in_some.push_back({profile_id, component});
}

PortableInterceptor::AdapterManagerId IorInfo::manager_id() { return poa().manager->number(); }
PortableInterceptor::AdapterState IorInfo::state() {
  return static_cast<PortableInterceptor::AdapterState>(poa().manager->state());
}

CORBA::valuetype_reference<PortableInterceptor::ObjectReferenceTemplate> IorInfo::adapter_template() {
  return CORBA::valuetype_reference<PortableInterceptor::ObjectReferenceTemplate>(
      std::make_shared<AdapterTemplate>(established_poa(), orb_->orb_id, orb_->server_id));
}
CORBA::valuetype_reference<PortableInterceptor::ObjectReferenceFactory> IorInfo::current_factory() {
  const auto own = adapter_template();
  if (form_->factory) return form_->factory;
  return own;
}
void IorInfo::current_factory(
    CORBA::valuetype_reference<PortableInterceptor::ObjectReferenceFactory> factory) {
  (void)established_poa();
  if (!factory) throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "a null factory of references");
  form_->factory = std::move(factory);
}

}  // namespace takt::interceptors
