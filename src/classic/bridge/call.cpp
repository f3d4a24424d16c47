// Calls of the classic mapping by the runtime's ClientCall, and calls within the process.
#include <takt/classic/call.h>

#include <cstddef>
#include <cstring>
#include <new>

#include <takt/cdr/operation.h>
#include <takt/invocation/client_call.h>
#include <takt/reference/failure_codes.h>

#include "classic/bridge/runtime.h"

namespace takt::classic {

namespace {

using invocation::ClientCall;

ClientCall& call_in(unsigned char* memory) { return *std::launder(reinterpret_cast<ClientCall*>(memory)); }
const ClientCall& call_in(const unsigned char* memory) {
  return *std::launder(reinterpret_cast<const ClientCall*>(memory));
}

template <bool one_way>
[[gnu::always_inline]] inline void new_call(unsigned char* memory, const Reference* target,
                                            const Operation& operation) {
  new (memory) ClientCall(callable(target), {operation.name, operation.length},
                          {.response_expected = !one_way, .has_arguments = operation.has_arguments});
}
// For each kind, most members have constant values.
void new_call(unsigned char* memory, const Reference* target, const Operation& operation) {
  operation.one_way ? new_call<true>(memory, target, operation) : new_call<false>(memory, target, operation);
}

static_assert(alignof(ClientCall) <= 16);

// Operation begins with the members of an OperationId, length and name as std::string_view of libstdc++ has
// them, so that its address can identify it in the runtime. A test of calls within the process holds it.
static_assert(offsetof(OperationId, one_way) == offsetof(Operation, one_way) &&
              alignof(OperationId) == alignof(Operation));

bool call_within_process(const CORBA::Object& object, const Operation& operation, void** arguments) {
  return translating([&] {
    return invocation::call_local(object, reinterpret_cast<const OperationId&>(operation), arguments);
  });
}

[[gnu::cold, gnu::noinline]] bool call_until_refused(Reference& target, const CORBA::Object& object,
                                                     const Operation& operation, void** arguments) {
  return retries::repeat(target, operation.name,
                         [&] { return call_within_process(object, operation, arguments); });
}

}  // namespace

// No path of a call asks whether Reference::object() is nil, which it never is.
CORBA::Object& callable(const Reference* target) {
  if (!target)
    raise_system("IDL:omg.org/CORBA/INV_OBJREF:1.0", failure_codes().nil_target, CORBA::COMPLETED_NO,
                 "an operation was called on a nil reference");
  CORBA::Object& object = *target->object().get();
  if (!object._ref())
    raise_system("IDL:omg.org/CORBA/NO_IMPLEMENT:1.0", CORBA::omg_minor(8), CORBA::COMPLETED_NO,
                 "an object of the ORB's own has no such operation");
  return object;
}

Call::Call(Reference* target, const Operation& operation) : target_(target), operation_(&operation) {
  static_assert(sizeof(ClientCall) <= sizeof memory_, "Call needs more memory");
  new_call(memory_, target, operation);
}

Call::~Call() { call_in(memory_).~ClientCall(); }

[[gnu::cold, gnu::noinline]] void Call::repeat_or_throw() {
  try {
    rethrow_current();
  } catch (...) {
    if (!retries::any() || !retries::ask(*target_, operation_->name, retries_)) throw;
  }
  ++retries_;
  call_in(memory_).~ClientCall();
  new_call(memory_, target_, *operation_);
}

Writer& Call::begin() {
  for (;;) try {
      return writer(call_in(memory_).begin());
    } catch (...) {
      repeat_or_throw();
    }
}
Call::Outcome Call::exchange() {
  try {
    return static_cast<Outcome>(call_in(memory_).exchange());
  } catch (...) {
    repeat_or_throw();
    return again;
  }
}
Reader& Call::reply() { return reader(call_in(memory_).reply()); }
bool Call::raised(const char* repository_id) const {
  return call_in(memory_).exception_id() == repository_id;
}
void Call::throw_unlisted() {
  translating([&] { call_in(memory_).throw_unlisted_exception(); });
}
void Call::finish() {
  translating([&] { call_in(memory_).finish(); });
}

bool call_local(Reference* target, const Operation& operation, void** arguments) {
  if (!target) return false;
  const CORBA::Object& object = *target->object().get();
  if (retries::any()) [[unlikely]]
    return call_until_refused(*target, object, operation, arguments);
  return call_within_process(object, operation, arguments);
}

}  // namespace takt::classic
