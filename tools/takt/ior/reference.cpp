#include "ior/reference.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>

#include "common/files.h"
#include "giop/references/group.h"
#include "ior/fields.h"
#include "ior/object_keys.h"
#include "ior/profiles.h"
#include "ior/warnings.h"
#include "reference/text/hex.h"
#include "reference/text/stringified_name.h"

namespace takt::command {
namespace {

using Scheme = reference::ObjectUrl::Scheme;

constexpr std::size_t longest_bytes = std::size_t{4} << 20;
constexpr int most_files = 10;  // each may refer to the next with `file:`
constexpr std::size_t prefix = 4;

std::expected<std::string, std::string> all_of(std::istream& in, const std::string& name) {
  std::string text(longest_bytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (in.bad() || (in.gcount() == 0 && !in.eof())) return std::unexpected(cannot_be_read(name));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > longest_bytes) return std::unexpected(name + ": holds more than 4 MiB");
  return text;
}

std::expected<std::string, std::string> file_text(const std::string& path) {
  std::error_code none;
  if (std::filesystem::is_socket(path, none))
    return std::unexpected(path +
                           " is a socket, not a file that holds a reference; the object with key KEY there "
                           "is corbaloc:uiop:1.2@" +
                           path + "|KEY");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::unexpected(cannot_be_read(path));
  return all_of(file, path);
}

// Whether the text is HOST:PORT, with or without a key after it.
bool is_address(const std::string& text) {
  const auto colon = text.find(':');
  if (colon == text.npos || colon == 0) return false;
  const auto is_of_host = [](unsigned char c) { return std::isalnum(c) || c == '.' || c == '-' || c == '_'; };
  if (!std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(colon), is_of_host)) return false;
  const auto end = std::min(text.find_first_not_of("0123456789", colon + 1), text.size());
  return end > colon + 1 && (end == text.size() || text[end] == '/');
}

// `text` is neither a reference nor the name of a file.
std::string neither(const std::string& text) {
  std::string said = "'" + text +
                     "' is no object reference: there is no file of this name, and it does not begin with "
                     "IOR:, corbaloc:, corbaname: or "
                     "file:";
  if (is_address(text))
    said += "; an object at that address is corbaloc::" + text + (text.find('/') == text.npos ? "/KEY" : "");
  return said;
}

std::string trimmed(const std::string& text) {
  constexpr const char* blanks = " \t\r\n";
  const auto first = text.find_first_not_of(blanks);
  return first == text.npos ? "" : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// Why giop refuses the octets.
std::string fault_in(const std::vector<std::uint8_t>& octets) {
  Fields in(octets);
  const ByteView type = in.octets("the type id");
  if (in.ok() && !type.empty() && type.back() != 0) return "octet 8: the type id does not end with a NUL";
  const auto profiles = in.count("profiles", 8);
  for (std::uint32_t i = 0; i < profiles && in.ok(); ++i) {
    in.number<std::uint32_t>("the tag of profile " + std::to_string(i));
    in.octets("profile " + std::to_string(i));
  }
  return in.ok() ? "it is not an object reference" : in.error();
}

// Why giop refuses an "IOR:..." text.
std::string fault_in_ior(const std::string& text) {
  std::vector<std::uint8_t> octets;
  for (std::size_t i = prefix; i < text.size(); ++i)
    if (reference::hex_digit(text[i]) < 0)
      return "character " + std::to_string(i + 1) +
             " is not a hexadecimal digit; is a line broken or quoted?";
  if (text.size() % 2 != 0)
    return "the number of digits is odd, " + std::to_string(text.size() - prefix) + ": some are missing";
  for (std::size_t i = prefix; i < text.size(); i += 2)
    octets.push_back(static_cast<std::uint8_t>(reference::hex_octet(text[i], text[i + 1])));
  return fault_in(octets) + "; a part of it may be missing";
}

// The first number after a colon that is too large for a port, if any.
std::optional<std::string> impossible_port(const std::string& text) {
  for (auto at = text.find(':'); at != text.npos; at = text.find(':', at + 1)) {
    const auto end = std::min(text.find_first_not_of("0123456789", at + 1), text.size());
    const std::string digits = text.substr(at + 1, end - at - 1);
    if (digits.size() > 5 || (digits.size() == 5 && digits > "65535")) return digits;
  }
  return std::nullopt;
}

// `file` is the file that holds the text; empty if a user gave the text itself.
std::string fault_in_url(const std::string& text, reference::UrlError error, const std::string& file) {
  switch (error) {
    case reference::UrlError::bad_scheme:
      if (file.empty()) return neither(text);
      if (text.empty()) return file + " is empty; it should hold an object reference";
      return file + " holds no object reference: it does not begin with IOR:, corbaloc:, corbaname: or file:";
    case reference::UrlError::bad_address:
      if (const auto port = impossible_port(text)) return "bad address: port " + *port + " is above 65535";
      return "bad address; write [MAJOR.MINOR@]HOST[:PORT] after iiop: or a colon, as in "
             "corbaloc:iiop:1.2@host:2809/KEY; a group's address is "
             "corbaloc:miop:1.0-DOMAIN-NUMBER/HOST:PORT";
    case reference::UrlError::bad_specific_part:
      if (text.size() >= prefix && (text[0] | 0x20) == 'i') return fault_in_ior(text);
      return "bad key or name: write octets other than letters, digits and ;/:?@&=+$,-_.!~*'() as "
             "%hh, and end no component of a name with a dot";
    case reference::UrlError::other:
      break;
  }
  return "it is not an object reference";
}

Json addresses_json(const reference::ObjectUrl& url) {
  Json list = Json::array();
  for (const reference::ObjectAddress& address : url.addresses) {
    Json json = {{"protocol", address.protocol}};
    if (const auto group =
            address.protocol == "miop" ? giop::parse_group_url(address.specific) : std::nullopt) {
      json["host"] = group->address.host;
      json["port"] = group->address.port;
      json["domain"] = group->group.domain;
      json["group"] = group->group.id;
      json["reference_version"] = group->group.reference_version;
    } else if (!address.specific.empty()) {
      json["address"] = address.specific;
    } else if (address.protocol != "rir") {
      json["version"] = std::to_string(address.version.major) + "." + std::to_string(address.version.minor);
      json["host"] = address.host.empty() ? "(this machine)" : address.host;
      json["port"] = address.port;
    }
    list.push_back(json);
  }
  return list;
}

Json name_json(const std::string& text) {
  Json list = Json::array();
  const auto name = reference::parse_name(text);
  if (name)
    for (const auto& component : *name) list.push_back({{"id", component.id}, {"kind", component.kind}});
  return list;
}

void add_url(const reference::ObjectUrl& url, Json& json) {
  json["addresses"] = addresses_json(url);
  const bool is_group = url.addresses.front().protocol == "miop";  // a group has no object key
  if (!is_group) json["object_key"] = key_json(url.key);
  if (url.scheme == Scheme::corbaname) json["name"] = name_json(url.name);
}

void add_ior(const Reference& reference, Json& json) {
  json["type_id"] = reference.ior.type_id;
  json["nil"] = reference.ior.is_nil();
  json["byte_order"] = reference::hex_octet(reference.text[prefix], reference.text[prefix + 1]) == 1
                           ? "little-endian"
                           : "big-endian";
  json["profiles"] = Json::array();
  for (const auto& profile : reference.ior.profiles) json["profiles"].push_back(profile_json(profile));
}

}  // namespace

std::vector<std::string> warnings_about(const Reference& reference) {
  if (reference.url.is_initial_reference()) return {};
  if (reference.url.scheme != Scheme::ior && reference.ior.profiles.empty())
    return {"Takt supports none of the addresses"};
  return warnings_of(reference.ior, reference.url.scheme != Scheme::ior);
}

std::expected<Reference, std::string> reference_from(const std::string& given) {
  auto text =
      given == "-" ? all_of(std::cin, "standard input") : std::expected<std::string, std::string>(given);
  std::string file = given == "-" ? "standard input" : "";
  const auto read = [&](const std::string& path) {
    file = path;
    text = file_text(path);
  };
  for (int files = 0; files <= most_files; ++files) {
    if (!text) return std::unexpected(text.error());
    *text = trimmed(*text);
    auto url = reference::parse_object_url(*text);
    if (!url && url.error() == reference::UrlError::bad_scheme && files == 0 && given != "-") {
      if (std::error_code none; std::filesystem::exists(std::filesystem::symlink_status(given, none))) {
        read(given);
        continue;
      }
    }
    if (!url) return std::unexpected(fault_in_url(*text, url.error(), file));
    if (url->scheme == Scheme::file) {
      read(url->path);
      continue;
    }
    Reference reference{*text, std::move(*url), {}};
    reference.ior = reference.url.scheme == Scheme::ior ? reference.url.ior
                                                        : reference::ior_of(reference.url, "localhost");
    return reference;
  }
  return std::unexpected("more than " + std::to_string(most_files) + " files, each of which names the next");
}

Json description_of(const Reference& reference) {
  constexpr std::string_view schemes[] = {"IOR", "corbaloc", "corbaname", "file"};
  Json json = {{"scheme", schemes[static_cast<std::size_t>(reference.url.scheme)]}};
  if (reference.url.scheme == Scheme::ior)
    add_ior(reference, json);
  else
    add_url(reference.url, json);
  json["warnings"] = warnings_about(reference);
  return json;
}

}  // namespace takt::command
