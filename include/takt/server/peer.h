// Who calls: the process at the other end of a connection within one machine, or whom a certificate names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace takt {

// As the system vouches for it, from the moment when the client connected. The process may have handed its
// connection on since, or ended; the user and the group are the ones that permissions are decided by.
struct PeerProcess {
  std::int32_t process = 0;
  std::uint32_t user = 0, group = 0;  // effective

  friend bool operator==(const PeerProcess&, const PeerProcess&) = default;
};

// In an upcall: of the connection by which its request came, if that is a UNIX-domain socket. Nothing for
// requests by TCP, and outside of upcalls. A collocated call has the peer of the upcall that it is made in.
// Neither allocates nor locks.
std::optional<PeerProcess> present_peer() noexcept;

// Of the certificate that the peer has shown, and that was checked: it is its key that the peer has.
struct PeerCertificate {
  std::string subject;  // "CN=teller,O=Bank", as RFC 2253 writes names
  std::string issuer;
  std::string serial;  // hexadecimal

  friend bool operator==(const PeerCertificate&, const PeerCertificate&) = default;
};

// In an upcall: of the connection by which its request came, where that is TLS and the client has shown a
// certificate (-ORBTLSClientCertificates). Otherwise as present_peer(), but that it allocates.
std::optional<PeerCertificate> present_peer_certificate();

}  // namespace takt
