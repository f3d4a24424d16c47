#include "ior/calls.h"

#include <array>
#include <string_view>

#include "orb.h"

namespace takt::command {
namespace {

struct Advice {
  std::string_view exception, text;
};
constexpr Advice advices[] = {
    {"OBJECT_NOT_EXIST",
     "the server is there and has no such object: it was started anew since the reference was made "
     "(transient "
     "objects die with their process), or the object was deactivated; take a fresh reference"},
    {"TRANSIENT",
     "the server cannot take the call now: is it starting, holding requests or overloaded? Try again"},
    {"TIMEOUT",
     "somebody took the connection and did not answer in time: is it a CORBA server, is it stopped or "
     "overloaded, does it expect TLS? A longer --timeout tells"},
    {"COMM_FAILURE",
     "the peer ended the connection: is it a CORBA server, of this GIOP version, without TLS?"},
    {"NO_PERMISSION", "the server refuses this client"},
    {"INV_OBJREF", "the server, or this reference, is not what it should be; take a fresh reference"},
    {"MARSHAL", "the peer does not speak GIOP as the standard has it"},
    {"BAD_PARAM", "compare the name, or the reference, with what the server has"},
};

}  // namespace

ClientOrb::ClientOrb(std::chrono::milliseconds timeout) {
  const std::string limit = std::to_string(timeout.count()) + "ms";
  orb_ = orb_of({"-ORBConnectTimeout", limit, "-ORBRoundTripTimeout", limit}, "takt command");
}

ClientOrb::~ClientOrb() {
  try {
    orb_->destroy();
  } catch (const CORBA::Exception&) {  // NOLINT(bugprone-empty-catch): the process ends
  }
}

std::string advice_for(const CORBA::SystemException& failure) {
  const std::string_view name = failure._name();
  for (const Advice& each : advices)
    if (each.exception == name) return std::string(each.text);
  return "the server answered with this exception; its own log may say why";
}

}  // namespace takt::command
