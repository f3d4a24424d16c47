// The policies of object adapters (CORBA 3.0.3, 11.3.7).
#pragma once

#include <cstdint>

#include <takt/reference/local_object.h>
#include <takt/reference/policy.h>
#include <takt/standard/PortableServerC.h>

namespace PortableServer {

// A policy with a single value.
template <class Value, CORBA::PolicyType Type>
class ValuePolicy final : public virtual CORBA::Policy, public virtual CORBA::LocalObject {
 public:
  using _ref_type = CORBA::object_reference<ValuePolicy>;
  explicit ValuePolicy(Value value) : value_(value) {}
  Value value() const { return value_; }
  CORBA::PolicyType policy_type() override { return Type; }
  CORBA::object_reference<CORBA::Policy> copy() override {
    return CORBA::object_reference<CORBA::Policy>(std::make_shared<ValuePolicy>(value_));
  }

 private:
  const Value value_;
};

// SINGLE_THREAD_MODEL: one upcall of the adapter at a time. It runs in the ORB thread that has the request,
// or in the caller's for a collocated call, at the request's priority. The running thread inherits the
// priority of waiting ones; the most urgent is next. It may itself call objects of the adapter.
// MAIN_THREAD_MODEL is the same.
using ThreadPolicy = ValuePolicy<ThreadPolicyValue, THREAD_POLICY_ID>;
using LifespanPolicy = ValuePolicy<LifespanPolicyValue, LIFESPAN_POLICY_ID>;
using IdUniquenessPolicy = ValuePolicy<IdUniquenessPolicyValue, ID_UNIQUENESS_POLICY_ID>;
using IdAssignmentPolicy = ValuePolicy<IdAssignmentPolicyValue, ID_ASSIGNMENT_POLICY_ID>;
using ImplicitActivationPolicy = ValuePolicy<ImplicitActivationPolicyValue, IMPLICIT_ACTIVATION_POLICY_ID>;
using ServantRetentionPolicy = ValuePolicy<ServantRetentionPolicyValue, SERVANT_RETENTION_POLICY_ID>;
using RequestProcessingPolicy = ValuePolicy<RequestProcessingPolicyValue, REQUEST_PROCESSING_POLICY_ID>;

}  // namespace PortableServer
