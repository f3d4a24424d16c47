#include "ior/advice.h"

#include <algorithm>
#include <optional>

#include "giop/contexts/code_set_negotiation.h"
#include "giop/contexts/priorities.h"
#include "giop/references/profile.h"
#include "ior/profiles.h"

namespace takt::command {
namespace {

using cdr::CodeSetId;
using giop::IiopProfile;

std::optional<cdr::CodeSetComponentInfo> code_sets_of(const IiopProfile& profile) {
  const auto* const component = profile.version.minor > 0 ? profile.find(giop::code_sets_component) : nullptr;
  return component ? giop::read_code_sets_component(*component) : std::nullopt;
}

std::string advice_on_code_sets(const IiopProfile& profile, bool tao) {
  const auto sets = code_sets_of(profile);
  if (!sets)
    return "no code sets are negotiated: char is what -ORBAssumedCharCodeSet says (ISO 8859-1 by default) "
           "and wchar "
           "what -ORBAssumedWcharCodeSet says (by default wide characters are not sent)";
  if (tao && sets->narrow.native == CodeSetId::iso_8859_1)
    return "TAO's native code set is ISO 8859-1: text with other characters gets an exception; "
           "-ORBNativeCharCodeSet of its Resource_Factory, in svc.conf, sets another";
  return "";
}

std::string advice_on_lanes(const IiopProfile& profile) {
  const auto* const component = profile.find(giop::priority_endpoints_component);
  if (!component) return "";
  std::string list;
  for (const auto& lane : giop::read_priority_endpoints(*component))
    list += (list.empty() ? "" : ", ") + std::to_string(lane.priority);
  return "clients of TAO reach the lanes only at exactly their priorities (" + list +
         "); at others their calls get TRANSIENT";
}

bool names_localhost(const IiopProfile& profile) {
  return std::ranges::any_of(profile.addresses(),
                             [](const giop::HostPort& address) { return address.host == "localhost"; });
}

void add_advice(const IiopProfile& profile, std::vector<std::string>& list) {
  const auto add = [&](const std::string& text) {
    if (!text.empty() && std::ranges::find(list, text) == list.end()) list.push_back(text);
  };
  const auto type = orb_type_of(profile);
  const bool tao = type == giop::tao_orb_type;
  add(advice_on_code_sets(profile, tao));
  add(advice_on_lanes(profile));
  if (tao) {
    if (names_localhost(profile))
      add("TAO names 127.0.0.1 localhost, also where it offers its connections for calls back, which are "
          "then not "
          "used: start its programs with -ORBDottedDecimalAddresses 1");
    add("TAO has a form of its own for valuetypes in chunks, which -ORBValueForm auto writes to its "
        "references; servers that TAO calls need -ORBValueForm tao unless their clients send such values "
        "first");
  }
  if (tao || type == giop::omniorb_orb_type)
    add("on x86 this ORB sends long doubles as the processor has them, as -ORBLongDouble auto does for its "
        "references; servers that it calls need -ORBLongDouble x87");
}

}  // namespace

std::vector<std::string> advice_on(const cdr::Ior& ior) {
  std::vector<std::string> list;
  for (const IiopProfile& profile : understood_profiles(ior)) add_advice(profile, list);
  return list;
}

std::string how_to_publish(const cdr::Ior& ior) {
  for (const IiopProfile& profile : understood_profiles(ior)) {
    const auto type = orb_type_of(profile);
    if (type == giop::takt_orb_type) return " (-ORBPublishedEndpoints)";
    if (type == giop::omniorb_orb_type) return " (-ORBendPointPublish giop:tcp:HOST:PORT)";
    if (type == giop::tao_orb_type) return " (-ORBListenEndpoints iiop://:PORT/hostname_in_ior=NAME)";
  }
  return "";
}

std::string advice_on_port(const cdr::Ior& ior) {
  constexpr std::string_view services[] = {"NameService", "TradingService", "ImplRepoService",
                                           "InterfaceRepository"};
  for (const IiopProfile& profile : understood_profiles(ior)) {
    const std::string key(profile.object_key.begin(), profile.object_key.end());
    const auto type = orb_type_of(profile);
    if (std::ranges::find(services, key) == std::end(services) || (type && type != giop::tao_orb_type))
      continue;
    const std::string of_takt =
        !type && key == "NameService"
            ? "takt naming listens for its own machine only unless it is started with "
              "--listen iiop://:2809; "
            : "";
    return of_takt + "TAO's " + key +
           " takes any free port unless it is started with -ORBListenEndpoints iiop://:PORT; TAO's clients "
           "find it by multicast, which Takt does not use";
  }
  return "";
}

}  // namespace takt::command
