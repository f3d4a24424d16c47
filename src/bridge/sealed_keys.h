// Object keys that contain a whole reference, encrypted and authenticated.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/cdr/ior.h>

struct evp_cipher_st;

namespace takt::bridge {

// The side of a bridge on which an object or a client is.
enum class Side : std::uint8_t { inside, outside };
constexpr Side other(Side side) { return side == Side::inside ? Side::outside : Side::inside; }

// AES-SIV with 128 bits (RFC 5297), by OpenSSL: without the secret, keys can neither be made, changed nor
// read. The same reference always gives the same key, so that rewritten references compare like the
// originals. Any thread; no lock; allocates.
class SealedKeys {
 public:
  static constexpr std::size_t secret_size = 32;
  using Secret = std::array<std::uint8_t, secret_size>;

  // Throws INITIALIZE if OpenSSL lacks AES-SIV.
  explicit SealedKeys(const Secret& secret);
  // A secret that lasts as long as the process. Throws INITIALIZE if there are no random numbers.
  static Secret random_secret();
  // Derives a secret from another secret.
  static Secret derived_secret(ByteView from);

  std::vector<std::uint8_t> seal(const cdr::Ior& reference, Side side) const;
  struct Opened {
    Side side;
    cdr::Ior reference;
  };
  // Empty if the key was not made with this secret.
  std::optional<Opened> open(ByteView object_key) const;

 private:
  const Secret secret_;
  const std::shared_ptr<evp_cipher_st> cipher_;
};

}  // namespace takt::bridge
