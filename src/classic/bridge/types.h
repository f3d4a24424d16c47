// The runtime's side of TypeCodes and Anys.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include <takt/cdr/any.h>

#include "classic/bridge/runtime.h"
#include "classic/bridge/types_bridge.h"

namespace takt::classic {

class TypeCodeHandle {
 public:
  explicit TypeCodeHandle(CORBA::typecode_reference of) : type(std::move(of)) {}
  const CORBA::typecode_reference type;  // not nil
  std::atomic<std::uint32_t> count{1};
};

// Never changes; copies of a mapping's Any share it.
class AnyHandle {
 public:
  explicit AnyHandle(CORBA::Any of) : any(std::move(of)) {}
  const CORBA::Any any;
  std::atomic<std::uint32_t> count{1};
};

}  // namespace takt::classic
