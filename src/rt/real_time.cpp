#include "rt/real_time.h"

#include "rt/poa_priorities.h"

namespace takt::rt {

bool RealTime::knows(CORBA::Policy& policy) const {
  switch (policy.policy_type()) {
    case RTCORBA::PRIORITY_MODEL_POLICY_TYPE:
    case RTCORBA::THREADPOOL_POLICY_TYPE:
    case RTCORBA::PRIORITY_BANDED_CONNECTION_POLICY_TYPE:
    case RTCORBA::SERVER_PROTOCOL_POLICY_TYPE:
      return true;
    default:
      return false;
  }
}

std::shared_ptr<adapter::PoaExtension> RealTime::extend(const CORBA::PolicyList& policies) {
  return make_poa_priorities(priorities_, pools_, policies);
}

}  // namespace takt::rt
