#include "transport/udp/cookies.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <random>
#include <string>

namespace takt::transport {
namespace {

std::int64_t period_of(os::TimePoint now) {
  return std::chrono::floor<std::chrono::seconds>(now.time_since_epoch()).count() / 30;
}

}  // namespace

std::uint64_t unguessable_number() {
  std::random_device system;
  return std::uint64_t{system()} << 32 | system();
}

// A server that is not shut down checks cookies until its process has ended.
Cookies::Cookies() {
  OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, nullptr);
  std::ranges::generate(secret_, unguessable_number);
}

Cookies::Cookie Cookies::made_in(std::int64_t period, const os::Address& client, std::uint64_t number) const {
  const std::string text = client.text() + ' ' + std::to_string(number) + ' ' + std::to_string(period);
  std::array<std::uint8_t, EVP_MAX_MD_SIZE> code{};
  HMAC(EVP_sha256(), secret_.data(), sizeof secret_, reinterpret_cast<const std::uint8_t*>(text.data()),
       text.size(), code.data(), nullptr);
  Cookie cookie;
  std::copy_n(code.begin(), cookie.size(), cookie.begin());
  return cookie;
}

Cookies::Cookie Cookies::make(const os::Address& client, std::uint64_t number, os::TimePoint now) const {
  return made_in(period_of(now), client, number);
}

bool Cookies::are_good(ByteView cookie, const os::Address& client, std::uint64_t number,
                       os::TimePoint now) const {
  if (cookie.size() != Datagram::cookie_bytes) return false;
  const std::int64_t period = period_of(now);
  return std::ranges::any_of(std::array{period, period - 1}, [&](std::int64_t one) {
    const Cookie good = made_in(one, client, number);
    return CRYPTO_memcmp(good.data(), cookie.data(), good.size()) == 0;
  });
}

}  // namespace takt::transport
