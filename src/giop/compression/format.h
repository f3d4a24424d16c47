// Compressed messages: a Request or Reply within another, between two ends that have agreed. Takt's own, and
// not ZIOP. docs/protocol/compression.md tells the whole.
//
//   octet  0  'Z'
//          1  1, this format's version
//          2  the message inside: 0 as it is, 1 in zlib's format (RFC 1950)
//          3  0
//       4, 5  how many times as long as what came a message may be that the sender of this one is to inflate
//          6  flags: 1 the numbers here are little-endian
//          7  message type of the message inside: 0 request, 1 reply
//    8 to 11  octets that follow
//   12 to 15  octets of the message inside, before it was compressed
//         16  the message inside; behind a compressed one there may be zeros
#pragma once

#include <cstddef>
#include <cstdint>

#include "giop/message/message_header.h"

namespace takt::giop::compression {

inline constexpr std::uint8_t mark = 'Z';
inline constexpr std::uint8_t format_version = 1;
enum class Method : std::uint8_t { as_it_is = 0, zlib = 1 };
inline constexpr std::size_t method_index = 2;
inline constexpr std::size_t expansion_index = 4;
inline constexpr std::size_t head_bytes = 16;

// How many times as long as what came in a message may become. Below the first nothing could be saved;
// deflate reaches the last at most.
inline constexpr std::uint16_t min_expansion = 2;
inline constexpr std::uint16_t max_expansion = 1032;

// The offer to take such messages: the expansion (write_number_data()). Takt's.
inline constexpr std::uint32_t offer_context = 0x54414b0a;

// Reads the 12 octets at `octets`, whose first is the mark; the version is GIOP 1.2's.
HeaderError read_header(const std::uint8_t* octets, MessageHeader& header);

}  // namespace takt::giop::compression
