#include "interceptors/init/init_info.h"

#include <algorithm>
#include <utility>

#include "interceptors/common/client_policies.h"

namespace takt::interceptors {

namespace {

using PortableInterceptor::ORBInitInfo;
using PortableInterceptor::ProcessingMode;

template <class Interceptor>
void add(std::vector<Registered<Interceptor>>& all, CORBA::object_reference<Interceptor> interceptor,
         ProcessingMode mode) {
  if (!interceptor) throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "a nil interceptor");
  std::string name = interceptor->name();
  const auto has_name = [&](const Registered<Interceptor>& one) { return one.name == name; };
  if (!name.empty() && std::ranges::any_of(all, has_name)) throw ORBInitInfo::DuplicateName(name);
  all.push_back({std::move(interceptor), std::move(name), mode});
}

ProcessingMode mode_of(const CORBA::PolicyList& policies) {
  ProcessingMode mode = PortableInterceptor::LOCAL_AND_REMOTE;
  for (const auto& policy : policies) {
    const auto of_mode =
        std::dynamic_pointer_cast<PortableInterceptor::ProcessingModePolicy>(policy.shared());
    if (!of_mode)
      throw CORBA::INV_POLICY(0, CORBA::COMPLETED_NO,
                              "interceptors have no other policy than ProcessingModePolicy");
    mode = of_mode->processing_mode();
  }
  return mode;
}

// Whether the ORB makes policies of that type itself.
bool is_own_policy(CORBA::PolicyType type) {
  return type == PortableInterceptor::PROCESSING_MODE_POLICY_TYPE || is_client_policy(type);
}

}  // namespace

const NewOrb& InitInfo::orb() const {
  if (!orb_)
    throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO,
                                  "an ORBInitInfo is only for the functions of initializers");
  return *orb_;
}

CORBA::object_reference<IOP::CodecFactory> InitInfo::codec_factory() {
  return CORBA::make_reference<IOP::CodecFactory>(orb().environment);
}

void InitInfo::register_initial_reference(const std::string& id,
                                          CORBA::object_reference<CORBA::Object> object) {
  const NewOrb& present = orb();
  if (!object) throw CORBA::BAD_PARAM(CORBA::omg_minor(27), CORBA::COMPLETED_NO, "a nil initial reference");
  if (id.empty() || !present.add_initial_reference(id, std::move(object))) throw InvalidName();
}

CORBA::object_reference<CORBA::Object> InitInfo::resolve_initial_references(const std::string& id) {
  const NewOrb& present = orb();
  if (!may_resolve_)
    throw CORBA::BAD_INV_ORDER(CORBA::omg_minor(14), CORBA::COMPLETED_NO,
                               "initial references can be resolved from post_init on");
  try {
    return present.resolve(id);
  } catch (const CORBA::UserException&) {
    throw InvalidName();
  }
}

void InitInfo::add_client_request_interceptor(Client interceptor) {
  add_client_request_interceptor_with_policy(std::move(interceptor), {});
}
void InitInfo::add_server_request_interceptor(Server interceptor) {
  add_server_request_interceptor_with_policy(std::move(interceptor), {});
}
void InitInfo::add_client_request_interceptor_with_policy(Client interceptor,
                                                          const CORBA::PolicyList& policies) {
  (void)orb();
  add(interceptors_->clients, std::move(interceptor), mode_of(policies));
}
void InitInfo::add_server_request_interceptor_with_policy(Server interceptor,
                                                          const CORBA::PolicyList& policies) {
  (void)orb();
  add(interceptors_->servers, std::move(interceptor), mode_of(policies));
}

void InitInfo::add_ior_interceptor(Ior interceptor) {
  add_ior_interceptor_with_policy(std::move(interceptor), {});
}
void InitInfo::add_ior_interceptor_with_policy(Ior interceptor, const CORBA::PolicyList& policies) {
  (void)orb();
  if (!policies.empty())
    throw CORBA::INV_POLICY(0, CORBA::COMPLETED_NO, "interceptors of references have no policies");
  add(interceptors_->iors, std::move(interceptor), PortableInterceptor::LOCAL_AND_REMOTE);
}

PortableInterceptor::SlotId InitInfo::allocate_slot_id() {
  (void)orb();
  return interceptors_->slots++;
}

void InitInfo::register_policy_factory(CORBA::PolicyType type,
                                       CORBA::object_reference<PortableInterceptor::PolicyFactory> factory) {
  (void)orb();
  if (!factory) throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "a nil policy factory");
  if (is_own_policy(type) || !interceptors_->factories.emplace(type, std::move(factory)).second)
    throw CORBA::BAD_INV_ORDER(CORBA::omg_minor(16), CORBA::COMPLETED_NO,
                               "policies of this type have a factory already");
}

}  // namespace takt::interceptors
