// A MAC on object keys that proves their origin.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include <takt/base/bytes.h>

namespace takt::adapter {

// SipHash-2-4 by OpenSSL, with a 128-bit secret and a 64-bit tag. Without the secret, valid keys can neither
// be made nor altered. Any thread. Takes no lock, and does not allocate after a thread's first use.
class KeySeal {
 public:
  static constexpr std::size_t secret_size = 16;
  static constexpr std::size_t tag_size = 8;
  using Secret = std::array<std::uint8_t, secret_size>;
  using Tag = std::array<std::uint8_t, tag_size>;

  // `lasting`: later processes use the same secret, so persistent keys may be sealed with it. Throws
  // INITIALIZE if OpenSSL has no SipHash.
  KeySeal(const Secret& secret, bool lasting);
  // Uses a random secret, which is not lasting. Throws INITIALIZE if the system supplies no random numbers.
  static KeySeal with_random_secret();

  bool lasting() const { return lasting_; }
  Tag tag_of(ByteView key) const;
  // Takes constant time.
  bool fits(std::span<const std::uint8_t, tag_size> tag, ByteView key) const;

 private:
  const Secret secret_;
  const bool lasting_;
};

}  // namespace takt::adapter
