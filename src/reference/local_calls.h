// Calls on objects of this ORB, as references see them.
#pragma once

#include <cstdint>

#include <takt/base/bytes.h>
#include <takt/cdr/ior.h>

namespace takt {
struct OperationId;
}

namespace takt::reference {

struct LocateAnswer {
  enum class Status : std::uint8_t { unknown, here, forward } status = Status::unknown;
  cdr::Ior target;  // of a forward
};

enum class LocalAnswer : bool {
  by_wire,  // not to be had directly: marshal
  done,     // the servant ran; its results are in the arguments
};

// Implemented by whoever owns the servants. Any thread, up to the end of the ORB's shutdown.
class LocalCalls {
 public:
  virtual ~LocalCalls() = default;
  // Runs the servant with the caller's own arguments, in the calling thread. The address of `operation`
  // stands for it: the same operation of the same IDL, or by_wire. The servant's exceptions, and
  // OBJECT_NOT_EXIST and its like, pass through. Holding POA managers wait as long as their limit says.
  virtual LocalAnswer call_local(const OperationId& operation, void* arguments,
                                 const ByteView& object_key) = 0;
};

}  // namespace takt::reference
