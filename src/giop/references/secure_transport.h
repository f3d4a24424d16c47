// TLS in references (CORBA Security Service 1.8, SSLIOP).
#pragma once

#include <cstdint>
#include <optional>

#include "giop/references/profile.h"

namespace takt::giop {

// Security::AssociationOptions.
namespace association {
using Options = std::uint16_t;
inline constexpr Options no_protection = 1, integrity = 2, confidentiality = 4, detect_replay = 8,
                         detect_misordering = 16, establish_trust_in_target = 32,
                         establish_trust_in_client = 64;
}  // namespace association

// A TLS port on the profile's host. If the profile's own port is 0, this is the only one.
struct SecureTransport {
  association::Options supports = 0, requires_ = 0;
  std::uint16_t port = 0;

  // Whether a connection without TLS would be refused.
  bool is_required() const {
    using namespace association;
    return (requires_ &
            (integrity | confidentiality | establish_trust_in_target | establish_trust_in_client)) != 0;
  }
  friend bool operator==(const SecureTransport&, const SecureTransport&) = default;
};

inline constexpr std::uint32_t ssl_component = 20;  // TAG_SSL_SEC_TRANS
TaggedComponent make_secure_transport_component(const SecureTransport& transport);
std::optional<SecureTransport> read_secure_transport(const TaggedComponent& component);

}  // namespace takt::giop
