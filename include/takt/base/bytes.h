// Views of octets, which every room passes around.
#pragma once

#include <cstdint>
#include <span>

namespace takt {

// Octets that somebody else owns. A view never outlives the owner's next change.
using ByteView = std::span<const std::uint8_t>;
using MutableBytes = std::span<std::uint8_t>;

}  // namespace takt
