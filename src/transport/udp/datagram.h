// The header of a datagram of the UDP transport.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include <takt/base/bytes.h>

namespace takt::transport {

// docs/protocol/udp.md describes the protocol. Numbers are in network byte order.
struct Datagram {
  enum class Kind : std::uint8_t {
    // Handshake; `token` is a number that the client chose:
    hello = 1,  // client: at least as long as any answer to it
    cookie,     // server: a cookie for that client and address, valid for a limited time
    open,       // client: returns the cookie; as long as hello
    welcome,    // server: the connection's token
    // Within a connection, with its token:
    data,  // octets of the stream from `position` on; possibly none
    gone,  // server: the connection does not exist
  };
  enum Flag : std::uint8_t {
    ask = 1,    // requests an acknowledgement
    again = 2,  // the sender waits: repeat what it has not acknowledged, or acknowledge
    gap = 4,    // octets after `acknowledged` are missing and must be repeated
    end = 8,    // the stream ends after these octets
    deaf = 16,  // the sender of this accepts no more octets either
  };

  Kind kind = Kind::data;
  std::uint8_t flags = 0;
  std::uint64_t token = 0;
  std::uint32_t position = 0;      // position of the first octet, modulo 2^32
  std::uint32_t acknowledged = 0;  // all octets before this position have arrived

  static constexpr std::size_t head_bytes = 24;
  static constexpr std::size_t cookie_bytes = 16;
  // Length of hello and open bodies. No answer is longer, so the server cannot be used as an amplifier.
  static constexpr std::size_t greeting_bytes = 32;
  using Head = std::array<std::uint8_t, head_bytes>;

  Head encode() const;
  // nullopt for anything but a datagram of this protocol and version.
  static std::optional<Datagram> decode(ByteView octets);
};

// The body of a welcome.
std::array<std::uint8_t, 8> encode_token(std::uint64_t token);
std::optional<std::uint64_t> decode_token(ByteView body);

}  // namespace takt::transport
