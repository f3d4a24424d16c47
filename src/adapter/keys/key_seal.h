// A mark on object keys that shows who made them.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include <takt/base/bytes.h>

namespace takt::adapter {

// SipHash-2-4 with a secret of 128 bits and a tag of 64, by OpenSSL. Whoever does not know the secret can
// make no key that fits, nor change one. Any thread; takes no lock and, after a thread's first use, no
// memory.
class KeySeal {
 public:
  static constexpr std::size_t secret_size = 16;
  static constexpr std::size_t tag_size = 8;
  using Secret = std::array<std::uint8_t, secret_size>;
  using Tag = std::array<std::uint8_t, tag_size>;

  // `lasting`: the secret will be the same in the next process, so that persistent keys can be sealed with
  // it. INITIALIZE if OpenSSL has no SipHash.
  KeySeal(const Secret& secret, bool lasting);
  // A secret of the system's random numbers, not lasting. INITIALIZE if there are none.
  static KeySeal with_random_secret();

  bool lasting() const { return lasting_; }
  Tag tag_of(ByteView key) const;
  // Takes the same time for any two tags.
  bool fits(std::span<const std::uint8_t, tag_size> tag, ByteView key) const;

 private:
  const Secret secret_;
  const bool lasting_;
};

}  // namespace takt::adapter
