// Where OpenSSL asks for the password of a private key.
#pragma once

#include <openssl/ssl.h>

#include <cstddef>

#include "tls/key_password.h"

namespace takt::transport {

// Lets the context ask for the key's password for the lifetime of this, after which it asks nobody.
class AskedPassword {
 public:
  AskedPassword(SSL_CTX* context, const KeyPassword& password) : context_(context) {
    SSL_CTX_set_default_passwd_cb(context, copy_password);
    SSL_CTX_set_default_passwd_cb_userdata(context, const_cast<KeyPassword*>(&password));
  }
  ~AskedPassword() {
    SSL_CTX_set_default_passwd_cb(context_, no_password);
    SSL_CTX_set_default_passwd_cb_userdata(context_, nullptr);
  }
  AskedPassword(const AskedPassword&) = delete;
  AskedPassword& operator=(const AskedPassword&) = delete;

 private:
  static int copy_password(char* to, int size, int /*writing*/, void* from) {
    return static_cast<const KeyPassword*>(from)->copy_to({to, static_cast<std::size_t>(size)});
  }
  // Refuses to prompt for a password.
  static int no_password(char*, int, int, void*) { return -1; }

  SSL_CTX* const context_;
};

}  // namespace takt::transport
