#include "ior/tls_port.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <array>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <memory>
#include <system_error>

#include "tls/asked_password.h"
#include "tls/key_password.h"

namespace takt::command {
namespace {

template <auto Free>
struct Freed {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};
using Context = std::unique_ptr<SSL_CTX, Freed<SSL_CTX_free>>;
using Stream = std::unique_ptr<BIO, Freed<BIO_free_all>>;

// OpenSSL writes to its socket by write(), which raises SIGPIPE if the peer has closed the connection.
class IgnoredPipeSignal {
 public:
  IgnoredPipeSignal() : before_(std::signal(SIGPIPE, SIG_IGN)) {}
  ~IgnoredPipeSignal() { std::signal(SIGPIPE, before_); }
  IgnoredPipeSignal(const IgnoredPipeSignal&) = delete;
  IgnoredPipeSignal& operator=(const IgnoredPipeSignal&) = delete;

 private:
  void (*before_)(int);
};

std::string text_of(const X509_NAME* name) {
  const Stream memory(BIO_new(BIO_s_mem()));
  if (!memory || X509_NAME_print_ex(memory.get(), name, 0, XN_FLAG_RFC2253) < 0) return "";
  char* begin = nullptr;
  const long length = BIO_get_mem_data(memory.get(), &begin);
  return std::string(begin, static_cast<std::size_t>(length));
}

std::string text_of(const ASN1_TIME* time) {
  std::tm utc{};
  std::array<char, 32> text{};
  if (ASN1_TIME_to_tm(time, &utc) != 1) return "";
  return std::string(text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc));
}

bool is_numeric(const std::string& host) {
  ASN1_OCTET_STRING* const address = a2i_IPADDRESS(host.c_str());
  ASN1_OCTET_STRING_free(address);
  return address != nullptr;
}

// A pipe was read when the ORB began.
transport::TlsOptions password_of(const OwnCertificate& own) {
  transport::TlsOptions options;
  std::error_code error;
  if (std::filesystem::is_regular_file(own.key_password_file, error))
    options.key_password_file = own.key_password_file;
  return options;
}

Context context_with(const OwnCertificate& own) {
  Context context(SSL_CTX_new(TLS_client_method()));
  if (!context) return context;
  SSL_CTX_set_verify(context.get(), SSL_VERIFY_NONE, nullptr);
  if (own.certificate_file.empty()) return context;
  const transport::KeyPassword password(password_of(own));
  const transport::AskedPassword asked(context.get(), password);
  SSL_CTX_use_certificate_chain_file(context.get(), own.certificate_file.c_str());
  const std::string& key = own.key_file.empty() ? own.certificate_file : own.key_file;
  SSL_CTX_use_PrivateKey_file(context.get(), key.c_str(), SSL_FILETYPE_PEM);
  return context;
}

TlsPort shown(const SSL* ssl, const X509* certificate) {
  TlsPort port;
  if (SSL_is_init_finished(ssl)) {
    port.version = SSL_get_version(ssl);
    port.cipher = SSL_get_cipher_name(ssl);
  }
  port.subject = text_of(X509_get_subject_name(certificate));
  port.issuer = text_of(X509_get_issuer_name(certificate));
  const ASN1_TIME* const end = X509_get0_notAfter(certificate);
  port.expires = text_of(end);
  int seconds = 0;
  ASN1_TIME_diff(&port.days_left, &seconds, nullptr, end);
  if (seconds < 0 || (seconds == 0 && port.days_left == 0)) --port.days_left;
  return port;
}

// nullopt if the port shows no certificate.
std::optional<TlsPort> shown_at(const std::string& host, const os::Address& address, SSL_CTX* context,
                                std::chrono::nanoseconds timeout) {
  const Stream stream(BIO_new_ssl_connect(context));
  SSL* ssl = nullptr;
  if (!stream || BIO_get_ssl(stream.get(), &ssl) != 1 || !ssl) return std::nullopt;
  BIO_set_conn_hostname(stream.get(), address.text().c_str());
  if (!is_numeric(host)) SSL_set_tlsext_host_name(ssl, host.c_str());
  BIO_set_nbio(stream.get(), 1L);
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(timeout).count();
  BIO_do_connect_retry(stream.get(), static_cast<int>(seconds < 1 ? 1 : seconds), 20);
  const X509* const certificate = SSL_get0_peer_certificate(ssl);
  return certificate ? std::optional(shown(ssl, certificate)) : std::nullopt;
}

}  // namespace

std::optional<TlsPort> shown_by_tls_port(const std::string& host, const os::AddressList& addresses,
                                         const OwnCertificate& own, std::chrono::nanoseconds timeout) {
  const IgnoredPipeSignal ignored;
  const auto end = std::chrono::steady_clock::now() + timeout;
  std::optional<TlsPort> found;
  if (const Context context = context_with(own))
    for (const os::Address& address : addresses) {
      const auto left = end - std::chrono::steady_clock::now();
      if (found || left <= std::chrono::nanoseconds(0)) break;
      found = shown_at(host, address, context.get(), left);
    }
  ERR_clear_error();
  return found;
}

}  // namespace takt::command
