// The password of an encrypted private key.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "tls/tls_options.h"

namespace takt::transport {

// Read once, because a pipe gives its octets once. Wiped when it is destroyed. One thread.
class KeyPassword {
 public:
  // OpenSSL takes no longer ones.
  static constexpr std::size_t most_bytes = 1024;

  // The password of the options: key_password, else the first line of key_password_file. Empty if there is
  // none, or if the file cannot be read.
  explicit KeyPassword(const TlsOptions& options);
  ~KeyPassword();
  KeyPassword(const KeyPassword&) = delete;
  KeyPassword& operator=(const KeyPassword&) = delete;

  bool is_empty() const { return bytes_ == 0; }
  // The number of octets copied; -1 if there is no password, or if it is too long.
  int copy_to(std::span<char> to) const;

 private:
  std::array<char, most_bytes + 1> octets_;  // the last is used only by passwords that are too long
  std::size_t bytes_ = 0;
};

}  // namespace takt::transport
