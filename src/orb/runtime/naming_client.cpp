#include "orb/runtime/naming_client.h"

#include <iterator>
#include <string>

#include "invocation/object_call.h"
#include "reference/text/stringified_name.h"

namespace takt::orb {

namespace {

constexpr std::string_view not_found = "IDL:omg.org/CosNaming/NamingContext/NotFound:1.0";

// Describes a NotFound exception by its members: the reason, and the unresolved rest of the name.
std::string what_is_missing(cdr::Decoder& members) {
  const std::uint32_t reason = members.get_u32();
  std::uint32_t count = 0;
  reference::NameComponent first;
  if (members.get_count(count, 8) && count > 0 && members.get_string(first.id))
    members.get_string(first.kind);
  for (std::uint32_t i = 1; i < count && members.ok(); ++i) {
    std::string rest;
    if (members.get_string(rest)) members.get_string(rest);
  }
  constexpr const char* reasons[] = {"is not there", "is an object, where a context should be",
                                     "is a context, where an object should be"};
  if (!members.ok() || count == 0 || reason >= std::size(reasons))
    return "the naming service has not found it";
  return std::string("'").append(reference::name_to_text({first})).append("' ").append(reasons[reason]);
}

}  // namespace

[[gnu::cold]] CORBA::object_reference<CORBA::Object> resolve_name(
    const CORBA::object_reference<CORBA::Object>& context, std::string_view name) {
  const auto refuse = [&](const std::string& why) {
    throw CORBA::BAD_PARAM(CORBA::omg_minor(10), CORBA::COMPLETED_NO,
                           "the name '" + std::string(name) + "' " + why);
  };
  const auto components = reference::parse_name(name);
  if (!components) refuse("is not a name: components are id.kind, with / between them");
  const auto write = [&](cdr::Encoder& out) {
    out.put(static_cast<std::uint32_t>(components->size()));
    for (const reference::NameComponent& component : *components) {
      out.put_string(component.id);
      out.put_string(component.kind);
    }
  };
  return invocation::object_from(context, "resolve", write, [&](invocation::ClientCall& call) {
    const std::string id(call.exception_id());
    const std::string why = id == not_found ? what_is_missing(call.reply()) : "the naming service says " + id;
    call.finish();
    refuse("cannot be resolved: " + why);
  });
}

}  // namespace takt::orb
