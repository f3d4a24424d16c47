// How this process proves who it is over TLS, and of whom it wants proof.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include <takt/base/changeable.h>

namespace takt::transport {

enum class TlsVersion : std::uint8_t { v1_2, v1_3 };
enum class ClientCertificates : std::uint8_t { none, optional, required };

struct TlsOptions {
  // PEM files. The certificate first, then those that lead to an authority; the key may be in the same file.
  std::string certificate_file;  // empty: this process shows none
  std::string key_file;          // empty: the certificate's file
  // Whose certificates count: a file of them, or a folder as `openssl rehash` makes it; empty: the system's.
  std::string authorities;
  std::string revoked_file;  // lists of revoked certificates; empty: none is asked
  // Of a server's clients; of its servers a client always wants one, unless check_servers is off.
  ClientCertificates client_certificates = ClientCertificates::none;
  bool check_servers = true;
  bool check_hosts = true;  // a server's certificate must name the host that was connected to
  TlsVersion lowest = TlsVersion::v1_2;
  TlsVersion highest = TlsVersion::v1_3;
  // Colons between; suites of TLS 1.3 begin with TLS_. Empty: OpenSSL's.
  std::string ciphers;
  bool resumption = true;
  // From connecting to the end of the handshake, at the server; there the client's patience is its deadline.
  Changeable<std::chrono::nanoseconds> handshake_time{std::chrono::seconds(10)};
  // Peers of one listener that are in their handshakes at once; one more ends the oldest's.
  std::size_t handshakes = 1024;
  // A port for TLS takes plain connections too, by the first octet that comes.
  bool plain_too = false;
  // How long before this process's certificate expires `tell` is told of it.
  std::chrono::nanoseconds expiry_warning = std::chrono::hours(24 * 14);
  // Told why a handshake failed at the server; any thread.
  std::function<void(const std::string&)> on_refusal;
  // Told what its people should know of the files, whenever they are read.
  std::function<void(const std::string&)> tell;
};

}  // namespace takt::transport
