#include "ior/calls.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "common/orb.h"
#include "units.h"

namespace takt::command {
namespace {

struct Advice {
  std::string_view exception, text;
};
constexpr Advice advices[] = {
    {"OBJECT_NOT_EXIST",
     "the server runs but has no such object: it has restarted since it made the reference (transient "
     "objects end with their process), or the object was deactivated; get a new reference"},
    {"TRANSIENT",
     "the server cannot take the call now: is it starting, holding requests or overloaded? Try again later"},
    {"TIMEOUT",
     "the peer accepted the connection but did not answer in time: is it a CORBA server? Is it stopped or "
     "overloaded? Does it expect TLS? --help names the option of a longer limit"},
    {"COMM_FAILURE",
     "the peer closed the connection: is it a CORBA server, does it accept this GIOP version, does it expect "
     "TLS?"},
    {"NO_PERMISSION", "the server refuses this client"},
    {"INV_OBJREF", "the reference or the server's answer is malformed; get a new reference"},
    {"MARSHAL",
     "a message cannot be read: does the IDL differ from the server's, or the message from the GIOP "
     "standard?"},
    {"BAD_PARAM", "compare the name or reference with the one that the server published"},
};

}  // namespace

ClientOrb::ClientOrb(std::chrono::nanoseconds timeout, const std::vector<std::string>& further_options) {
  const std::string limit = command_line::text_of_time(timeout);
  std::vector<std::string> options{"-ORBConnectTimeout", limit, "-ORBRoundTripTimeout", limit};
  options.insert(options.end(), further_options.begin(), further_options.end());
  orb_ = client_orb_of(std::move(options), "takt command");
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
  return "the server answered with this exception; its log may say why";
}

std::string text_with_advice(const CORBA::SystemException& failure) {
  const std::string text = failure.what();
  // The ORB's own texts that say what to do, or that this end has refused the server.
  constexpr std::string_view enough[] = {"the same IDL?",
                                         "is the server running",
                                         "get a new one",
                                         "the server has no object with the key",
                                         "is its POA manager active",
                                         "of another version of it?",
                                         "the server's log may say",
                                         "the peer's certificate is refused"};
  const auto is_there = [&text](std::string_view advice) { return text.find(advice) != std::string::npos; };
  return std::ranges::any_of(enough, is_there) ? text : text + "; " + advice_for(failure);
}

}  // namespace takt::command
