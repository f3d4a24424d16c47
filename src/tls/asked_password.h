// Where OpenSSL asks for the password of a private key.
#pragma once

#include <openssl/ssl.h>

#include <cstddef>

#include "tls/key_password.h"

namespace takt::transport {

// Lets the context ask for the key's password for the lifetime of this; afterwards it has none.
class AskedPassword {
 public:
  AskedPassword(SSL_CTX* context, const KeyPassword& password) : context_(context) {
    SSL_CTX_set_default_passwd_cb(context, copy_password);
    SSL_CTX_set_default_passwd_cb_userdata(context, const_cast<KeyPassword*>(&password));
  }
  ~AskedPassword() { ask_nobody(context_); }
  AskedPassword(const AskedPassword&) = delete;
  AskedPassword& operator=(const AskedPassword&) = delete;

  // OpenSSL itself would ask a person at the terminal.
  static void ask_nobody(SSL_CTX* context) {
    SSL_CTX_set_default_passwd_cb(context, no_password);
    SSL_CTX_set_default_passwd_cb_userdata(context, nullptr);
  }

 private:
  static int copy_password(char* to, int size, int /*writing*/, void* from) {
    return static_cast<const KeyPassword*>(from)->copy_to({to, static_cast<std::size_t>(size)});
  }
  static int no_password(char*, int, int, void*) { return -1; }

  SSL_CTX* const context_;
};

}  // namespace takt::transport
