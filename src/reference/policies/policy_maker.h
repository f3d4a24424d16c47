// Policies that the application makes.
#pragma once

#include <takt/cdr/any.h>
#include <takt/reference/policy.h>

namespace takt::reference {

// Any thread.
class PolicyMaker {
 public:
  // Nil if it does not know the type. Throws PolicyError.
  virtual CORBA::object_reference<CORBA::Policy> create_policy(CORBA::PolicyType type,
                                                               const CORBA::Any& value) = 0;
  // The ORB ends. Call once, when no request is in progress.
  virtual void destroy() noexcept = 0;

 protected:
  ~PolicyMaker() = default;
};

}  // namespace takt::reference
