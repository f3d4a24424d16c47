// Which failures of a call mean that the other side does not answer.
#pragma once

#include <takt/corba.h>

namespace takt::trading {

template <class... Exceptions>
bool is_one_of(const CORBA::SystemException& failure) {
  return (dynamic_cast<const Exceptions*>(&failure) || ...);
}

// Other exceptions come from an object that is there, and perhaps refuses this one call.
inline bool says_silence(const CORBA::SystemException& failure) {
  return is_one_of<CORBA::TRANSIENT, CORBA::COMM_FAILURE, CORBA::TIMEOUT, CORBA::NO_RESPONSE,
                   CORBA::OBJECT_NOT_EXIST>(failure);
}

}  // namespace takt::trading
