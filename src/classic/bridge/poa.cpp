// The runtime's adapters for the classic mapping.
#include <takt/adapter/poa.h>

#include "classic/bridge/memory.h"
#include "classic/bridge/orb_bridge.h"
#include "classic/bridge/runtime.h"
#include "classic/bridge/servant_host.h"

namespace takt::classic::poa {

namespace {

namespace ps = PortableServer;

template <class T>
T& as(Reference& reference) {
  if (T* const object = dynamic_cast<T*>(reference.object().get())) return *object;
  throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "the object is of another type");
}
template <class T>
CORBA::object_reference<T> typed(Reference* reference) {
  return reference ? IDL::traits<T>::narrow(reference->object()) : CORBA::object_reference<T>();
}

// The application's servant, with a reference of its own.
classic::Servant* own_servant(const CORBA::servant_reference<ps::Servant>& servant) {
  auto* const host = dynamic_cast<ServantHost*>(servant.get());
  if (!host)
    throw CORBA::OBJ_ADAPTER(
        0, CORBA::COMPLETED_NO,
        "the object's servant is of the IDL to C++11 mapping, which has no Servant here");
  host->servant()._takt_add_ref();
  return &host->servant();
}

// Stands for a servant that no adapter and no upcall has.
class InactiveServant : public ps::Servant {};

}  // namespace

Reference* create_poa(Reference& poa, const char* name, Reference* manager,
                      const std::vector<Reference*>& policies) {
  return translating([&] {
    CORBA::PolicyList list;
    for (Reference* policy : policies) list.push_back(typed<CORBA::Policy>(policy));
    return refer(as<ps::POA>(poa).create_POA(name, typed<ps::POAManager>(manager), list));
  });
}
Reference* find_poa(Reference& poa, const char* name, bool activate_it) {
  return translating([&] { return refer(as<ps::POA>(poa).find_POA(name, activate_it)); });
}
void destroy(Reference& poa, bool etherealize_objects, bool wait_for_completion) {
  translating([&] { as<ps::POA>(poa).destroy(etherealize_objects, wait_for_completion); });
}
std::string the_name(Reference& poa) {
  return translating([&] { return as<ps::POA>(poa).the_name(); });
}
Reference* the_parent(Reference& poa) {
  return translating([&] { return refer(as<ps::POA>(poa).the_parent()); });
}
Reference* the_manager(Reference& poa) {
  return translating([&] { return refer(as<ps::POA>(poa).the_POAManager()); });
}

Reference* create_policy(Reference& reference, std::uint32_t type, std::uint32_t value) {
  return translating([&]() -> Reference* {
    auto& poa = as<ps::POA>(reference);
    switch (type) {
      case ps::THREAD_POLICY_ID:
        return refer(poa.create_thread_policy(static_cast<ps::ThreadPolicyValue>(value)));
      case ps::LIFESPAN_POLICY_ID:
        return refer(poa.create_lifespan_policy(static_cast<ps::LifespanPolicyValue>(value)));
      case ps::ID_UNIQUENESS_POLICY_ID:
        return refer(poa.create_id_uniqueness_policy(static_cast<ps::IdUniquenessPolicyValue>(value)));
      case ps::ID_ASSIGNMENT_POLICY_ID:
        return refer(poa.create_id_assignment_policy(static_cast<ps::IdAssignmentPolicyValue>(value)));
      case ps::IMPLICIT_ACTIVATION_POLICY_ID:
        return refer(
            poa.create_implicit_activation_policy(static_cast<ps::ImplicitActivationPolicyValue>(value)));
      case ps::SERVANT_RETENTION_POLICY_ID:
        return refer(
            poa.create_servant_retention_policy(static_cast<ps::ServantRetentionPolicyValue>(value)));
      default:
        return refer(
            poa.create_request_processing_policy(static_cast<ps::RequestProcessingPolicyValue>(value)));
    }
  });
}
std::uint32_t policy_type(Reference& policy) {
  return translating([&] { return as<CORBA::Policy>(policy).policy_type(); });
}
std::uint32_t policy_value(Reference& reference) {
  return translating([&]() -> std::uint32_t {
    switch (as<CORBA::Policy>(reference).policy_type()) {
      case ps::THREAD_POLICY_ID:
        return static_cast<std::uint32_t>(as<ps::ThreadPolicy>(reference).value());
      case ps::LIFESPAN_POLICY_ID:
        return static_cast<std::uint32_t>(as<ps::LifespanPolicy>(reference).value());
      case ps::ID_UNIQUENESS_POLICY_ID:
        return static_cast<std::uint32_t>(as<ps::IdUniquenessPolicy>(reference).value());
      case ps::ID_ASSIGNMENT_POLICY_ID:
        return static_cast<std::uint32_t>(as<ps::IdAssignmentPolicy>(reference).value());
      case ps::IMPLICIT_ACTIVATION_POLICY_ID:
        return static_cast<std::uint32_t>(as<ps::ImplicitActivationPolicy>(reference).value());
      case ps::SERVANT_RETENTION_POLICY_ID:
        return static_cast<std::uint32_t>(as<ps::ServantRetentionPolicy>(reference).value());
      default:
        return static_cast<std::uint32_t>(as<ps::RequestProcessingPolicy>(reference).value());
    }
  });
}

classic::Servant* get_servant(Reference& poa) {
  return translating([&] { return own_servant(as<ps::POA>(poa).get_servant()); });
}
void set_servant(Reference& poa, classic::Servant& servant) {
  translating([&] { as<ps::POA>(poa).set_servant(host_of(servant)); });
}
Octets activate_object(Reference& poa, classic::Servant& servant) {
  return translating([&] { return as<ps::POA>(poa).activate_object(host_of(servant)); });
}
void activate_object_with_id(Reference& poa, const Octets& id, classic::Servant& servant) {
  translating([&] { as<ps::POA>(poa).activate_object_with_id(id, host_of(servant)); });
}
void deactivate_object(Reference& poa, const Octets& id) {
  translating([&] { as<ps::POA>(poa).deactivate_object(id); });
}
Reference* create_reference(Reference& poa, const char* repository_id) {
  return translating([&] { return refer(as<ps::POA>(poa).create_reference(repository_id)); });
}
Reference* create_reference_with_id(Reference& poa, const Octets& id, const char* repository_id) {
  return translating([&] { return refer(as<ps::POA>(poa).create_reference_with_id(id, repository_id)); });
}
Octets servant_to_id(Reference& poa, classic::Servant& servant) {
  return translating([&] { return as<ps::POA>(poa).servant_to_id(host_of(servant)); });
}
Reference* servant_to_reference(Reference& poa, classic::Servant& servant) {
  return translating([&] { return refer(as<ps::POA>(poa).servant_to_reference(host_of(servant))); });
}
classic::Servant* reference_to_servant(Reference& poa, Reference* reference) {
  return translating(
      [&] { return own_servant(as<ps::POA>(poa).reference_to_servant(object_of(reference))); });
}
Octets reference_to_id(Reference& poa, Reference* reference) {
  return translating([&] { return as<ps::POA>(poa).reference_to_id(object_of(reference)); });
}
classic::Servant* id_to_servant(Reference& poa, const Octets& id) {
  return translating([&] { return own_servant(as<ps::POA>(poa).id_to_servant(id)); });
}
Reference* id_to_reference(Reference& poa, const Octets& id) {
  return translating([&] { return refer(as<ps::POA>(poa).id_to_reference(id)); });
}
Octets string_to_id(const char* text) { return ps::string_to_ObjectId(text); }
std::string id_to_string(const Octets& id) {
  return translating([&] { return ps::ObjectId_to_string(id); });
}

void change_manager(Reference& reference, Change change, bool etherealize_objects, bool wait_for_completion) {
  translating([&] {
    auto& manager = as<ps::POAManager>(reference);
    switch (change) {
      case Change::activate:
        return manager.activate();
      case Change::hold:
        return manager.hold_requests(wait_for_completion);
      case Change::discard:
        return manager.discard_requests(wait_for_completion);
      case Change::deactivate:
        return manager.deactivate(etherealize_objects, wait_for_completion);
    }
  });
}
std::uint32_t manager_state(Reference& manager) {
  return translating([&] { return static_cast<std::uint32_t>(as<ps::POAManager>(manager).get_state()); });
}
std::string manager_id(Reference& manager) {
  return translating([&] { return as<ps::POAManager>(manager).get_id(); });
}

Reference* current_poa(Reference& current) {
  return translating([&] { return refer(as<ps::Current>(current).get_POA()); });
}
Octets current_object_id(Reference& current) {
  return translating([&] { return as<ps::Current>(current).get_object_id(); });
}
Reference* current_reference(Reference& current) {
  return translating([&] { return refer(as<ps::Current>(current).get_reference()); });
}
classic::Servant* current_servant(Reference& current) {
  return translating([&] { return own_servant(as<ps::Current>(current).get_servant()); });
}
Reference* default_poa(classic::Servant& servant) {
  return translating([&] {
    // No host is made: the servant may be in its destructor, and a host holds a reference of its servant.
    CORBA::servant_reference<ps::Servant> asked = present_host_of(servant);
    if (!asked) asked = CORBA::make_reference<InactiveServant>();
    return refer(asked->ps::Servant::_default_POA());
  });
}

}  // namespace takt::classic::poa
