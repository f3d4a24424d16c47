// One end of a TLS connection whose test controls the octets on the socket: valid records and others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "certificates.h"

namespace takt::test {

class RawTlsEnd {
 public:
  // Use a connected, blocking socket, which the caller keeps. They return after the handshake, and throw
  // std::runtime_error if it fails. A client checks no certificate.
  static RawTlsEnd client(int fd) { return {fd, nullptr}; }
  static RawTlsEnd server(int fd, const Credentials& own) { return {fd, &own}; }
  ~RawTlsEnd();
  RawTlsEnd(RawTlsEnd&& from) noexcept;

  // The record that contains the octets; does not send it.
  std::vector<std::uint8_t> record_of(std::span<const std::uint8_t> octets);
  // Sends octets unencrypted. False if the peer has closed the connection.
  bool send(std::span<const std::uint8_t> octets) const;
  // Receives and decrypts; returns fewer octets if the peer closes or is silent for ten seconds.
  std::vector<std::uint8_t> receive(std::size_t count);

 private:
  struct Parts;
  RawTlsEnd(int fd, const Credentials* own);

  std::unique_ptr<Parts> parts_;
};

}  // namespace takt::test
