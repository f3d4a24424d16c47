#include "invocation/object_operations.h"

#include <string>
#include <utility>

#include <takt/cdr/ior.h>
#include <takt/invocation/client_call.h>
#include <takt/reference/orb_types.h>

#include "reference/built_in_calls.h"
#include "reference/object_ref.h"

namespace takt::invocation {

namespace built_in = reference::built_in;

namespace {

using Outcome = ClientCall::Outcome;

// A reference to the object, if any, made by the target's ORB.
CORBA::object_reference<CORBA::Object> seen_by(const CORBA::Object& target,
                                               const CORBA::object_reference<CORBA::Object>& object) {
  if (!object || !object->_ref()) return nullptr;
  return reference::make_stub<CORBA::Object>(target._ref()->references()->from_ior(object->_ref()->ior()));
}

// Runs an operation without user exceptions: `encode` may run more than once, `decode` runs once.
template <class Encode, class Decode>
void run(const CORBA::Object& target, std::string_view operation, bool has_arguments, Encode encode,
         Decode decode) {
  ClientCall call(target, operation, {.response_expected = true, .has_arguments = has_arguments});
  Outcome outcome;
  do {
    encode(call.begin());
    outcome = call.exchange();
  } while (outcome == Outcome::again);
  if (outcome == Outcome::user_exception) call.throw_unlisted_exception();
  decode(call.reply());
  call.finish();
}

constexpr auto nothing = [](cdr::Encoder&) {};

}  // namespace

bool RemoteObjectOperations::is_a(const CORBA::Object& target, std::string_view repository_id) {
  reference::BuiltInCall here{.repository_id = repository_id};
  if (call_local(target, built_in::is_a, &here)) return here.answer;
  bool result = false;
  run(
      target, "_is_a", true, [&](cdr::Encoder& out) { out.put_string(repository_id); },
      [&](cdr::Decoder& in) { in.get(result); });
  return result;
}

// OBJECT_NOT_EXIST is an answer here, not a failure.
bool RemoteObjectOperations::non_existent(const CORBA::Object& target) {
  bool result = false;
  try {
    reference::BuiltInCall here;
    if (call_local(target, built_in::non_existent, &here)) return here.answer;
    run(target, "_non_existent", false, nothing, [&](cdr::Decoder& in) { in.get(result); });
  } catch (const CORBA::OBJECT_NOT_EXIST&) {
    return true;
  }
  return result;
}

std::string RemoteObjectOperations::repository_id(const CORBA::Object& target) {
  reference::BuiltInCall here;
  if (call_local(target, built_in::repository_id, &here)) return std::move(here.text);
  std::string result;
  run(target, "_repository_id", false, nothing, [&](cdr::Decoder& in) { in.get_string(result); });
  return result;
}

CORBA::object_reference<CORBA::Object> RemoteObjectOperations::component(const CORBA::Object& target) {
  reference::BuiltInCall here;
  if (call_local(target, built_in::component, &here)) return seen_by(target, here.object);
  cdr::Ior ior;
  run(target, "_component", false, nothing, [&](cdr::Decoder& in) { cdr::read_ior(in, ior); });
  return reference::make_stub<CORBA::Object>(target._ref()->references()->from_ior(std::move(ior)));
}

}  // namespace takt::invocation

// Here, so that a program that does not call it does not link it.
CORBA::object_reference<CORBA::InterfaceDef> CORBA::Object::_get_interface() {
  if (!_ref()) throw NO_IMPLEMENT(omg_minor(4), COMPLETED_NO, "a local object has no interface definition");
  takt::cdr::Ior ior;
  takt::reference::BuiltInCall here;
  if (!takt::invocation::call_local(*this, takt::reference::built_in::interface, &here))
    takt::invocation::run(*this, "_interface", false, takt::invocation::nothing,
                          [&](takt::cdr::Decoder& in) { takt::cdr::read_ior(in, ior); });
  else if (here.object && here.object->_ref())
    ior = here.object->_ref()->ior();
  return takt::reference::make_stub<InterfaceDef>(_ref()->references()->from_ior(std::move(ior)));
}
