#include "foreign/tao_endpoints.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>

#include "foreign/collector.h"
#include "foreign/conversions.h"

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

// The options of one endpoint that have an effect.
struct EndpointOptions {
  std::string publish;  // "?publish=HOST"
  unsigned ports = 1;
  std::string lane;      // "PRIORITY="
  std::string tls_port;  // the port of a second endpoint, with TLS
};

std::optional<unsigned> number_up_to(std::string_view text, unsigned most) {
  const auto number = number_in(text);
  if (!number || *number > most) return std::nullopt;
  return static_cast<unsigned>(*number);
}

// "" if it can be followed.
std::string take_option(std::string_view option, EndpointOptions& options, Collector& into) {
  const std::string_view name = cut(option, '=');
  if (name == "hostname_in_ior" && !option.empty()) {
    options.publish = "?publish=" + std::string(option);
  } else if (name == "reuse_addr") {
    into.note("reuse_addr has no effect: a port is free as soon as its listener is gone");
  } else if (name == "priority" && number_up_to(option, 32767)) {
    options.lane = std::string(option) + "=";
  } else if (name == "portspan" && number_up_to(option, 65535).value_or(0) > 0) {
    options.ports = *number_up_to(option, 65535);
  } else if (name == "ssl_port" && number_up_to(option, 65535)) {
    options.tls_port = option;
  } else {
    return "hostname_in_ior=HOST, portspan=COUNT, priority=NUMBER or ssl_port=PORT as the options of an "
           "endpoint";
  }
  return {};
}

// HOST:FIRST-LAST for more ports than one; "" beyond the last port.
std::string with_span(const std::string& address, unsigned ports) {
  if (ports == 1) return address;
  const auto colon = address.rfind(':');
  const auto first = number_in(std::string_view(address).substr(colon + 1));
  if (!first || *first == 0) return address;  // the system chooses one
  const auto last = *first + ports - 1;
  return last > 65535 ? std::string() : address + "-" + std::to_string(last);
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
  EndpointOptions chosen;
  while (!options.empty())
    if (std::string wrong = take_option(cut(options, '&'), chosen, into); !wrong.empty()) return wrong;
  if (!protocol->has_port) {
    into.set(setting.ours, std::string(protocol->ours) +
                               (protocol->name == "shmiop" ? std::string() : std::string(address)));
    return {};
  }
  const std::string ours = with_port(address), spanned = with_span(ours, chosen.ports);
  if (spanned.empty()) return "a port and a span up to port 65535";
  into.set(chosen.lane.empty() ? setting.ours : "LaneEndpoints",
           chosen.lane + std::string(protocol->ours) + spanned + chosen.publish);
  if (!chosen.tls_port.empty())
    into.set(setting.ours,
             "ssliop://" + ours.substr(0, ours.rfind(':') + 1) + chosen.tls_port + chosen.publish);
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
