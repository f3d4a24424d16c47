// A value's state by itself: its octets, and beside them the values that it refers to.
#pragma once

#include <takt/base/gather_buffer.h>
#include <takt/cdr/value.h>

namespace takt::cdr {

// Made in place; it refers to the value only while it is made.
struct CollectedState {
  explicit CollectedState(const CORBA::ValueBase& value);
  CollectedState(const CollectedState&) = delete;
  CollectedState& operator=(const CollectedState&) = delete;

  // Gives another value of the same class this state, with `values` as they are then.
  Error give_to(CORBA::ValueBase& value) const;

  GatherBuffer octets{128};
  ValueTable values;                   // in the order of the members; one each time that it is referred to
  bool shared = false;                 // two of them may be one reference, which Anys share
  Environment* environment = nullptr;  // of the objects in it
  Error error = Error::none;
};

}  // namespace takt::cdr
