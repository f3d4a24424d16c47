#include "reference/text/object_url.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include <takt/reference/name_text.h>

#include "base/ascii.h"
#include "giop/references/group.h"
#include "giop/references/profile.h"
#include "giop/references/secure_transport.h"
#include "reference/text/hex.h"
#include "reference/text/stringified_ior.h"
#include "reference/text/stringified_name.h"

namespace takt::reference {

namespace {

using Result = std::expected<ObjectUrl, UrlError>;

constexpr std::string_view default_key = "NameService";

bool is_plain(unsigned char c) {
  constexpr std::string_view marks = ";/:?@&=+$,-_.!~*'()";
  return c < 0x80 && (std::isalnum(c) != 0 || marks.find(static_cast<char>(c)) != marks.npos);
}

// Removes `prefix` from the front of `text`, ignoring case.
bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (!equal_ignoring_case(text.substr(0, prefix.size()), prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

template <class Number>
bool parse_number(std::string_view text, Number& number) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return !text.empty() && error == std::errc{} && stop == end;
}

// major.minor@
bool take_version(std::string_view& text, giop::Version& version) {
  const std::size_t at = text.find('@');
  if (at == text.npos) return true;
  const std::string_view digits = text.substr(0, at);
  const std::size_t dot = digits.find('.');
  text.remove_prefix(at + 1);
  return dot != digits.npos && parse_number(digits.substr(0, dot), version.major) &&
         parse_number(digits.substr(dot + 1), version.minor) && version.major == 1;
}

// [major.minor@]host[:port], with an IPv6 host in brackets.
bool parse_host_and_port(std::string_view text, ObjectAddress& address) {
  if (!take_version(text, address.version)) return false;
  std::size_t host_end = 0;
  if (text.starts_with('[')) {
    host_end = text.find(']');
    if (host_end == text.npos || host_end == 1) return false;
    address.host = text.substr(1, host_end - 1);
    text.remove_prefix(host_end + 1);
  } else {
    host_end = std::min(text.find(':'), text.size());
    address.host = text.substr(0, host_end);
    text.remove_prefix(host_end);
  }
  if (address.host.find_first_of("[] \t/") != std::string::npos) return false;
  if (text.empty()) return true;
  return text.front() == ':' && !address.host.empty() && parse_number(text.substr(1), address.port) &&
         address.port != 0;
}

bool is_path_protocol(std::string_view protocol) { return protocol == "uiop" || protocol == "omniunix"; }

// [major.minor@]path
bool parse_path(std::string_view text, ObjectAddress& address) {
  if (!take_version(text, address.version)) return false;
  address.host = text;
  return !text.empty();
}

std::optional<ObjectAddress> parse_address(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == text.npos) return std::nullopt;
  ObjectAddress address;
  address.protocol = colon == 0 ? "iiop" : std::string(text.substr(0, colon));
  std::ranges::transform(address.protocol, address.protocol.begin(), to_lower);
  if (!std::all_of(address.protocol.begin(), address.protocol.end(),
                   [](unsigned char c) { return c < 0x80 && std::isalnum(c) != 0; }))
    return std::nullopt;
  const std::string_view rest = text.substr(colon + 1);
  if (address.protocol == "rir") {
    if (!rest.empty()) return std::nullopt;
  } else if (address.protocol == "iiop" || address.protocol == "ssliop") {
    if (!parse_host_and_port(rest, address)) return std::nullopt;
  } else if (is_path_protocol(address.protocol)) {
    address.specific = rest;
    if (!parse_path(rest, address)) return std::nullopt;
  } else {
    address.specific = rest;
  }
  return address;
}

bool parse_addresses(std::string_view text, std::vector<ObjectAddress>& addresses) {
  for (;;) {
    const std::size_t comma = std::min(text.find(','), text.size());
    auto address = parse_address(text.substr(0, comma));
    if (!address) return false;
    addresses.push_back(std::move(*address));
    if (comma == text.size()) break;
    text.remove_prefix(comma + 1);
  }
  const auto is_initial = [](const ObjectAddress& address) { return address.protocol == "rir"; };
  return addresses.size() == 1 || std::none_of(addresses.begin(), addresses.end(), is_initial);
}

// A single group: its slash precedes the address, and it has no key.
std::expected<void, UrlError> parse_group_location(std::string_view text, ObjectUrl& url) {
  if (!giop::parse_group_url(text)) return std::unexpected(UrlError::bad_address);
  url.addresses.push_back({.protocol = "miop", .host = {}, .specific = std::string(text)});
  return {};
}

// addresses ["/" key] of corbaloc and corbaname. Paths contain slashes, so the key follows a bar in uiop, and
// ":/" in omniunix.
[[gnu::cold]] std::expected<void, UrlError> parse_location(std::string_view text, ObjectUrl& url) {
  if (take_prefix(text, "miop:")) return parse_group_location(text, url);
  constexpr std::string_view omniunix = "omniunix:";
  const bool of_omniorb = text.starts_with(omniunix);
  const std::string_view separator = of_omniorb ? ":/" : text.starts_with("uiop:") ? "|" : "/";
  const std::size_t addresses_end =
      std::min(text.find(separator, of_omniorb ? omniunix.size() : 0), text.size());
  if (!parse_addresses(text.substr(0, addresses_end), url.addresses))
    return std::unexpected(UrlError::bad_address);
  const std::string_view key = text.substr(std::min(addresses_end + separator.size(), text.size()));
  if (!unescape_url(key, url.key)) return std::unexpected(UrlError::bad_specific_part);
  if (url.key.empty()) url.key.assign(default_key.begin(), default_key.end());
  return {};
}

Result parse_corbaloc(std::string_view text) {
  ObjectUrl url;
  url.scheme = ObjectUrl::Scheme::corbaloc;
  if (auto parsed = parse_location(text, url); !parsed) return std::unexpected(parsed.error());
  return url;
}

Result parse_corbaname(std::string_view text) {
  ObjectUrl url;
  url.scheme = ObjectUrl::Scheme::corbaname;
  const std::size_t hash = std::min(text.find('#'), text.size());
  if (auto parsed = parse_location(text.substr(0, hash), url); !parsed)
    return std::unexpected(parsed.error());
  std::vector<std::uint8_t> name;
  if (!unescape_url(text.substr(std::min(hash + 1, text.size())), name))
    return std::unexpected(UrlError::bad_specific_part);
  url.name.assign(name.begin(), name.end());
  if (!url.name.empty() && !parse_name(url.name)) return std::unexpected(UrlError::bad_specific_part);
  return url;
}

Result parse_ior(std::string_view text) {
  auto ior = ior_from_text(text);
  if (!ior) return std::unexpected(UrlError::bad_specific_part);
  ObjectUrl url;
  url.ior = std::move(*ior);
  return url;
}

Result parse_file(std::string_view path) {
  if (path.empty()) return std::unexpected(UrlError::bad_specific_part);
  ObjectUrl url;
  url.scheme = ObjectUrl::Scheme::file;
  url.path = path;
  return url;
}

}  // namespace

bool is_object_location(std::string_view text) {
  if (text.find('#') != text.npos) return false;
  const Result url = parse_object_url("corbaname:" + std::string(text));
  return url && std::ranges::all_of(url->addresses, [](const ObjectAddress& address) {
           return !address.host.empty() || !address.specific.empty() || address.protocol == "rir";
         });
}

Result parse_object_url(std::string_view text) {
  const std::string_view whole = text;
  if (take_prefix(text, "ior:")) return parse_ior(whole);
  if (take_prefix(text, "corbaloc:")) return parse_corbaloc(text);
  if (take_prefix(text, "corbaname:")) return parse_corbaname(text);
  if (take_prefix(text, "file://")) return parse_file(text);
  if (take_prefix(text, "file:")) return parse_file(text);
  return std::unexpected(UrlError::bad_scheme);
}

namespace {

// Components need IIOP version 1.1.
void put_secure_port(giop::IiopProfile& profile) {
  using namespace giop::association;
  profile.version.minor = std::max<std::uint8_t>(profile.version.minor, 1);
  const auto protection = static_cast<Options>(integrity | confidentiality);
  profile.components.push_back(giop::make_secure_transport_component({protection, protection, profile.port}));
  profile.port = 0;
}

}  // namespace

[[gnu::cold]] cdr::Ior ior_of(const ObjectUrl& url, std::string_view local_host) {
  cdr::Ior ior;
  for (const ObjectAddress& address : url.addresses) {
    if (const auto group =
            address.protocol == "miop" ? giop::parse_group_url(address.specific) : std::nullopt)
      ior.profiles.push_back(giop::write_group_profile(group->address, group->group));
    const bool is_path = is_path_protocol(address.protocol), is_secure = address.protocol == "ssliop";
    if (address.protocol != "iiop" && !is_secure && !is_path) continue;
    giop::IiopProfile profile;
    profile.version = {1, std::min(address.version.minor, giop::highest_minor)};
    profile.host = address.host.empty() ? local_host : std::string_view(address.host);
    profile.port = address.port;
    profile.object_key = url.key;
    if (is_secure) put_secure_port(profile);
    ior.profiles.push_back(giop::write_profile(
        profile, is_path ? giop::ProfileLayout{giop::unix_profile, false} : giop::ProfileLayout()));
  }
  return ior;
}

std::string escape_url(ByteView octets) {
  std::string text;
  text.reserve(octets.size());
  for (const std::uint8_t octet : octets) {
    if (is_plain(octet)) {
      text += static_cast<char>(octet);
    } else {
      text += '%';
      append_hex(text, octet);
    }
  }
  return text;
}

bool unescape_url(std::string_view text, std::vector<std::uint8_t>& octets) {
  octets.clear();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      if (!is_plain(static_cast<unsigned char>(text[i]))) return false;
      octets.push_back(static_cast<std::uint8_t>(text[i]));
      continue;
    }
    if (i + 2 >= text.size()) return false;
    const int octet = hex_octet(text[i + 1], text[i + 2]);
    if (octet < 0) return false;
    octets.push_back(static_cast<std::uint8_t>(octet));
    i += 2;
  }
  return true;
}

}  // namespace takt::reference
