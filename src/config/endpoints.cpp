#include "config/endpoints.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include <takt/cdr/exception.h>

#include "os/net/address.h"

namespace takt::orb {

namespace {

// Names of Takt's transports, including those that the program was built without.
bool names_transport(std::string_view name) {
  constexpr std::string_view names[] = {"unix", "shm", "inproc", "udp", "ssliop"};
  return std::ranges::find(names, name) != std::end(names);
}

// Takt's form of an endpoint that begins as in other ORBs; empty if it does not.
std::string_view form_here(std::string_view text) {
  constexpr std::pair<std::string_view, std::string_view> forms[] = {
      {"giop:tcp:", "iiop://HOST:PORT"}, {"giop:ssl:", "ssliop://HOST:PORT"}, {"giop:unix:", "unix:/PATH"},
      {"tcp://", "iiop://HOST:PORT"},    {"ssl://", "ssliop://HOST:PORT"},    {"uiop://", "unix:/PATH"},
      {"diop://", "udp://HOST:PORT"},    {"shmiop://", "shm:/PATH"},
  };
  const auto* const found =
      std::ranges::find_if(forms, [&](const auto& form) { return text.starts_with(form.first); });
  return found == std::end(forms) ? std::string_view() : found->second;
}

std::string names_of(const transport::TransportRegistry& transports) {
  std::string names;
  for (const auto& transport : transports.all()) names.append(names.empty() ? "" : ", ") += transport->name();
  return names;
}

}  // namespace

void refuse_endpoint(std::string_view text, std::string_view option, const std::string& why) {
  throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                         (option.empty() ? "'" : "option -ORB" + std::string(option) + ": '") +
                             std::string(text) + "' is not an endpoint; " + why);
}

// Text before a colon is a host if no transport has that name.
transport::Endpoint endpoint_from_text(std::string_view text, std::string_view option,
                                       const transport::TransportRegistry& transports) {
  const auto colon = text.find(':');
  const auto name = text.substr(0, colon);
  const transport::Transport* transport = colon == std::string_view::npos ? nullptr : transports.find(name);
  std::string_view address = transport ? text.substr(colon + 1) : text;
  if (!transport) {
    if (const auto form = form_here(text); !form.empty())
      refuse_endpoint(text, option, "here it is " + std::string(form));
    if (text.find("://") != std::string_view::npos || names_transport(name))
      refuse_endpoint(text, option, "there is no transport of that name, but " + names_of(transports));
    if (!text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos)
      refuse_endpoint(text, option, "a port of all addresses is iiop://:" + std::string(text));
    transport = transports.find("iiop");
  }
  if (!transport) refuse_endpoint(text, option, "this program has no TCP");
  const auto endpoint = transport->parse(address);
  if (!endpoint) refuse_endpoint(text, option, endpoint.error());
  const bool is_number =
      !endpoint->host.empty() && endpoint->host.find_first_not_of("0123456789") == std::string::npos;
  if (is_number && transport->profile_form().has_port)
    refuse_endpoint(text, option,
                    "its host is a number; a port of all addresses is " + std::string(transport->name()) +
                        "://:" + endpoint->host);
  return *endpoint;
}

std::string_view without_publish(std::string_view text) { return text.substr(0, text.rfind("?publish=")); }

bool is_within_machine(const std::string& host) {
  const auto address = os::Address::parse(host, 0);
  return host == "localhost" || (address && address->is_loopback());
}

}  // namespace takt::orb
