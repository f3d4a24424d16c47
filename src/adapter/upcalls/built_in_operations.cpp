#include "adapter/upcalls/built_in_operations.h"

#include <string>

#include <takt/adapter/skeleton.h>
#include <takt/cdr/ior.h>
#include <takt/reference/failure_codes.h>

#include "adapter/poa/unlisted_exceptions.h"
#include "reference/built_in_calls.h"
#include "reference/object_ref.h"

namespace takt::adapter {

namespace {

void is_a(server::ServerCall& call, PortableServer::Servant& servant) {
  std::string repository_id;
  cdr::Decoder& arguments = call.arguments();
  arguments.get_string(repository_id);
  if (!arguments.ok())
    return refuse(call, arguments.error(), CORBA::COMPLETED_NO, "the arguments of _is_a can't be decoded");
  const bool result = servant._is_a(repository_id);
  call.begin_reply().put(result);
}

void answer(server::ServerCall& call, const CORBA::object_reference<CORBA::Object>& object) {
  cdr::write_ior(call.begin_reply(), object && object->_ref() ? object->_ref()->ior() : cdr::Ior());
}

}  // namespace

void run_built_in(server::ServerCall& call, PortableServer::Servant& servant) {
  call.note_operation(nullptr);
  const std::string_view operation = call.operation();
  if (operation == "_is_a") {
    is_a(call, servant);
  } else if (operation == "_non_existent" || operation == "_not_existent") {
    const bool result = servant._non_existent();
    call.begin_reply().put(result);
  } else if (operation == "_repository_id") {
    const std::string id = servant._repository_id();
    call.begin_reply().put_string(id);
  } else if (operation == "_component" || operation == "_get_component") {
    answer(call, servant._get_component());
  } else if (operation == "_interface") {
    const auto object = servant._get_interface();
    if (!object) return call.system_exception(CORBA::INTF_REPOS(CORBA::omg_minor(1), CORBA::COMPLETED_NO));
    answer(call, object);
  } else {
    call.system_exception(CORBA::BAD_OPERATION(failure_codes().no_operation, CORBA::COMPLETED_NO));
  }
}

namespace {

bool serve_here(const OperationId& operation, reference::BuiltInCall& call,
                PortableServer::Servant& servant) {
  namespace built_in = reference::built_in;
  if (&operation == &built_in::is_a)
    call.answer = servant._is_a(std::string(call.repository_id));
  else if (&operation == &built_in::non_existent)
    call.answer = servant._non_existent();
  else if (&operation == &built_in::repository_id)
    call.text = servant._repository_id();
  else if (&operation == &built_in::component)
    call.object = servant._get_component();
  else if (&operation == &built_in::interface)
    call.object = servant._get_interface();
  else
    return false;
  if (&operation == &built_in::interface && !call.object)
    throw CORBA::INTF_REPOS(CORBA::omg_minor(1), CORBA::COMPLETED_NO,
                            "the object's ORB has no interface repository: give the server "
                            "-ORBInitRef InterfaceRepository=REFERENCE, or -ORBReflection on");
  return true;
}

}  // namespace

bool run_built_in_here(const OperationId& operation, void* arguments, PortableServer::Servant& servant) {
  try {
    return serve_here(operation, *static_cast<reference::BuiltInCall*>(arguments), servant);
  } catch (...) {
    rethrow_as_answered();
  }
}

}  // namespace takt::adapter
