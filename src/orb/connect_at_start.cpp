#include "orb/connect_at_start.h"

#include <exception>
#include <string>

#include <takt/orb/orb.h>

#include "orb/runtime.h"

namespace takt::orb {

namespace {

void require_connections(CORBA::Object& object) {
  CORBA::PolicyList inconsistent;
  if (!object._validate_connection(inconsistent))
    throw CORBA::INV_POLICY(CORBA::omg_minor(2), CORBA::COMPLETED_NO,
                            "the policies of the ORB and of the server do not let calls through");
}

void reach(const Runtime::Reference& object) {
  if (!object) throw CORBA::INV_OBJREF(0, CORBA::COMPLETED_NO, "is a nil reference");
  require_connections(*object);
  if (object->_non_existent())
    throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, "the server does not have this object");
  require_connections(*object);  // to where the server has forwarded it
}

// Empty: it has worked.
std::string failure_of(Runtime& runtime, const std::string& item) {
  try {
    // An initial reference's name has no colon, and each form of URL has one.
    reach(item.find(':') == std::string::npos ? runtime.resolve(item) : runtime.from_text(item));
    return {};
  } catch (const CORBA::ORB::InvalidName&) {
    return "names no initial reference; see -ORBInitRef";
  } catch (const std::exception& failure) {
    return failure.what();
  }
}

}  // namespace

void connect_at_start(Runtime& runtime) {
  std::string failures;
  for (const std::string& item : runtime.settings().connect_at_start) {
    const std::string failure = failure_of(runtime, item);
    if (failure.empty()) continue;
    failures.append(failures.empty() ? "'" : "; '")
        .append(item, 0, 200)
        .append(item.size() > 200 ? "..." : "");
    failures.append("': ").append(failure);
  }
  if (failures.empty()) return;
  const std::string text = "option -ORBConnectAtStart: " + failures;
  if (runtime.settings().connect_at_start_failure == "fail")
    throw CORBA::INITIALIZE(0, CORBA::COMPLETED_NO,
                            text + " (-ORBConnectAtStartFailure warn goes on without)");
  runtime.settings().warnings.say(text);
}

}  // namespace takt::orb
