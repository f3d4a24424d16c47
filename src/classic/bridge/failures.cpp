#include "classic/bridge/failures.h"

#include <string>

#include <takt/adapter/poa.h>

#include "classic/bridge/runtime.h"

namespace takt::classic {

void rethrow_current() {
  try {
    throw;
  } catch (const CORBA::SystemException& failure) {
    raise_system(failure._rep_id(), failure.minor(), failure.completed(), failure.what());
  } catch (const PortableServer::POA::InvalidPolicy& failure) {
    raise_user(failure._rep_id(), failure.index());
  } catch (const CORBA::UserException& failure) {
    raise_user(failure._rep_id(), 0);
  }
}

}  // namespace takt::classic
