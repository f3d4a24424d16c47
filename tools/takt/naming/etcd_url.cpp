#include "naming/etcd_url.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace takt::command {
namespace {

constexpr std::string_view plain = "etcd://", secure = "etcds://";
constexpr std::string_view host_characters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";
constexpr std::string_view path_characters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_/";
constexpr std::size_t most_prefix_octets = 256;

bool consists_of(std::string_view text, std::string_view characters) {
  return !text.empty() && text.find_first_not_of(characters) == std::string_view::npos;
}

bool is_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), port);
  return fault == std::errc() && end == text.data() + text.size() && port != 0;
}

// HOST:PORT or HOST, where HOST may be an IPv6 address in brackets.
std::optional<std::string> address(std::string_view text) {
  std::string_view host = text, port = "2379";
  const bool bracketed = text.starts_with('[');
  const auto end_of_host = bracketed ? text.find(']') : text.find(':');
  if (bracketed && end_of_host == std::string_view::npos) return std::nullopt;
  if (end_of_host != std::string_view::npos) {
    host = text.substr(0, end_of_host + (bracketed ? 1 : 0));
    const std::string_view rest = text.substr(host.size());
    if (!rest.empty()) {
      if (rest.front() != ':') return std::nullopt;
      port = rest.substr(1);
    }
  }
  const bool valid =
      bracketed ? host.size() > 2 && consists_of(host.substr(1, host.size() - 2), "0123456789abcdefABCDEF:.")
                : consists_of(host, host_characters);
  if (!valid || !is_port(port)) return std::nullopt;
  return std::string(host) + ':' + std::string(port);
}

}  // namespace

bool is_etcd_url(std::string_view store) { return store.starts_with(plain) || store.starts_with(secure); }

std::expected<EtcdUrl, std::string> parsed_etcd_url(std::string_view store) {
  const auto wrong = [&](std::string_view why) {
    return std::unexpected("'" + std::string(store) +
                           "' is not etcd://HOST[:PORT][,HOST[:PORT]...][/PREFIX]: " + std::string(why));
  };
  const bool tls = store.starts_with(secure);
  std::string_view rest = store.substr(tls ? secure.size() : plain.size());
  EtcdUrl url{.members = {}, .prefix = "/takt/naming"};
  if (const auto slash = rest.find('/'); slash != std::string_view::npos) {
    std::string_view prefix = rest.substr(slash);
    while (prefix.ends_with('/')) prefix.remove_suffix(1);
    if (!prefix.empty() && (!consists_of(prefix, path_characters) || prefix.size() > most_prefix_octets))
      return wrong("a prefix has up to 256 letters, digits, and the characters . - _ /");
    if (!prefix.empty()) url.prefix = prefix;
    rest = rest.substr(0, slash);
  }
  for (bool more = true; more;) {
    const auto comma = rest.find(',');
    const auto member = address(rest.substr(0, comma));
    if (!member) return wrong("'" + std::string(rest.substr(0, comma)) + "' is no address");
    url.members.push_back((tls ? "https://" : "http://") + *member);
    more = comma != std::string_view::npos;
    if (more) rest.remove_prefix(comma + 1);
  }
  return url;
}

}  // namespace takt::command
