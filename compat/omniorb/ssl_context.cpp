#include <omniORB4/sslContext.h>

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <mutex>
#include <string>

const char* sslContext::certificate_authority_file = nullptr;
const char* sslContext::certificate_authority_path = nullptr;
const char* sslContext::key_file = nullptr;
const char* sslContext::key_file_password = nullptr;
int sslContext::verify_mode = 3;

namespace {

constexpr int verify_peer = 1, fail_if_no_certificate = 2;  // OpenSSL's

// Takt reads passwords from files, also when it reads certificates again. This one is in memory and has no
// name. It is closed when the process ends. Equal passwords in sequence share a file. Any thread.
std::string file_with(const std::string& password) {
  static std::mutex mutex;
  static std::string* const last = new std::string;
  static int descriptor = -1;
  const std::lock_guard<std::mutex> lock(mutex);
  if (descriptor < 0 || *last != password) {
    const int made = ::memfd_create("sslContext", MFD_CLOEXEC);
    const auto size = static_cast<ssize_t>(password.size());
    if (made < 0 || ::fchmod(made, S_IRUSR) != 0 || ::write(made, password.data(), password.size()) != size) {
      if (made >= 0) ::close(made);
      throw CORBA::INITIALIZE(0, CORBA::COMPLETED_NO);
    }
    descriptor = made;
    *last = password;
  }
  return "/proc/self/fd/" + std::to_string(descriptor);
}

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
    add("TLSKeyPasswordFile", file_with(key_file_password).c_str(), "key_file_password");
  const bool checks = verify_mode & verify_peer, requires_one = verify_mode & fail_if_no_certificate;
  add("TLSServerCertificates", checks ? "required" : "none", "verify_mode");
  add("TLSClientCertificates", !checks ? "none" : requires_one ? "required" : "optional", "verify_mode");
  return settings;
}
