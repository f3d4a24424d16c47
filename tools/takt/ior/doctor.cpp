#include "ior/doctor.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <vector>

#include "client/client.h"
#include "giop/references/stringified_ior.h"
#include "ior/calls.h"
#include "ior/endpoints.h"
#include "ior/profiles.h"
#include "os/net/resolver.h"
#include "reference/object_ref.h"
#include "transport/shm/shm_transport.h"
#include "transport/tcp/tcp_transport.h"
#include "transport/udp/udp_transport.h"
#include "transport/uds/uds_transport.h"

namespace takt::command {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

// The outcome of a step. `said`: its result, or the reason why it failed; may be empty.
struct Outcome {
  bool ok = true;
  std::string said;
};

// Runs a step and adds it with its duration; false if it failed.
bool step(Json& steps, const std::string& name, const std::function<Outcome()>& work) {
  const auto begin = Clock::now();
  const Outcome outcome = work();
  const std::chrono::duration<double, std::milli> took = Clock::now() - begin;
  Json json = {{"step", name}, {"ok", outcome.ok}, {"ms", std::round(took.count() * 1000) / 1000}};
  if (!outcome.said.empty()) json[outcome.ok ? "result" : "failure"] = outcome.said;
  steps.push_back(json);
  return outcome.ok;
}

// Runs a call. On an exception, returns what it says and what to do.
Outcome called(const std::function<Outcome()>& call) {
  try {
    return call();
  } catch (const CORBA::SystemException& failure) {
    return {false, std::string(failure.what()) + "; " + advice_for(failure)};
  } catch (const CORBA::Exception& failure) {
    return {false, failure.what()};
  }
}

// Advice if a reference from another machine leads to this one's loopback address.
std::string advice_on_loopback(const os::AddressList& addresses) {
  if (addresses.empty() || !std::ranges::all_of(addresses, &os::Address::is_loopback)) return "";
  return "; the address is the client's own machine: a server on another one listens to its own clients "
         "alone, "
         "which is the default, until it is given -ORBListenEndpoints iiop://:0, or iiop://:PORT";
}

class Doctor {
 public:
  explicit Doctor(milliseconds timeout);

  Json examined(const cdr::Ior& ior);
  // Resolves a corbaname or a corbaloc:rir:; empty on failure.
  std::optional<cdr::Ior> looked_up(const Reference& reference, Json& steps);

 private:
  Json tried(const Way& way, const std::string& type_id);
  bool connected(const Way& way, Json& steps);
  bool connected_by_orb(const std::string& name, const Way& way, Json& steps);
  bool is_plugged_in(const Way& way) const;
  bool asked(const Way& way, const std::string& type_id, Json& steps);

  milliseconds timeout_;
  os::Resolver resolver_;
  transport::TcpTransport tcp_;
  transport::UdsTransport uds_;
  transport::ShmTransport shm_;
  transport::UdpTransport udp_;
  ClientOrb orb_;
  std::vector<PluggedIn> plugged_in_;
};

// The ORB holds the plug-ins; any of its references leads to it.
Doctor::Doctor(milliseconds timeout) : timeout_(timeout), orb_(timeout) {
  const auto any = orb_->string_to_object("corbaloc:iiop:1.2@localhost:1/any");
  for (const auto& transport : any->_ref()->references()->transports.all()) {
    const transport::ProfileForm form = transport->profile_form();
    if (!form.component && !form_of(form.tag))
      plugged_in_.push_back({std::string(transport->name()), {form.tag, form.has_port}});
  }
}

bool Doctor::is_plugged_in(const Way& way) const {
  return std::ranges::any_of(plugged_in_,
                             [&](const PluggedIn& one) { return one.protocol == way.endpoint.protocol; });
}

bool Doctor::connected(const Way& way, Json& steps) {
  if (is_plugged_in(way)) return connected_by_orb("connect", way, steps);
  os::AddressList addresses;
  const bool by_tls = way.endpoint.protocol == "ssliop";
  const bool by_udp = way.endpoint.protocol == "udp";
  const bool by_address = by_tls || by_udp || way.endpoint.protocol == "iiop";
  if (by_address && !step(steps, "resolve", [&]() -> Outcome {
        auto found = resolver_.resolve(way.endpoint.host, way.endpoint.port, Clock::now() + timeout_);
        if (!found)
          return {false, found.error().text +
                             "; let the server publish an address that clients can look up "
                             "(-ORBPublishedEndpoints)"};
        addresses = std::move(*found);
        std::string text;
        for (const auto& address : addresses) text += (text.empty() ? "" : ", ") + address.text();
        return {true, text};
      }))
    return false;
  const bool connects = step(steps, "connect", [&]() -> Outcome {
    const auto deadline = Clock::now() + timeout_;
    const auto stream = by_udp                           ? udp_.connect(way.endpoint, addresses, deadline, {})
                        : by_address                     ? tcp_.connect(way.endpoint, addresses, deadline, {})
                        : way.endpoint.protocol == "shm" ? shm_.connect(way.endpoint, deadline, {})
                                                         : uds_.connect(way.endpoint, deadline, {});
    if (stream) return {};
    return {false, stream.error().text + advice_on_loopback(addresses)};
  });
  return connects && (!by_tls || connected_by_orb("tls", way, steps));
}

// Connects with the certificates and plug-ins of the ORB's settings.
bool Doctor::connected_by_orb(const std::string& name, const Way& way, Json& steps) {
  return step(steps, name, [&] {
    return called([&]() -> Outcome {
      const auto object = orb_->string_to_object(giop::ior_to_text(way.only));
      const auto stream =
          client::client_of(*object->_ref()->references()).connect(way.endpoint, Clock::now() + timeout_, {});
      if (stream) return {};
      return {false, stream.error().text};
    });
  });
}

bool Doctor::asked(const Way& way, const std::string& type_id, Json& steps) {
  CORBA::object_reference<CORBA::Object> object;
  const bool there = step(steps, "object there", [&] {
    return called([&]() -> Outcome {
      object = orb_->string_to_object(giop::ior_to_text(way.only));
      if (object->_non_existent()) return {false, advice_for(CORBA::OBJECT_NOT_EXIST())};
      return {};
    });
  });
  if (!there || type_id.empty()) return there;
  return step(steps, "is_a " + type_id, [&] {
    return called([&]() -> Outcome {
      if (object->_is_a(type_id)) return {};
      return {false,
              "the object says that it has another type: was the reference made for another object, or "
              "the interface changed?"};
    });
  });
}

Json Doctor::tried(const Way& way, const std::string& type_id) {
  Json json = {{"endpoint", transport::to_text(way.endpoint)}, {"profile", way.profile}};
  Json steps = Json::array();
  const bool answers = connected(way, steps) && asked(way, type_id, steps);
  json["answers"] = answers;
  json["steps"] = steps;
  return json;
}

// Names the unusable profiles of a reference that has no usable one.
Outcome nowhere_to_go(const cdr::Ior& ior) {
  if (ior.profiles.empty()) return {false, "the reference says of no place where the object is"};
  std::string kinds;
  for (const auto& profile : ior.profiles)
    kinds += (kinds.empty() ? "" : ", ") + profile_json(profile)["name"].get<std::string>() + " with tag " +
             std::to_string(profile.tag);
  return {false,
          "no profile leads to a place that can be tried from here: " + kinds +
              "; a transport of a plug-in is tried where TAKT_PLUGIN, or the file of TAKT_CONFIG, names it"};
}

Json Doctor::examined(const cdr::Ior& ior) {
  Json json = {{"answers", false}, {"endpoints", Json::array()}};
  for (const Way& way : ways_of(ior, plugged_in_)) {
    json["endpoints"].push_back(tried(way, ior.type_id));
    if (json["endpoints"].back()["answers"].get<bool>()) json["answers"] = true;
  }
  if (json["endpoints"].empty()) {
    json["steps"] = Json::array();
    step(json["steps"], "find an endpoint", [&] { return nowhere_to_go(ior); });
  }
  return json;
}

std::optional<cdr::Ior> Doctor::looked_up(const Reference& reference, Json& steps) {
  std::optional<cdr::Ior> found;
  step(steps, "look up", [&] {
    return called([&]() -> Outcome {
      const auto text = orb_->object_to_string(orb_->string_to_object(reference.text));
      if (auto ior = giop::ior_from_text(text)) found = std::move(*ior);
      return {true, found ? found->type_id : ""};
    });
  });
  return found;
}

}  // namespace

Json examined(const Reference& reference, milliseconds timeout) {
  using Scheme = giop::ObjectUrl::Scheme;
  Doctor doctor(timeout);
  const bool is_name = reference.url.scheme == Scheme::corbaname && !reference.url.name.empty();
  if (!is_name && !reference.url.is_initial_reference()) return doctor.examined(reference.ior);
  Json steps = Json::array(), before;
  if (!reference.url.is_initial_reference()) before = doctor.examined(reference.ior);
  const auto ior = doctor.looked_up(reference, steps);
  Json json = ior ? doctor.examined(*ior) : Json{{"answers", false}};
  if (!before.is_null()) json["naming_service"] = before;
  for (const Json& more : json.value("steps", Json::array())) steps.push_back(more);
  json["steps"] = steps;
  return json;
}

}  // namespace takt::command
