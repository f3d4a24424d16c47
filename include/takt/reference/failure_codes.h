// The minor codes of the exceptions that calls throw when no server answers, and of those that servers of
// this process answer on their own. C++14.
#pragma once

#include <cstdint>

namespace takt {

// For programs that expect another ORB's. Exceptions that a server has raised keep their codes.
struct FailureCodes {
  // In clients.
  std::uint32_t timed_out = 0;              // TIMEOUT: a call took longer than it may
  std::uint32_t connect_timed_out = 0;      // TIMEOUT: opening a connection did
  std::uint32_t transient_timeout = 0;      // TRANSIENT in place of both (throw_transient_on_timeout)
  std::uint32_t unreachable = 0x4f4d0002;   // TRANSIENT: no connection could be opened
  std::uint32_t unknown_host = 0x4f4d0002;  // TRANSIENT: no host of the reference has an address
  std::uint32_t lost = 0;                   // COMM_FAILURE: the connection broke during the call
  std::uint32_t nil_target = 0;             // INV_OBJREF: a call by a nil reference, in the classic mapping
  std::uint32_t long_request = 0;           // MARSHAL: a request is longer than -ORBMaxRequestSize
  // In servers.
  std::uint32_t no_object = 0;              // OBJECT_NOT_EXIST: no such object is active
  std::uint32_t no_adapter = 0x4f4d0002;    // OBJECT_NOT_EXIST: the object's adapter is not here
  std::uint32_t no_operation = 0x4f4d0002;  // BAD_OPERATION: the object has no such operation
  std::uint32_t long_reply = 0;             // MARSHAL: the reply is longer than -ORBMaxReplySize
  std::uint32_t not_corba = 0;  // UNKNOWN: the servant threw an exception that is not one of CORBA's
};

// For all ORBs of the process. Call before the first ORB is made.
void set_failure_codes(const FailureCodes& codes);
// The present ones.
const FailureCodes& failure_codes();

// Whether calls and connections that take too long throw TRANSIENT instead of TIMEOUT, in all ORBs of the
// process. Any thread, at any time.
void throw_transient_on_timeout(bool does);
bool throws_transient_on_timeout();

}  // namespace takt
