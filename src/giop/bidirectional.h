// Bidirectional GIOP on the wire (CORBA 3.0.3, 15.8): the client sends the addresses of its own objects, and
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

inline constexpr std::size_t max_listen_points = 64;  // per connection; further ones are ignored
inline constexpr std::size_t max_host_bytes = 255;    // the maximum length of a DNS name

// Data of service context 5: a sequence of hosts and ports. Allocates.
std::vector<std::uint8_t> write_listen_points(std::span<const HostPort> points);
// Empty if the data is malformed. Ignores points that cannot be valid: without host or port, or with too long
// a host.
std::optional<std::vector<HostPort>> read_listen_points(ByteView data);

}  // namespace takt::giop
