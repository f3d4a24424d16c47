// A socket for the messages of SFP.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>
#include <span>
#include <string>

#include <takt/base/bytes.h>

namespace takt::streams::sfp {

struct Address {
  sockaddr_storage octets{};
  socklen_t size = 0;
  bool operator==(const Address& other) const;
  std::uint16_t port() const;
};

// An address as a number and not as a name, which would take a look-up. Throws CORBA::TRANSIENT.
Address address_of(const std::string& host, std::uint16_t port);

// Owns a UDP socket, whose operations do not wait.
class Datagrams {
 public:
  // Both throw CORBA::TRANSIENT if the system refuses.
  static Datagrams at(const Address& own);
  static Datagrams to(const Address& peer, int dscp);
  Datagrams(Datagrams&& from) noexcept;
  Datagrams& operator=(Datagrams&&) = delete;
  ~Datagrams();

  Address own() const;
  // These return the error of the system, or 0.
  int send(ByteView datagram) const;
  int send_to(ByteView datagram, const Address& peer) const;
  // Changes `bytes` to those that came.
  int receive(std::span<std::uint8_t> into, std::size_t& bytes, Address& from) const;
  void wait(int milliseconds) const;
  // Makes wait() return at once from now on. Any thread.
  void shut_down() const { shutdown(fd_, SHUT_RDWR); }

 private:
  explicit Datagrams(const Address& like);

  int fd_;
};

}  // namespace takt::streams::sfp
