#include "naming/service/federation.h"

#include <chrono>

namespace takt::naming {

Federation::Place::Place(Federation& of) : of_(of) {
  if (of_.under_way_.fetch_add(1) < of_.limits_.federated_calls) return;
  --of_.under_way_;
  throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO, "too many calls to other naming services are pending");
}

CORBA::object_reference<CORBA::Object> Federation::bounded(
    const CORBA::object_reference<CORBA::Object>& context) const {
  using Unit = std::chrono::duration<TimeBase::TimeT, std::ratio<1, 10'000'000>>;
  const auto limit = std::chrono::duration_cast<Unit>(limits_.federated_timeout);
  return context->_set_policy_overrides(
      {IDL::traits<Messaging::RelativeRoundtripTimeoutPolicy>::make_reference(limit.count())},
      CORBA::SetOverrideType::ADD_OVERRIDE);
}

}  // namespace takt::naming
