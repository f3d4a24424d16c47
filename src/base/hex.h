// Hexadecimal digits, in lower case.
#pragma once

namespace takt {

inline constexpr char hex_digits[] = "0123456789abcdef";

}  // namespace takt
