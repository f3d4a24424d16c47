#include "certificates.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace takt::test {

namespace {

struct Free {
  void operator()(EVP_PKEY* one) const { EVP_PKEY_free(one); }
  void operator()(X509* one) const { X509_free(one); }
  void operator()(X509_CRL* one) const { X509_CRL_free(one); }
  void operator()(std::FILE* one) const { std::fclose(one); }
};
template <class T>
using Owned = std::unique_ptr<T, Free>;

template <class T>
T* made(T* one) {
  if (!one) throw std::runtime_error("a test's certificate could not be made");
  return one;
}

Owned<EVP_PKEY> make_key() {
  return Owned<EVP_PKEY>(made(EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256")));
}

void name(X509_NAME* to, const std::string& common_name) {
  const auto put = [&](const char* field, const std::string& text) {
    X509_NAME_add_entry_by_txt(to, field, MBSTRING_UTF8, reinterpret_cast<const unsigned char*>(text.c_str()),
                               -1, -1, 0);
  };
  put("O", "Takt");
  put("CN", common_name);
}

void extend(X509* certificate, X509* issuer, int extension, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* const made_one = made(X509V3_EXT_conf_nid(nullptr, &context, extension, value));
  X509_add_ext(certificate, made_one, -1);
  X509_EXTENSION_free(made_one);
}

// Null `issuer`: signed by its own key.
Owned<X509> certify(const Wanted& wanted, EVP_PKEY* key, X509* issuer, EVP_PKEY* issuer_key, bool authority) {
  static long serial = 1;
  Owned<X509> certificate(made(X509_new()));
  X509* const it = certificate.get();
  X509_set_version(it, X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(it), ++serial);
  X509_gmtime_adj(X509_getm_notBefore(it), wanted.begins_s);
  X509_gmtime_adj(X509_getm_notAfter(it), wanted.ends_s);
  name(X509_get_subject_name(it), wanted.name);
  X509_set_issuer_name(it, X509_get_subject_name(issuer ? issuer : it));
  X509_set_pubkey(it, key);
  extend(it, issuer ? issuer : it, NID_basic_constraints, authority ? "critical,CA:TRUE" : "CA:FALSE");
  if (!wanted.hosts.empty()) extend(it, issuer ? issuer : it, NID_subject_alt_name, wanted.hosts.c_str());
  if (X509_sign(it, issuer_key ? issuer_key : key, EVP_sha256()) == 0) made<X509>(nullptr);
  return certificate;
}

template <class Write>
std::string write(const std::string& path, Write write_to) {
  const Owned<std::FILE> file(made(std::fopen(path.c_str(), "w")));
  std::filesystem::permissions(path, std::filesystem::perms(0600));
  if (write_to(file.get()) != 1) made<X509>(nullptr);
  return path;
}

Credentials keep(const std::string& stem, X509* certificate, EVP_PKEY* key) {
  return {write(stem + ".pem", [&](std::FILE* file) { return PEM_write_X509(file, certificate); }),
          write(stem + ".key", [&](std::FILE* file) {
            return PEM_write_PrivateKey(file, key, nullptr, nullptr, 0, nullptr, nullptr);
          })};
}

std::string make_folder() {
  std::string folder = (std::filesystem::temp_directory_path() / "takt-tls-XXXXXX").string();
  made(::mkdtemp(folder.data()));
  return folder;
}

}  // namespace

void encrypt(const std::string& key_file, const std::string& password) {
  Owned<EVP_PKEY> key;
  {
    const Owned<std::FILE> file(made(std::fopen(key_file.c_str(), "r")));
    key.reset(made(PEM_read_PrivateKey(file.get(), nullptr, nullptr, nullptr)));
  }
  write(key_file, [&](std::FILE* file) {
    return PEM_write_PKCS8PrivateKey(file, key.get(), EVP_aes_256_cbc(), password.data(),
                                     static_cast<int>(password.size()), nullptr, nullptr);
  });
}

struct Authority::Parts {
  explicit Parts(const Parts* parent)
      : is_intermediate(parent != nullptr),
        certificate(certify({.name = "Authority " + folder.substr(folder.size() - 6), .hosts = ""}, key.get(),
                            parent ? parent->certificate.get() : nullptr,
                            parent ? parent->key.get() : nullptr, true)) {}

  const bool is_intermediate;
  const std::string folder = make_folder();
  const Owned<EVP_PKEY> key = make_key();
  const Owned<X509> certificate;
  int issued = 0;

  std::string next_stem() { return folder + "/" + std::to_string(++issued); }
};

Authority::Authority() : Authority(std::make_unique<Parts>(nullptr)) {}

Authority::Authority(const Authority& parent) : Authority(std::make_unique<Parts>(parent.parts_.get())) {}

Authority::Authority(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {
  write(file(), [&](std::FILE* to) { return PEM_write_X509(to, parts_->certificate.get()); });
}

Authority::~Authority() {
  std::error_code none;
  std::filesystem::remove_all(parts_->folder, none);
}

std::string Authority::file() const { return parts_->folder + "/authority.pem"; }
std::string Authority::folder() const { return parts_->folder; }

Credentials Authority::issue(const Wanted& wanted) const {
  const auto key = make_key();
  const auto certificate = certify(wanted, key.get(), parts_->certificate.get(), parts_->key.get(), false);
  const Credentials kept = keep(parts_->next_stem(), certificate.get(), key.get());
  if (parts_->is_intermediate)
    std::ofstream(kept.certificate_file, std::ios::app) << std::ifstream(file()).rdbuf();
  return kept;
}

Credentials Authority::self_signed(const Wanted& wanted) const {
  const auto key = make_key();
  return keep(parts_->next_stem(), certify(wanted, key.get(), nullptr, nullptr, false).get(), key.get());
}

std::string Authority::revoke(const Credentials& credentials) const {
  const Owned<X509_CRL> list(made(X509_CRL_new()));
  ASN1_TIME* const now = made(X509_gmtime_adj(nullptr, -60));
  ASN1_TIME* const then = made(X509_gmtime_adj(nullptr, 3600));
  X509_CRL_set_version(list.get(), X509_CRL_VERSION_2);
  X509_CRL_set_issuer_name(list.get(), X509_get_subject_name(parts_->certificate.get()));
  X509_CRL_set1_lastUpdate(list.get(), now);
  X509_CRL_set1_nextUpdate(list.get(), then);
  if (!credentials.certificate_file.empty()) {
    const Owned<std::FILE> file(made(std::fopen(credentials.certificate_file.c_str(), "r")));
    const Owned<X509> certificate(made(PEM_read_X509(file.get(), nullptr, nullptr, nullptr)));
    X509_REVOKED* const entry = made(X509_REVOKED_new());
    X509_REVOKED_set_serialNumber(entry, X509_get_serialNumber(certificate.get()));
    X509_REVOKED_set_revocationDate(entry, now);
    X509_CRL_add0_revoked(list.get(), entry);
  }
  ASN1_TIME_free(now);
  ASN1_TIME_free(then);
  X509_CRL_sign(list.get(), parts_->key.get(), EVP_sha256());
  return write(parts_->folder + "/revoked.pem",
               [&](std::FILE* to) { return PEM_write_X509_CRL(to, list.get()); });
}

}  // namespace takt::test
