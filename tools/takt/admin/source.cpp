#include "admin/source.h"

#include "common/command.h"
#include "ior/reference.h"

namespace takt::command {

std::string admin_reference(const std::string& given) {
  constexpr const char* key = "TaktAdmin";
  if (given.empty()) return std::string("corbaloc:iiop:1.2@localhost:2810/") + key;
  if (given.starts_with("unix:")) return "corbaloc:uiop:1.2@" + given.substr(5) + "|" + key;
  for (const std::string protocol : {"iiop", "ssliop"})
    if (given.starts_with(protocol + "://"))
      return "corbaloc:" + protocol + ":1.2@" + given.substr(protocol.size() + 3) + "/" + key;
  const auto reference = reference_from(given);
  if (!reference)
    fail("'" + given +
         "' is no admin endpoint, such as unix:/run/server/admin or iiop://localhost:2810, and " +
         reference.error());
  return reference->text;
}

AdminSource::AdminSource(const ClientOrb& orb, const std::string& given)
    : name_(given.empty() ? "iiop://localhost:2810" : given) {
  try {
    object_ = IDL::traits<Takt::Admin::Orb>::unchecked_narrow(orb->string_to_object(admin_reference(given)));
  } catch (const CORBA::SystemException& failure) {
    fail(failure.what());
  }
  if (!object_) fail("the reference is nil: it denotes no object");
}

}  // namespace takt::command
