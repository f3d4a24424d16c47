#include "ior/warnings.h"

#include <algorithm>
#include <cstdio>

#include "giop/contexts/priorities.h"
#include "giop/references/group.h"
#include "giop/references/profile.h"
#include "giop/references/secure_transport.h"
#include "ior/profiles.h"
#include "os/net/address.h"

namespace takt::command {
namespace {

constexpr std::uint32_t ssl_component = 20;

// Whether the address is in a private network, unreachable from others (RFC 1918, 6598, 4193).
bool is_private(const os::Address& address) {
  if (address.family() == os::Address::Family::v6) {
    const auto text = address.host_text();
    return text.starts_with("fc") || text.starts_with("fd");
  }
  unsigned octets[4] = {};
  if (std::sscanf(address.host_text().c_str(), "%u.%u.%u.%u", &octets[0], &octets[1], &octets[2],
                  &octets[3]) != 4)
    return false;
  return octets[0] == 10 || (octets[0] == 172 && octets[1] >= 16 && octets[1] < 32) ||
         (octets[0] == 192 && octets[1] == 168) || (octets[0] == 100 && octets[1] >= 64 && octets[1] < 128);
}

// How a server of the ORB that made the profile listens for other machines.
std::string how_to_listen(const giop::IiopProfile& profile, bool by_tls) {
  const auto type = orb_type_of(profile);
  const std::string others = "; for clients on other machines, ", start = others + "start the server with ";
  if (type == giop::takt_orb_type)
    return start + "-ORBListenEndpoints " + (by_tls ? "ssliop://:0" : "iiop://:0");
  if (type == giop::omniorb_orb_type) return start + "-ORBendPoint " + (by_tls ? "giop:ssl::" : "giop:tcp::");
  if (type == giop::tao_orb_type && !by_tls) return start + "-ORBListenEndpoints iiop://:PORT";
  return others + "let the server listen at an address that they can reach";
}

std::string fault_of(const std::string& host, const std::string& how_to_listen) {
  if (host.empty()) return "the host is empty: the server does not know its own address";
  const auto address = os::Address::parse(host, 0);
  if (!address) {
    if (host == "localhost") return "localhost means the machine on which the client runs" + how_to_listen;
    return host.find('.') == host.npos ? "a name without a domain: other networks may not resolve it" : "";
  }
  if (address->is_wildcard())
    return "the wildcard address is for listening only; no client can connect to it";
  if (address->is_loopback())
    return "a loopback address: it leads to the client's own machine" + how_to_listen;
  if (address->is_link_local()) return "a link-local address: valid on one network link only";
  if (is_private(*address)) return "a private address: valid inside its own network only";
  return "";
}

class Warnings {
 public:
  explicit Warnings(bool typed) : typed_(typed) {}

  void add(const std::string& text) {
    if (std::ranges::find(list_, text) == list_.end()) list_.push_back(text);
  }
  void host(const std::string& where, const giop::HostPort& address, const std::string& how_to_listen) {
    const std::string fault = fault_of(address.host, how_to_listen);
    if (!fault.empty()) add(where + " " + os::host_and_port(address.host, address.port) + ": " + fault);
  }
  void profile(const std::string& where, const cdr::TaggedProfile& tagged);
  void group(const std::string& where, const cdr::TaggedProfile& tagged);
  std::vector<std::string> taken() { return std::move(list_); }

 private:
  void internet(const std::string& where, const giop::IiopProfile& profile);
  void unix_path(const std::string& where, const giop::IiopProfile& profile, bool memory);

  std::vector<std::string> list_;
  const bool typed_;  // a user wrote the addresses
};

// The port of the profile's TLS endpoint; 0 if it has none.
std::uint16_t tls_port_of(const giop::IiopProfile& profile) {
  for (const auto& component : profile.components)
    if (const auto tls = giop::read_secure_transport(component); tls && tls->port != 0) return tls->port;
  return 0;
}

void Warnings::internet(const std::string& where, const giop::IiopProfile& profile) {
  if (profile.port == 0) {
    if (profile.find(ssl_component))
      add(where + ": port 0: the server accepts TLS connections only");
    else if (profile.find(giop::unix_path_component))
      add(where + ": port 0: the server listens at a path only, for clients on its own machine");
    else
      add(where + ": port 0: no client can connect; the server was not listening");
  }
  const std::uint16_t tls_port = tls_port_of(profile);
  const std::string how = typed_ ? "" : how_to_listen(profile, profile.port == 0 && tls_port != 0);
  for (giop::HostPort address : profile.addresses()) {
    if (address.port == 0 && profile.find(giop::unix_path_component)) continue;
    if (address.port == 0) address.port = tls_port;
    host(where, address, how);
  }
  for (const auto& component : profile.components)
    for (const auto& endpoint : giop::read_priority_endpoints(component)) host(where, endpoint.address, how);
  if (profile.version.minor == 0)
    add(where + ": version 1.0 negotiates no code sets: text beyond ISO 8859-1 and wide text fail");
}

void Warnings::unix_path(const std::string& where, const giop::IiopProfile& profile, bool memory) {
  add(where + (memory ? ": shared memory" : ": a UNIX-domain socket") +
      " works on the server's own machine only" +
      (profile.host.starts_with('@') ? ", in its network namespace" : ""));
}

void Warnings::group(const std::string& where, const cdr::TaggedProfile& tagged) {
  add(where + (giop::read_group_profile(tagged)
                   ? ": a multicast group: it takes oneway requests and never replies"
                   : ": malformed or without a group; clients skip it"));
}

void Warnings::profile(const std::string& where, const cdr::TaggedProfile& tagged) {
  const auto read = giop::read_profile(tagged, *form_of(tagged.tag));
  if (!read) {
    add(where + (read.error() == giop::ProfileError::version ? ": the version is not 1.x; clients skip it"
                                                             : ": malformed; clients skip it"));
    return;
  }
  if (read->object_key.empty()) add(where + ": the object key is empty");
  if (tagged.tag == giop::internet_profile || tagged.tag == giop::udp_profile)
    internet(where, *read);
  else
    unix_path(where, *read, tagged.tag == giop::shared_memory_profile);
}

}  // namespace

std::vector<std::string> warnings_of(const cdr::Ior& ior, bool typed) {
  Warnings warnings(typed);
  if (ior.is_nil()) {
    warnings.add("this is the nil reference: it denotes no object");
    return warnings.taken();
  }
  bool any = false;
  for (std::size_t i = 0; i < ior.profiles.size(); ++i) {
    if (ior.profiles[i].tag == giop::in_process_profile) {
      any = true;
      warnings.add("profile " + std::to_string(i) + ": works within the server's own process only");
    }
    if (ior.profiles[i].tag == giop::group_profile) {
      any = true;
      warnings.group("profile " + std::to_string(i), ior.profiles[i]);
    }
    if (!is_understood(ior.profiles[i].tag)) continue;
    any = true;
    warnings.profile("profile " + std::to_string(i), ior.profiles[i]);
  }
  if (!any && !ior.profiles.empty()) warnings.add("Takt supports none of the profiles");
  if (ior.profiles.empty()) warnings.add("there is no profile, so no address for the object");
  return warnings.taken();
}

}  // namespace takt::command
