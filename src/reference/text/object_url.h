// The forms that string_to_object accepts: IOR:, corbaloc:, corbaname: and file: (CORBA 3.0.3, 13.6.10).
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/cdr/ior.h>

#include "giop/header/version.h"

namespace takt::reference {

// The values are OMG minor codes of BAD_PARAM.
enum class UrlError : std::uint8_t {
  bad_scheme = 7,
  bad_address = 8,
  bad_specific_part = 9,  // the part after the scheme
  other = 10,
};

inline constexpr std::uint16_t default_port = 2809;

struct ObjectAddress {
  // "iiop", "ssliop", "rir"; "uiop" (TAO's) or "omniunix" (omniORB's), which are equivalent; "miop", for
  // whose `specific` see parse_group_url(); or another name.
  std::string protocol;
  giop::Version version{1, 0};
  std::string host;  // empty: this host; a path in uiop and omniunix
  std::uint16_t port = default_port;
  std::string specific;  // the text after "protocol:", for miop and protocols not listed above
};

struct ObjectUrl {
  enum class Scheme : std::uint8_t { ior, corbaloc, corbaname, file };
  Scheme scheme = Scheme::ior;
  cdr::Ior ior;                          // set for scheme ior
  std::vector<ObjectAddress> addresses;  // set for corbaloc and corbaname, at least one; rir is the only one
  std::vector<std::uint8_t> key;         // unescaped; "NameService" by default
  std::string name;                      // corbaname: the stringified name, unescaped; may be empty
  std::string path;                      // set for scheme file

  bool is_initial_reference() const { return !addresses.empty() && addresses.front().protocol == "rir"; }
};

std::expected<ObjectUrl, UrlError> parse_object_url(std::string_view text);

// The reference for a corbaloc or corbaname URL with addresses of TCP, TLS, UNIX-domain sockets or multicast:
// without a type, one profile per address. `local_host` replaces an empty host.
cdr::Ior ior_of(const ObjectUrl& url, std::string_view local_host);

// Writes octets that a URL cannot contain as %hh.
std::string escape_url(ByteView octets);
// Returns false if the text has characters that a URL cannot contain, or a % without two hexadecimal digits.
bool unescape_url(std::string_view text, std::vector<std::uint8_t>& octets);

}  // namespace takt::reference
