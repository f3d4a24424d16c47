// Owners of OpenSSL objects, and error texts.
#pragma once

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <memory>
#include <string>

#include <takt/transport/stream.h>

namespace takt::transport {

struct OpenSslFree {
  void operator()(SSL* one) const { SSL_free(one); }
  void operator()(SSL_CTX* one) const { SSL_CTX_free(one); }
  void operator()(SSL_SESSION* one) const { SSL_SESSION_free(one); }
  void operator()(X509* one) const { X509_free(one); }
  void operator()(BIO* one) const { BIO_free(one); }
};
template <class T>
using Owned = std::unique_ptr<T, OpenSslFree>;

// The calling thread's first error since the last call, in OpenSSL's words. Clears the error queue.
struct OpenSslError {
  unsigned long code = 0;  // 0: none
  std::string text;
};
OpenSslError take_openssl_error();
// Clears the calling thread's error queue. The check avoids a slow call when it is empty, as it nearly always
// is.
inline void clear_openssl_errors() {
  if (ERR_peek_error() != 0) ERR_clear_error();
}

CertificateNames names_of(const X509& certificate);

}  // namespace takt::transport
