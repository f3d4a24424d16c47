// What a datagram of the UDP transport begins with.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include <takt/base/bytes.h>

namespace takt::transport {

// docs/protocol/udp.md has the protocol. Numbers are in network order.
struct Datagram {
  enum class Kind : std::uint8_t {
    // Of the handshake; `token` is a number that the client has chosen:
    hello = 1,  // client: as long as anything that is answered to it
    cookie,     // server: for that client, at that address, for a while
    open,       // client: the cookie again, as long as hello
    welcome,    // server: the connection's token
    // Of a connection, with its token:
    data,  // octets of the stream, from `position` on; perhaps none
    gone,  // server: there is no such connection
  };
  enum Flag : std::uint8_t {
    ask = 1,    // say what you have
    again = 2,  // I wait: send what I have not acknowledged once more, or say what you have
    gap = 4,    // what came last lies behind `acknowledged`; what is missing is to come again
    end = 8,    // nothing follows these octets
    deaf = 16,  // nor will anything be taken
  };

  Kind kind = Kind::data;
  std::uint8_t flags = 0;
  std::uint64_t token = 0;
  std::uint32_t position = 0;      // of the first octet, modulo 2^32
  std::uint32_t acknowledged = 0;  // all octets before this one have come

  static constexpr std::size_t head_bytes = 24;
  static constexpr std::size_t cookie_bytes = 16;
  // Of hello and open, behind their heads: no answer is longer, so that nobody sends more by us than itself.
  static constexpr std::size_t greeting_bytes = 32;
  using Head = std::array<std::uint8_t, head_bytes>;

  Head encode() const;
  // Nothing for what is no datagram of this protocol and version.
  static std::optional<Datagram> decode(ByteView octets);
};

// The body of a welcome.
std::array<std::uint8_t, 8> encode_token(std::uint64_t token);
std::optional<std::uint64_t> decode_token(ByteView body);

}  // namespace takt::transport
