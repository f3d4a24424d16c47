// Exceptions of requests as interceptors see them.
#pragma once

#include <exception>
#include <string>

#include <takt/interceptors/request_info.h>

namespace takt::interceptors {

CORBA::Any any_of(const CORBA::SystemException& exception);
// UNKNOWN (OMG minor 1), for a user exception whose type is not known.
CORBA::Any any_of_unknown();

// An exception that an interceptor has thrown.
struct Thrown {
  // The object to which it forwards the request; nil for exceptions.
  CORBA::object_reference<CORBA::Object> forward;
  // The system exception, or the one in place of another that it must not throw.
  std::exception_ptr exception;
};
// The exception that is being handled. `may_forward`: the point allows ForwardRequest. `completed`: the
// status of an exception that takes the place of one that the point does not allow.
Thrown thrown_by_interceptor(bool may_forward, CORBA::CompletionStatus completed);
// The status that a point may throw if `outcome`, a system exception, is what it sees (21.3.6.6, 21.3.9.6).
CORBA::CompletionStatus completion_of(const std::exception_ptr& outcome);

}  // namespace takt::interceptors
