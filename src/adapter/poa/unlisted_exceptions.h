// Exceptions of code whose caller expects no user exception, such as a servant manager.
#pragma once

#include <takt/adapter/skeleton.h>

namespace takt::adapter {

// Answers with the current exception; user exceptions become UNKNOWN.
inline void answer_exception(server::ServerCall& call) {
  answer_exception(call, [](server::ServerCall&, const CORBA::UserException&) { return false; });
}

// For local callers: rethrows it, or UNKNOWN in its place.
[[noreturn]] inline void rethrow_as_answered() {
  rethrow_as_answered([](const CORBA::UserException&) { return false; });
}

}  // namespace takt::adapter
