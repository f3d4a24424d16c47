#include <omniORB4/sslContext.h>

#include <string>

const char* sslContext::certificate_authority_file = nullptr;
const char* sslContext::certificate_authority_path = nullptr;
const char* sslContext::key_file = nullptr;
const char* sslContext::key_file_password = nullptr;
int sslContext::verify_mode = 3;

namespace {

constexpr int verify_peer = 1, fail_if_no_certificate = 2;  // OpenSSL's

}  // namespace

std::vector<takt::SettingOfProgram> sslContext::_takt_settings() {
  std::vector<takt::SettingOfProgram> settings;
  const auto add = [&settings](const char* option, const char* value, const char* variable) {
    if (value && *value) settings.push_back({option, value, std::string("sslContext::") + variable});
  };
  add("TLSAuthorities", certificate_authority_path, "certificate_authority_path");
  add("TLSAuthorities", certificate_authority_file, "certificate_authority_file");
  add("TLSCertificate", key_file, "key_file");
  if (key_file && *key_file && key_file_password && *key_file_password)
    add("TLSKeyPasswordFile", takt::keep_password(key_file_password).c_str(), "key_file_password");
  const bool checks = verify_mode & verify_peer, requires_one = verify_mode & fail_if_no_certificate;
  add("TLSServerCertificates", checks ? "required" : "none", "verify_mode");
  add("TLSClientCertificates", !checks ? "none" : requires_one ? "required" : "optional", "verify_mode");
  return settings;
}
