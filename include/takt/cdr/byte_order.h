// The two byte orders of CDR.
#pragma once

#include <bit>
#include <cstdint>

namespace takt::cdr {

enum class ByteOrder : std::uint8_t { big = 0, little = 1 };

inline constexpr ByteOrder native_order =
    std::endian::native == std::endian::little ? ByteOrder::little : ByteOrder::big;

}  // namespace takt::cdr
