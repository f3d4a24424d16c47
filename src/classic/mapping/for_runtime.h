// Code of the application's that the runtime calls.
#pragma once

#include <takt/classic/servant_manager.h>
#include <takt/classic/system_exceptions.h>

#include "classic/bridge/failures.h"
#include "classic/mapping/asked.h"

namespace takt {
namespace classic {

// Runs the action, whose exceptions become those of the runtime.
template <class Action>
auto for_runtime(Action action) -> decltype(action()) {
  try {
    return action();
  } catch (const PortableServer::ForwardRequest& forward) {
    forward_in_runtime(forward.forward_reference->_takt_reference());
  } catch (const CORBA::SystemException& failure) {
    throw_in_runtime(failure._rep_id(), failure.minor(), failure.completed(), failure._text());
  } catch (const CORBA::Exception& exception) {
    throw_in_runtime("IDL:omg.org/CORBA/UNKNOWN:1.0", not_listed_minor, CORBA::COMPLETED_MAYBE,
                     exception._rep_id());
  }
}

}  // namespace classic
}  // namespace takt
