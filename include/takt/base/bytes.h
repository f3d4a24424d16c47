// Non-owning views of octets, used in every room.
#pragma once

#include <cstdint>
#include <span>

namespace takt {

// A non-owning view, valid until the owner next changes or frees the octets.
using ByteView = std::span<const std::uint8_t>;
using MutableBytes = std::span<std::uint8_t>;

}  // namespace takt
