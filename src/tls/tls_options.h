// Certificates that this process shows over TLS and requires of its peers.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include <takt/base/live_setting.h>

namespace takt::transport {

enum class TlsVersion : std::uint8_t { v1_2, v1_3 };
enum class ClientCertificates : std::uint8_t { none, optional, required };

// It is large because each option is a member.
struct TlsOptions {
  // PEM files: the certificate first, then its chain up to an authority. The key may be in the same file.
  std::string certificate_file;  // empty: this process has no certificate
  std::string key_file;          // empty: the certificate's file
  // The password of an encrypted key, the first line of the file. Empty: the key has none.
  std::string key_password_file;
  // The password itself; then key_password_file only names it in texts. Null: the file is read.
  std::shared_ptr<const std::string> key_password;
  // Trusted authorities: a file of certificates, or a directory made by `openssl rehash`. Empty: the
  // system's.
  std::string authorities;
  std::string revoked_file;  // revocation lists; empty: revocation is not checked
  // Whether a server requires certificates of its clients. Clients require one unless check_servers is off.
  ClientCertificates client_certificates = ClientCertificates::none;
  bool check_servers = true;
  bool check_hosts = true;  // a server's certificate must name the host of the connection
  TlsVersion lowest = TlsVersion::v1_2;
  TlsVersion highest = TlsVersion::v1_3;
  // Separated by colons; TLS 1.3 suites begin with TLS_. Empty: OpenSSL's default.
  std::string ciphers;
  bool resumption = true;
  // Server-side time limit from connecting to the end of the handshake. On the client side, the connect
  // deadline applies.
  LiveSetting<std::chrono::nanoseconds> handshake_time{std::chrono::seconds(10)};
  // Limit of concurrent handshakes per listener, beside an eighth of the process's descriptors; a further one
  // drops the oldest.
  std::size_t handshakes = 1024;
  // Whether a TLS port also accepts plain connections, recognised by their first octet.
  bool plain_too = false;
  // Time before expiry of this process's certificate from which `report` is told of it, daily.
  std::chrono::nanoseconds expiry_warning = std::chrono::hours(24 * 14);
  // Reports why a handshake failed at the server. Called from any thread.
  std::function<void(const std::string&)> on_refusal;
  // Reports problems with the files to the operator, whenever they are read. Any thread.
  std::function<void(const std::string&)> report;
};

}  // namespace takt::transport
