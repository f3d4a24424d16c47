#include "tls/key_password.h"

#include <openssl/crypto.h>

#include <algorithm>
#include <fstream>
#include <string_view>

namespace takt::transport {

KeyPassword::KeyPassword(const TlsOptions& options) {
  if (options.key_password) {
    bytes_ = std::min(options.key_password->size(), octets_.size());
    std::copy_n(options.key_password->data(), bytes_, octets_.data());
    return;
  }
  if (options.key_password_file.empty()) return;
  std::ifstream in;
  in.rdbuf()->pubsetbuf(nullptr, 0);  // a buffer would keep a copy
  in.open(options.key_password_file, std::ios::binary);
  // Octet by octet, because who writes into a pipe may keep it open after the line.
  std::size_t count = 0;
  for (char octet; count < octets_.size() && in.get(octet) && octet != '\n';) octets_[count++] = octet;
  const std::string_view line(octets_.data(), count);
  bytes_ = line.ends_with('\r') ? line.size() - 1 : line.size();
}

KeyPassword::~KeyPassword() { OPENSSL_cleanse(octets_.data(), octets_.size()); }

int KeyPassword::copy_to(std::span<char> to) const {
  if (bytes_ == 0 || bytes_ > std::min(to.size(), most_bytes)) return -1;
  std::copy_n(octets_.data(), bytes_, to.data());
  return static_cast<int>(bytes_);
}

}  // namespace takt::transport
