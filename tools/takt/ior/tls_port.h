// Examines a TLS port from outside: a client of any kind sees this, whether it trusts the certificate or not.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace takt::command {

struct TlsPort {
  std::string version, cipher;  // "TLSv1.3", "TLS_AES_256_GCM_SHA384"; empty if the handshake failed
  std::string subject, issuer;  // names in the port's certificate, in RFC 2253 form
  std::string expires;          // UTC, "2027-02-25T03:11:14Z"
  int days_left = 0;            // whole days until then; negative if it has expired
};

// The client's own certificate and key, in PEM; empty if it has none.
struct OwnCertificate {
  std::string certificate_file, key_file;
};

// Makes a TLS connection of its own, verifies nothing, and closes it. nullopt if the port shows no
// certificate within `timeout`, which is rounded up to seconds. Blocks.
std::optional<TlsPort> shown_by_tls_port(const std::string& host, std::uint16_t port,
                                         const OwnCertificate& own, std::chrono::nanoseconds timeout);

}  // namespace takt::command
