// The type of an asynchronous call for the runtime, with the functions of the mapping.
#pragma once

#include <takt/async/sending.h>
#include <takt/classic/call.h>

#include "classic/bridge/runtime.h"
#include "classic_async/bridge/asynchronous_calls.h"

namespace takt::classic::asynchronous {

struct OperationType : async::CallType {
  Deliver deliver;
  Release release;
  Copy copy;
};

inline void copy_arguments(const async::CallType& type, cdr::Decoder& from, cdr::Encoder& to) {
  static_cast<const OperationType&>(type).copy(reader(from), writer(to));
}

// Kept for ever. `complete` and `destroy_sink` are of the kind of call.
inline const OperationType* new_type(const Operation& operation, Deliver deliver, Release release, Copy copy,
                                     decltype(async::CallType::complete) complete,
                                     decltype(async::CallType::destroy_sink) destroy_sink) {
  return new OperationType{
      {{operation.name, operation.length}, operation.has_arguments, complete, &copy_arguments, destroy_sink},
      deliver,
      release,
      copy};
}

}  // namespace takt::classic::asynchronous
