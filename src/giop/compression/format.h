// Compressed messages: a Request or Reply within another message, if both ends have agreed. This format is
// Takt's own, not ZIOP. See docs/protocol/compression.md.
//
//   octet  0  'Z'
//          1  1, this format's version
//          2  the message inside: 0 not compressed, or its compression method; 1 is zlib's format (RFC 1950)
//          3  the method that the sender uses and wants the peer to use; 0: zlib
//       4, 5  the maximum expansion that the sender accepts: size of a message inside / its packed size
//          6  flags: 1 the numbers here are little-endian
//          7  message type of the message inside: 0 request, 1 reply
//    8 to 11  number of octets that follow
//   12 to 15  size of the message inside, before compression
//         16  the message inside; after a compressed one there may be zeros
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "giop/compression/methods.h"
#include "giop/header/message_header.h"

namespace takt::giop::compression {

inline constexpr std::uint8_t mark = 'Z';
inline constexpr std::uint8_t format_version = 1;
inline constexpr std::uint8_t as_it_is = 0;  // instead of a method
inline constexpr std::size_t method_index = 2, wanted_method_index = 3;
inline constexpr std::size_t expansion_index = 4;
inline constexpr std::size_t head_bytes = 16;

// Limits of the expansion. Below the minimum nothing could be saved; deflate cannot exceed the maximum.
inline constexpr std::uint16_t min_expansion = 2;
inline constexpr std::uint16_t max_expansion = 1032;

// How a peer wants messages: the method, and the maximum expansion; 0 if it accepts no packed messages.
struct Wanted {
  std::uint16_t expansion = 0;
  std::uint8_t method = 0;
};

// Service context with which Takt offers to accept such messages. An encapsulation: the expansion, then the
// methods' numbers in order of preference as a sequence of octets, which is omitted for zlib alone.
inline constexpr std::uint32_t offer_context = 0x54414b0a;
class OfferData {
 public:
  OfferData() = default;  // no offer
  OfferData(std::uint16_t expansion, const MethodList& methods);
  ByteView octets() const { return {octets_.data(), size_}; }

 private:
  std::array<std::uint8_t, 8 + most_methods> octets_;
  std::size_t size_ = 0;
};
struct Offer {
  std::uint16_t expansion = 0;
  ByteView methods;
  // The first offered method that is in `ours`; empty if there is none.
  std::optional<Wanted> accepted_by(const MethodList& ours) const;
};
// Views into the data, of at most most_methods methods. Empty if the data is malformed.
std::optional<Offer> read_offer(ByteView data);

// Parses the 12 octets at `octets`, the first of which is the mark. The version is set to GIOP 1.2.
HeaderError read_header(const std::uint8_t* octets, const MethodList& methods, MessageHeader& header);

}  // namespace takt::giop::compression
