// Object keys that hold a whole reference, for nobody else to read or to make.
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

// Of a bridge: where an object is, or a request comes from.
enum class Side : std::uint8_t { inside, outside };
constexpr Side other(Side side) { return side == Side::inside ? Side::outside : Side::inside; }

// AES-SIV with 128 bits (RFC 5297), by OpenSSL: who does not know the secret can make no key that opens, nor
// change one, nor see what is in it. The same reference gives the same key each time, so that references
// which a bridge has made compare as those that they stand for. Any thread; no lock; allocates.
class SealedKeys {
 public:
  static constexpr std::size_t secret_size = 32;
  using Secret = std::array<std::uint8_t, secret_size>;

  // INITIALIZE where OpenSSL has no AES-SIV.
  explicit SealedKeys(const Secret& secret);
  // A secret that ends with the process. INITIALIZE where there are no random numbers.
  static Secret random_secret();
  // One that follows from `from`, which is a secret too.
  static Secret derived_secret(ByteView from);

  std::vector<std::uint8_t> seal(const cdr::Ior& reference, Side side) const;
  struct Opened {
    Side side;
    cdr::Ior reference;
  };
  // Nothing: it was not made with this secret.
  std::optional<Opened> open(ByteView object_key) const;

 private:
  const Secret secret_;
  const std::shared_ptr<evp_cipher_st> cipher_;
};

}  // namespace takt::bridge
