// A value's state by itself: its octets, and beside them the values that it refers to, and its Anys.
#pragma once

#include <takt/base/gather_buffer.h>
#include <takt/cdr/value.h>

#include "cdr/values/value_state.h"

namespace takt::cdr {

// Made in place; it refers to the value only while it is made.
struct CollectedState {
  enum class Anys { whole, by_reference };
  CollectedState(const CORBA::ValueBase& value, Anys how);
  CollectedState(const CollectedState&) = delete;
  CollectedState& operator=(const CollectedState&) = delete;

  // Gives another value of the same class this state, with `values` as they are then.
  Error give_to(CORBA::ValueBase& value) const;

  GatherBuffer octets{128};
  ValueTable values;                   // in the order of the members; one each time that it is referred to
  AnyTable anys;                       // likewise, if they are not in the octets
  Environment* environment = nullptr;  // of the objects in it
  Error error = Error::none;
};

}  // namespace takt::cdr
