#include "foreign/omniorb_endpoints.h"

#include <optional>

#include "foreign/collector.h"
#include "foreign/conversions.h"
#include "foreign/text_lines.h"
#include "os/environment.h"
#include "os/net/unix_socket.h"

namespace takt::orb::others {

namespace {

constexpr std::string_view form =
    "giop:tcp:HOST:PORT, giop:tcp:HOST:FIRST-LAST, giop:ssl:HOST:PORT or giop:unix:PATH";

// HOST:PORT, of which each part may be missing; nullopt if it is not of that form.
std::optional<std::string> address(std::string_view text, bool may_be_range) {
  const auto bracket = text.rfind(']');
  const auto colon = text.find(':', bracket == text.npos ? 0 : bracket);
  const std::string_view host = text.substr(0, colon),
                         port = colon == text.npos ? std::string_view() : text.substr(colon + 1);
  if (const auto dash = port.find('-'); dash != port.npos) {
    const auto first = number_in(port.substr(0, dash)), last = number_in(port.substr(dash + 1));
    if (!may_be_range || !first || !last || *first == 0 || *last < *first || *last > 65535)
      return std::nullopt;
    return std::string(host) + ":" + std::to_string(*first) + "-" + std::to_string(*last);
  }
  const auto number = port.empty() ? 0 : number_in(port);
  if (!number || *number > 65535) return std::nullopt;
  return std::string(host) + ":" + std::to_string(*number);
}

// An endpoint of Takt; nullopt if `text` is none of omniORB's.
std::optional<std::string> endpoint(std::string_view text, const std::string& socket_folder,
                                    bool may_be_range = true) {
  constexpr std::string_view scheme = "giop:";
  if (!text.starts_with(scheme)) return std::nullopt;
  text.remove_prefix(scheme.size());
  const auto colon = text.find(':');
  const std::string_view transport = text.substr(0, colon),
                         rest = colon == text.npos ? std::string_view() : text.substr(colon + 1);
  if (transport == "unix") {
    const bool is_relative = !rest.empty() && !rest.starts_with('/') && !socket_folder.empty();
    return "unix:" + (is_relative ? socket_folder + "/" : "") + std::string(rest);
  }
  if (transport != "tcp" && transport != "ssl") return std::nullopt;
  const auto where = address(rest, may_be_range);
  if (!where) return std::nullopt;
  return (transport == "tcp" ? "iiop://" : "ssliop://") + *where;
}

bool asks_for_addresses(std::string_view rule) { return rule == "addr" || rule == "ipv4" || rule == "ipv6"; }
bool asks_for_name(std::string_view rule) { return rule == "name" || rule == "hostname" || rule == "fqdn"; }

// One rule, of whose alternatives the first counts.
bool publish(const Setting& setting, std::string_view rule, Collector& into) {
  if (rule.starts_with("all(") && rule.ends_with(')')) rule = rule.substr(4, rule.size() - 5);
  rule = trimmed(rule.substr(0, rule.find('|')));
  if (asks_for_addresses(rule)) {
    into.set(setting.ours, "own");
    return true;
  }
  if (asks_for_name(rule)) {
    into.set(setting.ours, "iiop://" + os::host_name() + ":0");
    return true;
  }
  const auto published = endpoint(rule, into.socket_folder, false);
  if (published) into.set(setting.ours, *published);
  return published.has_value();
}

}  // namespace

std::string omniorb_endpoint(const Setting& setting, std::string_view value, Collector& into) {
  const auto found = endpoint(value, into.socket_folder);
  if (!found) return std::string(form);
  into.set(setting.ours, *found);
  return {};
}

std::string omniorb_unpublished(const Setting& setting, std::string_view value, Collector& into) {
  const auto found = endpoint(value, into.socket_folder);
  if (!found) return std::string(form);
  into.set(setting.ours, *found + "?publish=none");
  return {};
}

std::string omniorb_also_published(const Setting& /*setting*/, std::string_view value, Collector& into) {
  const auto found = endpoint(value, into.socket_folder, false);
  if (!found) return std::string(form);
  into.publish_too(*found);
  return {};
}

std::string omniorb_published(const Setting& setting, std::string_view value, Collector& into) {
  while (true) {
    // A comma within all(...) divides rules, too; each then has its own addresses or names.
    const auto end = value.find(',');
    std::string_view rule = trimmed(value.substr(0, end));
    if (rule.starts_with("all(") && !rule.ends_with(')')) rule.remove_prefix(4);
    if (!rule.starts_with("all(") && rule.ends_with(')')) rule.remove_suffix(1);
    if (!publish(setting, rule, into))
      return "addr, ipv4, ipv6, name, hostname, fqdn, all(...) or an endpoint (" + std::string(form) + ")";
    if (end == value.npos) return {};
    value.remove_prefix(end + 1);
  }
}

std::string omniorb_socket_folder(const Setting& /*setting*/, std::string_view value, Collector& into) {
  into.socket_folder = value;
  if (const auto user = into.socket_folder.find("%u"); user != std::string::npos)
    into.socket_folder.replace(user, 2, os::user_name());
  return {};
}

}  // namespace takt::orb::others
