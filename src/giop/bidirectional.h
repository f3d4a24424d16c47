// Bidirectional GIOP on the wire (CORBA 3.0.3, 15.8): the client names where its own objects are found, and
// the server may send requests for them over the client's connection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <takt/base/bytes.h>

#include "giop/references/profile.h"

namespace takt::giop {

inline constexpr std::size_t max_listen_points = 64;  // of one connection; further ones are left out
inline constexpr std::size_t max_host_bytes = 255;    // a DNS name has no more

// Data of service context 5: a sequence of hosts and ports. Allocates.
std::vector<std::uint8_t> write_listen_points(std::span<const Address> points);
// Nothing where it is malformed. Those that no object can have (without host or port, or with a longer host)
// are left out.
std::optional<std::vector<Address>> read_listen_points(ByteView data);

}  // namespace takt::giop
