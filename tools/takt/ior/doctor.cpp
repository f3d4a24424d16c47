#include "ior/doctor.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <takt/orb/configuration.h>

#include "ior/advice.h"
#include "ior/calls.h"
#include "ior/endpoints.h"
#include "ior/profiles.h"
#include "ior/warnings.h"
#include "os/net/resolver.h"
#include "reference/object_ref.h"
#include "reference/references.h"
#include "reference/text/stringified_ior.h"

namespace takt::command {
namespace {

using std::chrono::nanoseconds;
using Clock = std::chrono::steady_clock;
using Steps = std::vector<Step>;

// The outcome of a step. `said`: its result, or the reason why it failed; may be empty.
struct Outcome {
  bool ok = true;
  std::string said;
};

// Runs a step and adds it with its duration; false if it failed.
bool step(Steps& steps, const std::string& name, const std::function<Outcome()>& work) {
  const auto begin = Clock::now();
  const Outcome outcome = work();
  const std::chrono::duration<double, std::milli> took = Clock::now() - begin;
  steps.push_back({name, outcome.ok, took.count(), outcome.said});
  return outcome.ok;
}

// Runs a call. On an exception, returns what it says and what to do.
Outcome called(const std::function<Outcome()>& call) {
  try {
    return call();
  } catch (const CORBA::SystemException& failure) {
    return {false, text_with_advice(failure)};
  } catch (const CORBA::Exception& failure) {
    return {false, failure.what()};
  }
}

class Doctor {
 public:
  Doctor(nanoseconds timeout, const std::vector<std::string>& orb_options);

  Examination examined(const cdr::Ior& ior);
  // Resolves a corbaname or a corbaloc:rir:; empty on failure.
  std::optional<cdr::Ior> looked_up(const Reference& reference, Steps& steps);

 private:
  ExaminedEndpoint tried(const ReachableEndpoint& way, const std::string& type_id);
  bool reached(const ReachableEndpoint& way, Steps& steps);
  // Keeps the addresses for the later steps.
  bool resolved(const ReachableEndpoint& way, Steps& steps);
  bool connected(const std::string& name, const transport::Endpoint& endpoint, Steps& steps);
  bool asked(const ReachableEndpoint& way, const std::string& type_id, Steps& steps);

  nanoseconds timeout_;
  os::Resolver resolver_;
  ClientOrb orb_;
  std::shared_ptr<reference::References> references_;  // shared by orb_, with its transports
  OwnCertificate own_;
  os::AddressList addresses_;  // the endpoint's that is tried
};

std::string option_of(const ClientOrb& orb, std::string_view option) {
  const auto values = Configuration::of(orb.reference()).get(option);
  return values.empty() ? "" : values.front();
}

// Any reference gives access to the state that the references of an ORB share.
Doctor::Doctor(nanoseconds timeout, const std::vector<std::string>& orb_options)
    : timeout_(timeout),
      orb_(timeout, orb_options),
      references_(orb_->string_to_object("corbaloc:iiop:1.2@localhost:1/any")->_ref()->references()),
      own_{option_of(orb_, "TLSCertificate"), option_of(orb_, "TLSKey"),
           option_of(orb_, "TLSKeyPasswordFile")} {}

bool Doctor::reached(const ReachableEndpoint& way, Steps& steps) {
  const transport::Endpoint& endpoint = way.endpoint;
  const bool by_tls = endpoint.protocol == "ssliop";
  if ((by_tls || endpoint.protocol == "iiop" || endpoint.protocol == "udp") && !resolved(way, steps))
    return false;
  if (!by_tls) return connected("connect", endpoint, steps);
  return connected("connect", {"iiop", endpoint.host, endpoint.port}, steps) &&
         connected("tls", endpoint, steps);
}

bool Doctor::resolved(const ReachableEndpoint& way, Steps& steps) {
  const transport::Endpoint& endpoint = way.endpoint;
  return step(steps, "resolve", [&]() -> Outcome {
    auto found = resolver_.resolve(endpoint.host, endpoint.port, Clock::now() + timeout_);
    if (!found)
      return {false, found.error().text + "; let the server publish an address that clients can look up" +
                         how_to_publish(way.only)};
    std::string text;
    addresses_ = *found;
    for (const auto& address : *found) text += (text.empty() ? "" : ", ") + address.text();
    return {true, text};
  });
}

// Connects like a call of the ORB, with the transport in its registry.
bool Doctor::connected(const std::string& name, const transport::Endpoint& endpoint, Steps& steps) {
  return step(steps, name, [&]() -> Outcome {
    transport::Transport* const transport = references_->transports.find(endpoint.protocol);
    if (!transport) return {false, "this ORB has no transport for " + endpoint.protocol};
    const auto stream = transport->connect(endpoint, Clock::now() + timeout_, {});
    if (stream) return {};
    return {false, stream.error().text};
  });
}

bool Doctor::asked(const ReachableEndpoint& way, const std::string& type_id, Steps& steps) {
  CORBA::object_reference<CORBA::Object> object;
  const bool there = step(steps, "object there", [&] {
    return called([&]() -> Outcome {
      object = orb_->string_to_object(reference::ior_to_text(way.only));
      if (object->_non_existent()) return {false, advice_for(CORBA::OBJECT_NOT_EXIST())};
      return {};
    });
  });
  if (!there || type_id.empty()) return there;
  return step(steps, "is_a " + type_id, [&] {
    return called([&]() -> Outcome {
      if (object->_is_a(type_id)) return {};
      return {false,
              "the object has another type: was the reference made for another object, or "
              "has the interface changed?"};
    });
  });
}

ExaminedEndpoint Doctor::tried(const ReachableEndpoint& way, const std::string& type_id) {
  ExaminedEndpoint tried{way.endpoint, way.profile, false, {}, {}};
  const bool is_reached = reached(way, tried.steps);
  if (!tried.steps.empty() && tried.steps.back().name == "tls")
    tried.tls = shown_by_tls_port(way.endpoint.host, addresses_, own_, timeout_);
  tried.answers = is_reached && asked(way, type_id, tried.steps);
  return tried;
}

// Names the unusable profiles of a reference that has no usable one.
Outcome no_endpoint(const cdr::Ior& ior) {
  if (ior.profiles.empty()) return {false, "the reference has no profile, so no address for the object"};
  std::string kinds;
  for (const auto& profile : ior.profiles)
    kinds +=
        (kinds.empty() ? "" : ", ") + profile_name(profile.tag) + " with tag " + std::to_string(profile.tag);
  return {
      false,
      "no profile has an endpoint that can be tried from here: " + kinds +
          "; to try a plug-in's transport, name the plug-in in TAKT_PLUGIN or in the file of TAKT_CONFIG"};
}

Examination Doctor::examined(const cdr::Ior& ior) {
  Examination examination;
  auto& endpoints = examination.endpoints.emplace();
  for (const ReachableEndpoint& way : reachable_endpoints(ior, references_->transports))
    endpoints.push_back(tried(way, ior.type_id));
  examination.answers = std::ranges::any_of(endpoints, &ExaminedEndpoint::answers);
  examination.advice = advice_on(ior);
  const bool nobody_listens =
      !endpoints.empty() && std::ranges::all_of(endpoints, [](const ExaminedEndpoint& each) {
        return !each.steps.empty() && !each.steps.back().ok && each.steps.back().name == "connect";
      });
  if (const auto advice = advice_on_port(ior); nobody_listens && !advice.empty())
    examination.advice.push_back(advice);
  if (endpoints.empty()) step(examination.steps, "find an endpoint", [&] { return no_endpoint(ior); });
  return examination;
}

std::optional<cdr::Ior> Doctor::looked_up(const Reference& reference, Steps& steps) {
  std::optional<cdr::Ior> found;
  step(steps, "look up", [&] {
    return called([&]() -> Outcome {
      const auto text = orb_->object_to_string(orb_->string_to_object(reference.text));
      if (auto ior = reference::ior_from_text(text)) found = std::move(*ior);
      return {true, found ? found->type_id : ""};
    });
  });
  return found;
}

Json json_of(const Steps& steps) {
  Json list = Json::array();
  for (const Step& each : steps) {
    Json json = {{"step", each.name}, {"ok", each.ok}, {"ms", std::round(each.ms * 1000) / 1000}};
    if (!each.said.empty()) json[each.ok ? "result" : "failure"] = each.said;
    list.push_back(json);
  }
  return list;
}

Json json_of(const TlsPort& port) {
  Json json;
  if (!port.version.empty()) json = {{"version", port.version}, {"cipher", port.cipher}};
  json.update({{"subject", port.subject},
               {"issuer", port.issuer},
               {"expires", port.expires},
               {"days_left", port.days_left}});
  return json;
}

Json json_of(const ExaminedEndpoint& endpoint) {
  Json json = {{"endpoint", transport::to_text(endpoint.endpoint)},
               {"profile", endpoint.profile},
               {"answers", endpoint.answers},
               {"steps", json_of(endpoint.steps)}};
  if (endpoint.tls) json["tls"] = json_of(*endpoint.tls);
  return json;
}

}  // namespace

Examination examined(const Reference& reference, nanoseconds timeout,
                     const std::vector<std::string>& orb_options) {
  using Scheme = reference::ObjectUrl::Scheme;
  Doctor doctor(timeout, orb_options);
  const bool is_name = reference.url.scheme == Scheme::corbaname && !reference.url.name.empty();
  const bool is_initial = reference.url.is_initial_reference();
  Examination before;
  if (!is_initial) before = doctor.examined(reference.ior);
  before.warnings = warnings_about(reference);
  if (!is_name && !is_initial) return before;
  Steps steps;
  const auto ior = doctor.looked_up(reference, steps);
  Examination examination = ior ? doctor.examined(*ior) : Examination();
  if (ior) examination.warnings = warnings_of(*ior);
  if (!is_initial) examination.naming_service = std::make_shared<const Examination>(std::move(before));
  examination.steps.insert(examination.steps.begin(), steps.begin(), steps.end());
  return examination;
}

Json json_of(const Examination& examination) {
  Json json = {{"warnings", examination.warnings}, {"answers", examination.answers}};
  if (examination.endpoints) {
    Json& list = json["endpoints"] = Json::array();
    for (const ExaminedEndpoint& each : *examination.endpoints) list.push_back(json_of(each));
  }
  if (examination.naming_service) json["naming_service"] = json_of(*examination.naming_service);
  if (!examination.steps.empty()) json["steps"] = json_of(examination.steps);
  if (!examination.advice.empty()) json["advice"] = examination.advice;
  return json;
}

}  // namespace takt::command
