// An end of a TLS connection whose test decides what goes over the socket: records, and octets that are none.
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
  // Over a connected, blocking socket, which stays the caller's. They return when the handshake is done, and
  // throw std::runtime_error where it fails. A client checks no certificate.
  static RawTlsEnd client(int fd) { return {fd, nullptr}; }
  static RawTlsEnd server(int fd, const Credentials& own) { return {fd, &own}; }
  ~RawTlsEnd();
  RawTlsEnd(RawTlsEnd&& from) noexcept;

  // The record that carries these octets; it is not sent.
  std::vector<std::uint8_t> record_of(std::span<const std::uint8_t> octets);
  // What is not encrypted, as it is. False: the peer has ended the connection.
  bool send(std::span<const std::uint8_t> octets) const;
  // The peer's next octets, decrypted; fewer where the peer ends, or says nothing for ten seconds.
  std::vector<std::uint8_t> receive(std::size_t count);

 private:
  struct Parts;
  RawTlsEnd(int fd, const Credentials* own);

  std::unique_ptr<Parts> parts_;
};

}  // namespace takt::test
