// Object references as text: "IOR:" and hexadecimal digits (CORBA 3.0.3, 13.6.9).
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include <takt/cdr/ior.h>

namespace takt::reference {

enum class IorTextError : std::uint8_t {
  no_prefix,  // does not begin with IOR:
  digits,     // an odd number of digits, or a non-digit
  contents,   // the octets are not a valid reference
};

std::string ior_to_text(const cdr::Ior& ior);
std::expected<cdr::Ior, IorTextError> ior_from_text(std::string_view text);

}  // namespace takt::reference
