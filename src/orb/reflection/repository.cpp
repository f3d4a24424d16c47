// _interface of servers that name an interface repository: its definitions, in place of the program's own.
#include "orb/reflection/repository.h"

#include <algorithm>

#include <takt/adapter/poa.h>
#include <takt/cdr/ior.h>
#include <takt/invocation/client_call.h>

#include "adapter/poa/adapter_tree.h"
#include "orb/runtime/runtime.h"
#include "orb/wiring/orb_parts.h"
#include "reference/object_ref.h"

namespace takt::orb {
namespace {

constexpr const char* reference_name = "InterfaceRepository";
using Object = CORBA::object_reference<CORBA::Object>;

// CORBA::Repository::lookup_id. Nil if the repository has no such definition.
Object lookup_id(const Object& repository, const std::string& id) {
  using Outcome = invocation::ClientCall::Outcome;
  invocation::ClientCall call(*repository, "lookup_id", true, true);
  Outcome outcome;
  do {
    call.begin().put_string(id);
    outcome = call.exchange();
  } while (outcome == Outcome::again);
  if (outcome == Outcome::user_exception) call.throw_unlisted_exception();
  cdr::Ior ior;
  cdr::read_ior(call.reply(), ior);
  call.finish();
  return reference::make_stub<CORBA::Object>(repository->_ref()->references()->from_ior(std::move(ior)));
}

Object definition_of(Runtime& runtime, const std::string& id) {
  Object definition;
  try {
    if (const auto repository = runtime.resolve(reference_name)) definition = lookup_id(repository, id);
  } catch (const CORBA::Exception& failure) {
    throw CORBA::INTF_REPOS(CORBA::omg_minor(1), CORBA::COMPLETED_NO,
                            std::string("the server's interface repository: ") + failure.what());
  }
  if (!definition)
    throw CORBA::INTF_REPOS(CORBA::omg_minor(2), CORBA::COMPLETED_NO,
                            "the server's interface repository has no definition of " + id);
  return definition;
}

}  // namespace

void begin_repository(Runtime& runtime) {
  if (std::ranges::count(runtime.initial_references().names(), reference_name) == 0) return;
  runtime.parts().object_adapter.tree().interface_def = [&runtime](const std::string& id) {
    return definition_of(runtime, id);
  };
}

}  // namespace takt::orb
