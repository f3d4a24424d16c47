// The interface by which references call objects of this ORB.
#pragma once

#include <cstdint>

#include <takt/base/bytes.h>
#include <takt/cdr/ior.h>

namespace takt {
struct OperationId;
namespace server {
class ServerCall;
}
}  // namespace takt

namespace takt::reference {

struct LocateAnswer {
  enum class Status : std::uint8_t { unknown, here, forward } status = Status::unknown;
  cdr::Ior target;  // for `forward`
};

enum class LocalAnswer : bool {
  by_wire,  // no direct call is possible: marshal the request
  done,     // the servant has run; the results are in the arguments
};

// Thrown by call_local(): interceptors send the request to another object. Only through references that are
// intercepted().
struct LocalForward {
  cdr::Ior target;
};

// Implemented by the owner of the servants. Any thread, until the end of the ORB's shutdown.
class LocalCalls {
 public:
  virtual ~LocalCalls() = default;
  // Runs the servant in the calling thread, with the caller's own arguments. The address of `operation`
  // identifies it: if it is not the same operation of the same IDL, returns by_wire. Exceptions of the
  // servant, and OBJECT_NOT_EXIST and the like, pass through. While a POA manager is holding, waits up to its
  // limit.
  virtual LocalAnswer call_local(const OperationId& operation, void* arguments,
                                 const ByteView& object_key) = 0;
  // Runs the servant with marshaled arguments, in the calling thread, and answers the call exactly once, with
  // the servant's exception if it throws one; a call that expects no response needs no answer.
  virtual void dispatch(server::ServerCall& call) noexcept = 0;
};

}  // namespace takt::reference
