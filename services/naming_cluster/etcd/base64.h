// Octets as base64 (RFC 4648), in which etcd's JSON has keys and values.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace takt::etcd {

std::string to_base64(std::string_view octets);
// Nothing if the text is no base64 with padding, or has bits beyond its octets.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace takt::etcd
