// What string_to_object understands: IOR:, corbaloc:, corbaname: and file: (CORBA 3.0.3, 13.6.10).
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/cdr/ior.h>

#include "giop/header/version.h"

namespace takt::giop {

// The values are the OMG minor codes of BAD_PARAM.
enum class UrlError : std::uint8_t {
  bad_scheme = 7,
  bad_address = 8,
  bad_specific_part = 9,  // what follows the scheme
  other = 10,
};

inline constexpr std::uint16_t default_port = 2809;

struct ObjectAddress {
  // "iiop", "ssliop", "rir"; "uiop" (TAO's) and "omniunix" (omniORB's), which mean the same; "miop", whose
  // `specific` parse_group_url() takes; or another one.
  std::string protocol;
  Version version{1, 0};
  std::string host;  // empty: this host. Of uiop and omniunix: a path
  std::uint16_t port = default_port;
  std::string specific;  // all after "protocol:", for protocols that are not listed above
};

struct ObjectUrl {
  enum class Scheme : std::uint8_t { ior, corbaloc, corbaname, file };
  Scheme scheme = Scheme::ior;
  cdr::Ior ior;                          // of ior
  std::vector<ObjectAddress> addresses;  // of corbaloc and corbaname, at least one; rir is alone
  std::vector<std::uint8_t> key;         // unescaped; NameService if there was none
  std::string name;                      // of corbaname: the stringified name, unescaped; may be empty
  std::string path;                      // of file

  bool is_initial_reference() const { return !addresses.empty() && addresses.front().protocol == "rir"; }
};

std::expected<ObjectUrl, UrlError> parse_object_url(std::string_view text);

// The reference that a corbaloc or corbaname URL with addresses of TCP, TLS, UNIX-domain sockets and
// multicast means: without a type, one profile for each address. `local_host` stands in for an empty host.
cdr::Ior ior_of(const ObjectUrl& url, std::string_view local_host);

// Octets that a URL cannot hold as they are written as %hh.
std::string escape_url(ByteView octets);
// False if it holds what a URL cannot, or a % that two hexadecimal digits do not follow.
bool unescape_url(std::string_view text, std::vector<std::uint8_t>& octets);

}  // namespace takt::giop
