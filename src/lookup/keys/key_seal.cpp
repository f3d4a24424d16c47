#include "lookup/keys/key_seal.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

#include <memory>

#include <takt/cdr/exception.h>

#include "base/owned_by_thread.h"

namespace takt::adapter {

namespace {

struct Free {
  void operator()(EVP_MAC* mac) const { EVP_MAC_free(mac); }
  void operator()(EVP_MAC_CTX* context) const { EVP_MAC_CTX_free(context); }
};

// One instance per thread, for the seals of all ORBs; the secret is set on each use.
class SipHash {
 public:
  SipHash() {
    OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, nullptr);  // keys are checked until the process has ended
    const std::unique_ptr<EVP_MAC, Free> mac(EVP_MAC_fetch(nullptr, "SIPHASH", nullptr));
    if (mac) context_.reset(EVP_MAC_CTX_new(mac.get()));
    std::size_t size = KeySeal::tag_size;
    const OSSL_PARAM parameters[] = {OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &size), OSSL_PARAM_END};
    if (!context_ || EVP_MAC_CTX_set_params(context_.get(), parameters) != 1)
      throw CORBA::INITIALIZE(0, CORBA::COMPLETED_NO, "OpenSSL has no SipHash, which seals object keys");
  }
  KeySeal::Tag operator()(const KeySeal::Secret& secret, ByteView key) {
    KeySeal::Tag tag;
    std::size_t size = 0;
    if (EVP_MAC_init(context_.get(), secret.data(), secret.size(), nullptr) != 1 ||
        EVP_MAC_update(context_.get(), key.data(), key.size()) != 1 ||
        EVP_MAC_final(context_.get(), tag.data(), &size, tag.size()) != 1)
      throw CORBA::INTERNAL(0, CORBA::COMPLETED_NO, "OpenSSL's SipHash failed");
    return tag;
  }

 private:
  std::unique_ptr<EVP_MAC_CTX, Free> context_;
};

SipHash& sip_hash() { return owned_by_thread<SipHash>(); }

}  // namespace

KeySeal::KeySeal(const Secret& secret, bool lasting) : secret_(secret), lasting_(lasting) { sip_hash(); }

KeySeal KeySeal::with_random_secret() {
  Secret secret;
  if (RAND_priv_bytes(secret.data(), static_cast<int>(secret.size())) != 1)
    throw CORBA::INITIALIZE(0, CORBA::COMPLETED_NO,
                            "there are no random numbers for the secret of object keys");
  return KeySeal(secret, false);
}

KeySeal::Tag KeySeal::tag_of(ByteView key) const { return sip_hash()(secret_, key); }

bool KeySeal::fits(std::span<const std::uint8_t, tag_size> tag, ByteView key) const {
  const Tag right = tag_of(key);
  return CRYPTO_memcmp(tag.data(), right.data(), tag_size) == 0;
}

}  // namespace takt::adapter
