#include "admin/source.h"

#include <algorithm>
#include <filesystem>

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
  if (std::error_code none; std::filesystem::is_socket(given, none))
    fail("'" + given + "' is a socket: write unix:" + given);
  const auto reference = reference_from(given);
  if (!reference)
    fail("'" + given + "' is no admin endpoint, such as unix:/run/server/admin or iiop://localhost:2810; " +
         reference.error());
  return reference->text;
}

std::string why_no_state(const CORBA::SystemException& failure) {
  std::string text = failure.what();
  const bool is_missing = dynamic_cast<const CORBA::OBJECT_NOT_EXIST*>(&failure) != nullptr;
  // An object of another type may have an operation of that name, with other results.
  const bool is_other = dynamic_cast<const CORBA::MARSHAL*>(&failure) != nullptr;
  if (!is_missing && !is_other && !dynamic_cast<const CORBA::BAD_OPERATION*>(&failure)) return text;
  if (is_missing) text.resize(std::min(text.find("; the server has no object"), text.size()));
  return text +
         "; this is no admin object: its endpoint is that of the server's -ORBAdmin, not one where the "
         "server serves its clients" +
         (is_other ? "; a service is given as --naming REFERENCE" : "");
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
