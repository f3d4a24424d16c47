// Calls that return an object.
#pragma once

#include <string_view>
#include <utility>

#include <takt/cdr/ior.h>
#include <takt/invocation/client_call.h>

#include "reference/object_ref.h"

namespace takt::invocation {

// Makes the call on the target's ORB. `write` encodes the arguments, again for each attempt. `refuse` gets a
// call that ended with a user exception, and must throw. Nil if the operation returns nil.
template <class Write, class Refuse>
CORBA::object_reference<CORBA::Object> object_from(const CORBA::object_reference<CORBA::Object>& target,
                                                   std::string_view operation, Write write, Refuse refuse) {
  using Outcome = ClientCall::Outcome;
  ClientCall call(*target, operation, {.response_expected = true, .has_arguments = true});
  Outcome outcome;
  do {
    write(call.begin());
    outcome = call.exchange();
  } while (outcome == Outcome::again);
  if (outcome == Outcome::user_exception) refuse(call);
  cdr::Ior ior;
  cdr::read_ior(call.reply(), ior);
  call.finish();
  return reference::make_stub<CORBA::Object>(target->_ref()->references()->from_ior(std::move(ior)));
}

}  // namespace takt::invocation
