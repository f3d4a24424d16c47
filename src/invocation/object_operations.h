// The operations of CORBA::Object as remote calls.
#pragma once

#include "reference/references.h"

namespace takt::invocation {

// Any thread. Each blocks up to the round-trip timeout and throws the call's system exceptions (CORBA 8.3).
class RemoteObjectOperations final : public reference::ObjectOperations {
 public:
  bool is_a(const CORBA::Object& target, std::string_view repository_id) override;
  bool non_existent(const CORBA::Object& target) override;
  std::string repository_id(const CORBA::Object& target) override;
  CORBA::object_reference<CORBA::Object> component(const CORBA::Object& target) override;
};

}  // namespace takt::invocation
