// The files for TLS of programs that were written for omniORB: each ORB_init() reads these variables. C++14.
//
// A class derived from sslContext, its singleton, and functions that OpenSSL calls are not there.
#pragma once

#if defined(__has_include)
#if __has_include(<openssl/ssl.h>)
#include <openssl/ssl.h>  // the names of verify_mode
#endif
#endif

#include <vector>

#include <omniORB4/CORBA.h>
#include <takt/config/other_orbs.h>

class sslContext {
 public:
  // In PEM. Options and settings with these names (-ORBsslCAFile) prevail over the variables.
  static const char* certificate_authority_file;
  static const char* certificate_authority_path;  // ignored if there is a certificate_authority_file
  static const char* key_file;                    // with the certificate
  static const char* key_file_password;           // of key_file, ignored without one; null: it has none
  // Of OpenSSL: SSL_VERIFY_NONE, or SSL_VERIFY_PEER, also with SSL_VERIFY_FAIL_IF_NO_PEER_CERT, the default.
  static int verify_mode;

  static std::vector<takt::SettingOfProgram> _takt_settings();
  sslContext() = delete;
};

namespace takt {
namespace omniorb {
namespace {
const struct TakenSslContext {
  TakenSslContext() { take_settings_of_program(&sslContext::_takt_settings); }
} taken_ssl_context;
}  // namespace
}  // namespace omniorb
}  // namespace takt
