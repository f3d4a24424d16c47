// The minor codes of the exceptions that calls throw when no server answers.
#pragma once

#include <cstdint>

#include <takt/cdr/exception.h>

namespace takt {

// For programs that expect another ORB's. Exceptions that a server has raised keep their codes.
struct FailureCodes {
  std::uint32_t timed_out = 0;                      // TIMEOUT
  std::uint32_t unreachable = CORBA::omg_minor(2);  // TRANSIENT: no connection could be opened
  std::uint32_t lost = 0;                           // COMM_FAILURE: the connection broke during the call
};

// For all ORBs of the process. Call before the first ORB is made.
void set_failure_codes(const FailureCodes& codes);
// The present ones.
const FailureCodes& failure_codes();

}  // namespace takt
