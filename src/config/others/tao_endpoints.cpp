#include "config/others/tao_endpoints.h"

#include <algorithm>
#include <iterator>

#include "config/others/collector.h"
#include "config/others/conversions.h"

namespace takt::orb::others {

namespace {

struct Protocol {
  std::string_view name;
  std::string_view ours;
  char option_mark;
  bool has_port;
};
constexpr Protocol protocols[] = {{"iiop", "iiop://", '/', true},
                                  {"ssliop", "ssliop://", '/', true},
                                  {"uiop", "unix:", '|', false},
                                  {"diop", "udp://", '/', true},
                                  {"shmiop", "shm:", '/', false}};

// Removes what comes before the mark and returns it; all if there is none.
std::string_view cut(std::string_view& text, char mark) {
  const auto end = std::min(text.find(mark), text.size());
  const std::string_view before = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return before;
}

// The version before an address. Takt has one for all endpoints.
void take_version(std::string_view& address, Collector& into) {
  const auto at = address.find('@');
  if (at == address.npos) return;
  const std::string_view version = address.substr(0, at);
  if (version == "1.0" || version == "1.1") into.set("GIOPVersion", std::string(version));
  address.remove_prefix(at + 1);
}

std::string with_port(std::string_view address) {
  const auto bracket = address.rfind(']');
  const bool has_port = address.find(':', bracket == address.npos ? 0 : bracket) != address.npos;
  return std::string(address) + (has_port ? address.ends_with(':') ? "0" : "" : ":0");
}

// "" if it can be followed.
std::string take_option(const Protocol& protocol, std::string_view option, std::string_view port,
                        Collector& into) {
  const std::string_view name = cut(option, '=');
  if (name == "hostname_in_ior") {
    into.set("PublishedEndpoints", std::string(protocol.ours).append(option) + ":" + std::string(port));
  } else if (name == "reuse_addr") {
    into.note("reuse_addr has no effect: a port is free as soon as its listener is gone");
  } else if (name == "priority") {
    return "no priority; -ORBLaneEndpoints has endpoints of lanes, as PRIORITY=iiop://HOST:PORT";
  } else if (name == "portspan") {
    return "one port; 0 lets the system choose one";
  } else {
    return "hostname_in_ior=HOST as the option of an endpoint";
  }
  return {};
}

bool is_ours(std::string_view endpoint) {
  return endpoint.starts_with("unix:") || endpoint.starts_with("shm:") || endpoint.starts_with("udp://") ||
         endpoint.starts_with("inproc:");
}

// Takes the address, which may have a scheme before it and options behind it. `protocol` is that of the
// address before it, or null, and becomes its own.
std::string take_address(const Setting& setting, std::string_view address, const Protocol*& protocol,
                         Collector& into) {
  constexpr std::string_view form = "iiop://HOST:PORT, ssliop://HOST:PORT or uiop://PATH";
  if (is_ours(address)) {
    into.set(setting.ours, std::string(address));
    return {};
  }
  if (const auto scheme = address.find("://"); scheme != address.npos) {
    const auto* const found = std::ranges::find(protocols, address.substr(0, scheme), &Protocol::name);
    protocol = found == std::end(protocols) ? nullptr : found;
    address.remove_prefix(scheme + 3);
  }
  if (!protocol) return std::string(form);
  std::string_view options = address;
  address = cut(options, protocol->option_mark);
  take_version(address, into);
  const std::string ours = protocol->has_port ? with_port(address) : std::string(address);
  const std::string port = protocol->has_port ? ours.substr(ours.rfind(':') + 1) : "";
  into.set(setting.ours, std::string(protocol->ours) + (protocol->name == "shmiop" ? "" : ours));
  while (!options.empty())
    if (std::string wrong = take_option(*protocol, cut(options, '&'), port, into); !wrong.empty())
      return wrong;
  return {};
}

}  // namespace

std::string tao_endpoints(const Setting& setting, std::string_view value, Collector& into) {
  do {
    std::string_view addresses = cut(value, ';');
    const Protocol* protocol = nullptr;
    do {
      if (std::string wrong = take_address(setting, cut(addresses, ','), protocol, into); !wrong.empty())
        return wrong;
    } while (!addresses.empty());
  } while (!value.empty());
  return {};
}

}  // namespace takt::orb::others
