#include "tls/openssl.h"

#include "os/error_text.h"

namespace takt::transport {

OpenSslError take_openssl_error() {
  OpenSslError first;
  first.code = ERR_get_error();
  if (first.code != 0) {
    const char* const reason = ERR_reason_error_string(first.code);
    if (ERR_SYSTEM_ERROR(first.code))
      first.text = os::error_text(ERR_GET_REASON(first.code));
    else
      first.text = reason ? reason : "OpenSSL error " + std::to_string(first.code);
  }
  ERR_clear_error();
  return first;
}

namespace {

std::string text_of(const X509_NAME* name) {
  const Owned<BIO> out(BIO_new(BIO_s_mem()));
  if (!out || X509_NAME_print_ex(out.get(), name, 0, XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB) < 0) return {};
  char* octets = nullptr;
  const long size = BIO_get_mem_data(out.get(), &octets);
  return size > 0 ? std::string(octets, static_cast<std::size_t>(size)) : std::string();
}

std::string serial_of(const X509& certificate) {
  BIGNUM* const number = ASN1_INTEGER_to_BN(X509_get0_serialNumber(&certificate), nullptr);
  char* const digits = number ? BN_bn2hex(number) : nullptr;
  std::string text = digits ? digits : "";
  OPENSSL_free(digits);
  BN_free(number);
  return text;
}

}  // namespace

CertificateNames names_of(const X509& certificate) {
  return {text_of(X509_get_subject_name(&certificate)), text_of(X509_get_issuer_name(&certificate)),
          serial_of(certificate)};
}

}  // namespace takt::transport
