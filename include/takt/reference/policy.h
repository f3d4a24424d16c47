// Policies: settings of an ORB, an adapter or a reference that an application makes (CORBA 3.0.3, 4.8).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <takt/reference/object.h>
#include <takt/standard/CORBA_policiesC.h>

namespace CORBA {

// Immutable, so any number of threads and owners may share a policy.
class Policy : public virtual Object {
 public:
  using _ref_type = object_reference<Policy>;
  virtual PolicyType policy_type() = 0;
  virtual object_reference<Policy> copy() = 0;
  virtual void destroy() {}

  static const std::string& _interface_repository_id() {
    static const std::string id = "IDL:omg.org/CORBA/Policy:1.0";
    return id;
  }
};
using PolicyList = std::vector<object_reference<Policy>>;

}  // namespace CORBA
