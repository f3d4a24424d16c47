// The caller of the current upcall: a process on the same machine, or the subject of a TLS certificate.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace takt {

// The client process, as the operating system reported it when the client connected. Since then the process
// may have ended or passed its connection to another process. The user and group are the effective ones,
// which decide about permissions.
struct PeerProcess {
  std::int32_t process = 0;
  std::uint32_t user = 0, group = 0;  // effective

  friend bool operator==(const PeerProcess&, const PeerProcess&) = default;
};

// Returns the peer of the connection by which the current upcall's request arrived, if that is a UNIX-domain
// socket. Returns nullopt for requests over TCP and outside of upcalls. In a collocated call the peer is that
// of the upcall which makes the call. Neither allocates nor locks.
std::optional<PeerProcess> present_peer() noexcept;

// Names in a verified certificate. The peer has proved that it holds the certificate's private key.
struct PeerCertificate {
  std::string subject;  // "CN=teller,O=Bank", as RFC 2253 writes names
  std::string issuer;
  std::string serial;  // hexadecimal

  friend bool operator==(const PeerCertificate&, const PeerCertificate&) = default;
};

// Returns the client's certificate of the connection by which the current upcall's request arrived. Returns
// nullopt if that connection does not use TLS, if the client showed no certificate
// (-ORBTLSClientCertificates), and outside of upcalls. A collocated call is treated as in present_peer().
// Allocates; does not lock.
std::optional<PeerCertificate> present_peer_certificate();

}  // namespace takt
