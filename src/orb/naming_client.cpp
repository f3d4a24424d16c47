#include "orb/naming_client.h"

#include <string>

#include <takt/cdr/ior.h>
#include <takt/invocation/client_call.h>

#include "connection/references/object_ref.h"
#include "giop/references/stringified_name.h"

namespace takt::orb {

using Outcome = invocation::ClientCall::Outcome;

CORBA::object_reference<CORBA::Object> resolve_name(const CORBA::object_reference<CORBA::Object>& context,
                                                    std::string_view name) {
  const auto refuse = [&](const std::string& why) {
    throw CORBA::BAD_PARAM(CORBA::omg_minor(10), CORBA::COMPLETED_NO,
                           "the name '" + std::string(name) + "' " + why);
  };
  const auto components = giop::parse_name(name);
  if (!components) refuse("is no name: components are id.kind, with / between them");
  invocation::ClientCall call(*context, "resolve", true, true);
  Outcome outcome;
  do {
    cdr::Encoder& out = call.begin();
    out.put(static_cast<std::uint32_t>(components->size()));
    for (const giop::NameComponent& component : *components) {
      out.put_string(component.id);
      out.put_string(component.kind);
    }
    outcome = call.exchange();
  } while (outcome == Outcome::again);
  if (outcome == Outcome::user_exception) {
    const std::string why(call.exception_id());
    call.finish();
    refuse("cannot be resolved: the naming service says " + why);
  }
  cdr::Ior ior;
  cdr::read_ior(call.reply(), ior);
  call.finish();
  return connection::make_stub<CORBA::Object>(context->_ref()->core()->from_ior(std::move(ior)));
}

}  // namespace takt::orb
