// Random numbers of the operating system, which cannot be guessed and do not come twice. They may be asked
// for in any thread, and block only while the system starts.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>
#include <system_error>

#include "octets/hex.h"

namespace takt::octets {

inline void fill_randomly(void* octets, std::size_t size) {
  if (getentropy(octets, size) != 0) throw std::system_error(errno, std::generic_category(), "getentropy");
}

inline std::uint64_t random_number() {
  std::uint64_t number;
  fill_randomly(&number, sizeof number);
  return number;
}

// 16 octets.
inline std::string random_id() {
  std::string id(16, '\0');
  fill_randomly(id.data(), id.size());
  return id;
}

// The same as 32 hexadecimal digits.
inline std::string random_token() {
  std::string token;
  append_hex(token, random_id());
  return token;
}

}  // namespace takt::octets
