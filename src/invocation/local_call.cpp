// Calls of objects of the same ORB, without marshaling.
#include <takt/cdr/operation.h>
#include <takt/invocation/client_call.h>

#include "client/client.h"
#include "invocation/intercepted_calls.h"
#include "reference/local_calls.h"
#include "reference/object_ref.h"
#include "reference/references.h"

namespace takt::invocation {

namespace {

bool call_adapter(const reference::ObjectRef& ref, const OperationId& operation, void* arguments) {
  return ref.references()->local_calls->call_local(operation, arguments, ref.local_key()) ==
         reference::LocalAnswer::done;
}
[[gnu::cold, gnu::noinline]] bool call_local_intercepted(reference::ObjectRef& ref,
                                                         const OperationId& operation, void* arguments) {
  InterceptedCalls* const interceptors = client::client_of(*ref.references()).interceptors;
  return interceptors ? interceptors->call_local(ref, operation, arguments)
                      : call_local_served(ref, operation, arguments);
}

}  // namespace

[[gnu::cold]] bool call_local_served(reference::ObjectRef& ref, const OperationId& operation,
                                     void* arguments) {
  try {
    return call_adapter(ref, operation, arguments);
  } catch (const reference::LocalForward& forward) {
    ref.redirect_to(forward.target);
    return false;
  }
}

bool call_local(const CORBA::Object& target, const OperationId& operation, void* arguments) {
  const reference::ObjectRef* ref = target._ref().get();
  if (!ref || ref->local_key().empty()) return false;
  if (ref->intercepted()) [[unlikely]]
    return call_local_intercepted(*target._ref(), operation, arguments);
  return call_adapter(*ref, operation, arguments);
}

}  // namespace takt::invocation
