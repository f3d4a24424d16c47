// Helpers of the files of this folder.
#pragma once

#include <utility>

#include <takt/interceptors/interceptors.h>
#include <takt/reference/local_object.h>
#include <takt/reference/policy.h>

#include "classic/bridge/runtime.h"
#include "classic/bridge/types.h"
#include "classic_interceptors/bridge/interceptors_bridge.h"

namespace takt::classic::interceptors {

// The object as T. BAD_PARAM if it is another.
template <class T>
T& as(Reference& reference) {
  if (auto* const object = dynamic_cast<T*>(reference.object().get())) return *object;
  throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "the object is of another type");
}

// Runs the action, whose exceptions become those of this header.
template <class Action>
auto asking(Action action) -> decltype(action()) {
  try {
    return action();
  } catch (const PortableInterceptor::ORBInitInfo::DuplicateName& duplicate) {
    throw Raised{duplicate._rep_id(), duplicate.name(), 0};
  } catch (const IOP::CodecFactory::UnsupportedCodeset& unsupported) {
    throw Raised{unsupported._rep_id(), {}, unsupported.codeset()};
  } catch (const CORBA::UserException& raised) {
    throw Raised{raised._rep_id(), {}, 0};
  } catch (const CORBA::SystemException&) {
    rethrow_current();
  }
}

// A policy of the application's.
class PolicyHost final : public virtual CORBA::Policy, public virtual CORBA::LocalObject {
 public:
  PolicyHost(CORBA::object_reference<CORBA::Object> held, CORBA::PolicyType type)
      : object(std::move(held)), type_(type) {}
  CORBA::PolicyType policy_type() override { return type_; }
  CORBA::object_reference<CORBA::Policy> copy() override {
    return CORBA::make_reference<PolicyHost>(object, type_);
  }
  const CORBA::object_reference<CORBA::Object> object;

 private:
  const CORBA::PolicyType type_;
};
inline Reference* refer_to_policy(const CORBA::object_reference<CORBA::Policy>& policy) {
  auto* const host = dynamic_cast<PolicyHost*>(policy.get());
  return host ? refer(host->object) : refer(policy);
}

class TemplateHandle {
 public:
  const CORBA::valuetype_reference<PortableInterceptor::ObjectReferenceFactory> factory;
};

inline AnyHandle* handle_of(CORBA::Any any) { return new AnyHandle(std::move(any)); }
inline CORBA::Any any_of(AnyHandle* handle) { return handle ? handle->any : CORBA::Any(); }

}  // namespace takt::classic::interceptors
