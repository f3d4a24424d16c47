// The state of one value: its octets, and separately the values that it refers to, and its Anys.
#pragma once

#include <takt/base/gather_buffer.h>
#include <takt/cdr/value.h>

#include "cdr/values/value_state.h"

namespace takt::cdr {

// Neither copied nor moved. It refers to the value only during construction.
struct CollectedState {
  enum class Anys { whole, by_reference };
  CollectedState(const CORBA::ValueBase& value, Anys how);
  CollectedState(const CollectedState&) = delete;
  CollectedState& operator=(const CollectedState&) = delete;

  // Gives another value of the same class this state, with the present contents of `values`.
  Error give_to(CORBA::ValueBase& value) const;

  GatherBuffer octets{128};
  ValueTable values;                   // in member order; one entry per reference
  AnyTable anys;                       // the Anys in member order, if they are not in the octets
  Environment* environment = nullptr;  // environment of the object references
  Error error = Error::none;
};

}  // namespace takt::cdr
