// IIOP profiles, and similar ones of other transports: the addresses and key of an object (CORBA 3.0.3,
// 15.7.2).
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/cdr/ior.h>

#include "giop/header/version.h"

namespace takt::giop {

inline constexpr std::uint32_t internet_profile = 0;                // TAG_INTERNET_IOP
inline constexpr std::uint32_t multiple_components_profile = 1;     // TAG_MULTIPLE_COMPONENTS
inline constexpr std::uint32_t unix_profile = 0x54414f00;           // UNIX-domain sockets: TAO's UIOP
inline constexpr std::uint32_t shared_memory_profile = 0x54414b04;  // Takt's own, like the next two
inline constexpr std::uint32_t in_process_profile = 0x54414b08;
inline constexpr std::uint32_t udp_profile = 0x54414b09;

inline constexpr std::uint32_t orb_type_component = 0;
inline constexpr std::uint32_t code_sets_component = 1;
inline constexpr std::uint32_t policies_component = 2;
inline constexpr std::uint32_t alternate_address_component = 3;

inline constexpr std::uint32_t takt_orb_type = 0x54414b54;  // "TAKT"
inline constexpr std::uint32_t tao_orb_type = 0x54414f00, omniorb_orb_type = 0x41545400;

// Additional data of a profile, usually an encapsulation. Its octets are kept unchanged.
struct TaggedComponent {
  std::uint32_t tag = 0;
  std::vector<std::uint8_t> data;
  friend bool operator==(const TaggedComponent&, const TaggedComponent&) = default;
};

struct HostPort {
  std::string host;  // a name, or an IPv4 or IPv6 address without brackets
  std::uint16_t port = 0;
  friend bool operator==(const HostPort&, const HostPort&) = default;
};

// Maximum addresses of one profile, because a peer chooses their number; further ones are ignored.
inline constexpr std::size_t max_addresses = 64;

struct IiopProfile {
  Version version;
  std::string host;
  std::uint16_t port = 0;
  std::vector<std::uint8_t> object_key;
  std::vector<TaggedComponent> components;  // empty in version 1.0

  const TaggedComponent* find(std::uint32_t tag) const;
  // Addresses in the order to try: the profile's own, then TAG_ALTERNATE_IIOP_ADDRESS; at most max_addresses.
  std::vector<HostPort> addresses() const;
};

enum class ProfileError : std::uint8_t { not_iiop, version, malformed };

// Profiles of other transports have their own tag. If their addresses have no port, only the host text is
// written.
struct ProfileLayout {
  std::uint32_t tag = internet_profile;
  bool has_port = true;
};
std::expected<IiopProfile, ProfileError> read_profile(const cdr::TaggedProfile& tagged, ProfileLayout form);
cdr::TaggedProfile write_profile(const IiopProfile& profile, ProfileLayout form);

// A profile of a newer minor version is read as far as it is known.
std::expected<IiopProfile, ProfileError> read_iiop_profile(const cdr::TaggedProfile& tagged);
cdr::TaggedProfile write_iiop_profile(const IiopProfile& profile);

TaggedComponent make_orb_type_component(std::uint32_t orb_type = takt_orb_type);
TaggedComponent make_alternate_address_component(const HostPort& address);
std::optional<std::uint32_t> read_orb_type(const TaggedComponent& component);
std::optional<HostPort> read_alternate_address(const TaggedComponent& component);

// For profiles whose address is valid only on one machine, or in one process. Takt's own.
inline constexpr std::uint32_t machine_component = 0x54414b05;
struct Machine {
  std::string identity;                // identifies the machine's boot, or the process
  std::uint32_t protocol_version = 0;  // version of the transport's protocol
  friend bool operator==(const Machine&, const Machine&) = default;
};
TaggedComponent make_machine_component(const Machine& machine);
std::optional<Machine> read_machine(const TaggedComponent& component);

// Both ends may use GIOPlite at the profile's addresses. Takt's own.
inline constexpr std::uint32_t lite_component = 0x54414b08;
TaggedComponent make_lite_component();
// Whether it offers the version that this ORB speaks.
bool speaks_lite(const TaggedComponent& component);

// A UNIX-domain socket on the named machine. The component is omniORB's, so that the clients of both ORBs
// find each other's sockets.
struct UnixPath {
  std::string machine;
  std::string path;
  friend bool operator==(const UnixPath&, const UnixPath&) = default;
};
inline constexpr std::uint32_t unix_path_component = 0x41545402;
TaggedComponent make_unix_path_component(const UnixPath& path);
std::optional<UnixPath> read_unix_path(const TaggedComponent& component);

}  // namespace takt::giop
