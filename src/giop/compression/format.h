// Compressed messages: a Request or Reply within another, between two ends that have agreed. Takt's own, and
// not ZIOP. docs/protocol/compression.md tells the whole.
//
//   octet  0  'Z'
//          1  1, this format's version
//          2  the message inside: 0 as it is; the number of the method that has compressed it, of which 1 is
//             zlib's format (RFC 1950)
//          3  the method by which its sender compresses, and will have the other end do; 0: zlib
//       4, 5  how many times as long as what came a message may be that the sender of this one is to inflate
//          6  flags: 1 the numbers here are little-endian
//          7  message type of the message inside: 0 request, 1 reply
//    8 to 11  octets that follow
//   12 to 15  octets of the message inside, before it was compressed
//         16  the message inside; behind a compressed one there may be zeros
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
inline constexpr std::uint8_t as_it_is = 0;  // in the place of a method
inline constexpr std::size_t method_index = 2, wanted_method_index = 3;
inline constexpr std::size_t expansion_index = 4;
inline constexpr std::size_t head_bytes = 16;

// How many times as long as what came in a message may become. Below the first nothing could be saved;
// deflate reaches the last at most.
inline constexpr std::uint16_t min_expansion = 2;
inline constexpr std::uint16_t max_expansion = 1032;

// How a peer will have messages: inflated to no more times of their length than that, 0 for not at all, and
// by that method.
struct Wanted {
  std::uint16_t expansion = 0;
  std::uint8_t method = 0;
};

// The offer to take such messages, Takt's: an encapsulation of the expansion and of the methods' numbers, the
// most wanted first, as a sequence of octets, which is not there for zlib alone.
inline constexpr std::uint32_t offer_context = 0x54414b0a;
class OfferData {
 public:
  OfferData() = default;  // none is made
  OfferData(std::uint16_t expansion, const MethodList& methods);
  ByteView octets() const { return {octets_.data(), size_}; }

 private:
  std::array<std::uint8_t, 8 + most_methods> octets_;
  std::size_t size_ = 0;
};
struct Offer {
  std::uint16_t expansion = 0;
  ByteView methods;
  // With the first of them that is among ours; nothing: none is.
  std::optional<Wanted> accepted_by(const MethodList& ours) const;
};
// Views into the data, of no more methods than there may be. Nothing: it does not hold together.
std::optional<Offer> read_offer(ByteView data);

// Reads the 12 octets at `octets`, whose first is the mark; the version is GIOP 1.2's.
HeaderError read_header(const std::uint8_t* octets, const MethodList& methods, MessageHeader& header);

}  // namespace takt::giop::compression
