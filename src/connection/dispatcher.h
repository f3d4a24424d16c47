// What the connection room asks of whoever owns the servants.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <takt/base/bytes.h>
#include <takt/cdr/ior.h>
#include <takt/connection/server_call.h>

namespace takt {
struct OperationId;
}

namespace takt::connection {

struct LocateAnswer {
  enum class Status : std::uint8_t { unknown, here, forward } status = Status::unknown;
  cdr::Ior target;  // of a forward
};

enum class LocalAnswer : bool {
  by_wire,  // not to be had directly: marshal
  done,     // the servant ran; its results are in the arguments
};

// Requests in, upcalls out. The contract of every dispatcher:
//  1. Any thread may call any function at any time, up to the end of the ORB's shutdown.
//  2. dispatch() answers the call exactly once, an exception of the servant included; a call that
//     expects no response needs no answer. It runs the servant in the calling thread.
//  3. call_local() runs the servant with the caller's own arguments. The address of `operation`
//     stands for it: the same operation of the same IDL, or by_wire. The servant's exceptions,
//     and OBJECT_NOT_EXIST and its like, pass through.
//  4. Nothing here waits without bound; holding POA managers wait as long as their limit says.
class Dispatcher {
 public:
  virtual ~Dispatcher() = default;
  virtual void dispatch(ServerCall& call) noexcept = 0;
  virtual LocateAnswer locate(ByteView object_key) noexcept = 0;
  virtual LocalAnswer call_local(const OperationId& operation, void* arguments,
                                 const ByteView& object_key) = 0;
};

}  // namespace takt::connection
