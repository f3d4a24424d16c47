// Examines a TLS port from outside: a client of any kind sees this, whether it trusts the certificate or not.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "os/net/address.h"

namespace takt::command {

struct TlsPort {
  std::string version, cipher;  // "TLSv1.3", "TLS_AES_256_GCM_SHA384"; empty if the handshake failed
  std::string subject, issuer;  // names in the port's certificate, in RFC 2253 form
  std::string expires;          // UTC, "2027-02-25T03:11:14Z"
  int days_left = 0;            // whole days until then; negative if it has expired
};

// The client's own certificate and key, in PEM, and the file of the key's password; empty if it has none. The
// key may be in the certificate's file. A password in a pipe is not used.
struct OwnCertificate {
  std::string certificate_file, key_file, key_password_file;
};

// Makes a TLS connection of its own to one of the addresses of `host`, verifies nothing, and closes it.
// nullopt if the port shows no certificate within `timeout`, which is rounded up to seconds. Blocks. Does not
// ask at the terminal for passwords.
std::optional<TlsPort> shown_by_tls_port(const std::string& host, const os::AddressList& addresses,
                                         const OwnCertificate& own, std::chrono::nanoseconds timeout);

}  // namespace takt::command
