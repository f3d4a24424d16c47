#include "bridge/sealed_keys.h"

#include <openssl/evp.h>
#include <openssl/rand.h>

#include <algorithm>

#include <takt/cdr/decoder.h>
#include <takt/cdr/encoder.h>
#include <takt/cdr/exception.h>

namespace takt::bridge {

namespace {

// Layout of a key: the mark, whose last octet is the side; the tag; the encrypted reference.
constexpr std::size_t mark_size = 4, tag_size = 16;
constexpr std::uint8_t mark_begin[] = {'T', 'K', 'B'};
constexpr std::uint8_t side_octets[] = {'i', 'o'};

// The byte order is fixed, so that every machine gets the same octets.
constexpr cdr::Format sealed_format{.order = cdr::ByteOrder::big};

struct FreeContext {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
using Context = std::unique_ptr<EVP_CIPHER_CTX, FreeContext>;

[[noreturn]] void fail() {
  throw CORBA::INTERNAL(0, CORBA::COMPLETED_NO, "OpenSSL could not seal a reference");
}

int size_of(ByteView octets) { return static_cast<int>(octets.size()); }

}  // namespace

SealedKeys::SealedKeys(const Secret& secret)
    : secret_(secret), cipher_(EVP_CIPHER_fetch(nullptr, "AES-128-SIV", nullptr), EVP_CIPHER_free) {
  if (!cipher_)
    throw CORBA::INITIALIZE(0, CORBA::COMPLETED_NO,
                            "OpenSSL has no AES-128-SIV, by which a bridge seals references");
}

SealedKeys::Secret SealedKeys::random_secret() {
  Secret secret;
  if (RAND_priv_bytes(secret.data(), static_cast<int>(secret.size())) != 1)
    throw CORBA::INITIALIZE(0, CORBA::COMPLETED_NO,
                            "there are no random numbers for the secret of a bridge's references");
  return secret;
}

SealedKeys::Secret SealedKeys::derived_secret(ByteView from) {
  static constexpr char purpose[] = "references of a bridge";
  std::vector<std::uint8_t> text(purpose, purpose + sizeof purpose);
  text.insert(text.end(), from.begin(), from.end());
  Secret secret;
  if (EVP_Digest(text.data(), text.size(), secret.data(), nullptr, EVP_sha256(), nullptr) != 1) fail();
  return secret;
}

std::vector<std::uint8_t> SealedKeys::seal(const cdr::Ior& reference, Side side) const {
  GatherBuffer buffer(256);
  cdr::Encoder encoder(buffer, sealed_format);
  encoder.set_borrowing(false);
  cdr::write_ior(encoder, reference);
  const ByteView plain(buffer.owned(), buffer.owned_size());

  std::vector<std::uint8_t> key(mark_size + tag_size + plain.size());
  std::ranges::copy(mark_begin, key.begin());
  key[mark_size - 1] = side_octets[static_cast<std::size_t>(side)];
  const Context context(EVP_CIPHER_CTX_new());
  int written = 0;
  if (!context || EVP_EncryptInit_ex2(context.get(), cipher_.get(), secret_.data(), nullptr, nullptr) != 1 ||
      EVP_EncryptUpdate(context.get(), nullptr, &written, key.data(), mark_size) != 1 ||
      EVP_EncryptUpdate(context.get(), key.data() + mark_size + tag_size, &written, plain.data(),
                        size_of(plain)) != 1 ||
      EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_GET_TAG, tag_size, key.data() + mark_size) != 1)
    fail();
  return key;
}

std::optional<SealedKeys::Opened> SealedKeys::open(ByteView object_key) const {
  if (object_key.size() <= mark_size + tag_size || !std::ranges::equal(object_key.first(3), mark_begin))
    return std::nullopt;
  const auto* const side = std::ranges::find(side_octets, object_key[mark_size - 1]);
  if (side == std::end(side_octets)) return std::nullopt;
  const ByteView sealed = object_key.subspan(mark_size + tag_size);
  std::array<std::uint8_t, tag_size> tag;
  std::ranges::copy(object_key.subspan(mark_size, tag_size), tag.begin());
  std::vector<std::uint8_t> plain(sealed.size());
  const Context context(EVP_CIPHER_CTX_new());
  int written = 0;
  if (!context || EVP_DecryptInit_ex2(context.get(), cipher_.get(), secret_.data(), nullptr, nullptr) != 1 ||
      EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_SET_TAG, tag_size, tag.data()) != 1 ||
      EVP_DecryptUpdate(context.get(), nullptr, &written, object_key.data(), mark_size) != 1 ||
      EVP_DecryptUpdate(context.get(), plain.data(), &written, sealed.data(), size_of(sealed)) != 1)
    return std::nullopt;
  Opened opened{static_cast<Side>(side - std::begin(side_octets)), {}};
  cdr::Decoder decoder(plain, 0, sealed_format);
  if (!cdr::read_ior(decoder, opened.reference)) return std::nullopt;
  return opened;
}

}  // namespace takt::bridge
