#include "classic/bridge/failures.h"

#include <string>

#include <takt/adapter/poa.h>
#include <takt/reference/policy.h>

#include "classic/bridge/runtime.h"

namespace takt::classic {

void rethrow_current() {
  try {
    throw;
  } catch (const CORBA::SystemException& failure) {
    raise_system(failure._rep_id(), failure.minor(), failure.completed(), failure.what());
  } catch (const PortableServer::POA::InvalidPolicy& failure) {
    raise_user(failure._rep_id(), failure.index());
  } catch (const CORBA::PolicyError& failure) {
    raise_user(failure._rep_id(), static_cast<std::uint16_t>(failure.reason()));
  } catch (const CORBA::InvalidPolicies& failure) {
    raise_invalid_policies(failure.indices().data(), failure.indices().size());
  } catch (const CORBA::UserException& failure) {
    raise_user(failure._rep_id(), 0);
  }
}

}  // namespace takt::classic
