// GIOPlite: short heads for requests and replies, if both ends have agreed ([Kuhns 1999], 4.1).
//
// A connection starts with GIOP 1.2. A request may offer a number for its object key and operation, in a
// service context. A reply with a short head says that the server has learnt the number. From then on the
// number replaces the two names. All other messages are GIOP's. See docs/protocol/giop-lite.md.
//
//   octet  0  'L'
//          1  1, this format's version
//          2  request: response flags; reply: reply status
//          3  0
//       4, 5  request: the number of the names; reply: 0
//          6  flags: 1 little-endian, 2 service contexts follow the head
//          7  message type, as in GIOP: 0 request, 1 reply
//    8 to 11  octets that follow
//   12 to 15  request id
//         16  service contexts, as in GIOP 1.2, if there are; then the body, at a multiple of 8
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <takt/cdr/byte_order.h>

#include "giop/header/message_header.h"

namespace takt::giop::lite {

inline constexpr std::uint8_t mark = 'L';
inline constexpr std::uint8_t format_version = 1;
inline constexpr std::uint8_t contexts_flag = 0x02;
inline constexpr std::size_t head_bytes = 16;
inline constexpr std::size_t answer_index = 2;
inline constexpr std::size_t number_index = 4;

// Per connection: numbers are below max_names. Names whose total length is greater are not numbered.
inline constexpr std::size_t max_names = 1024;
inline constexpr std::size_t max_name_octets = 256;

// Service context with the offered number (write_number_data()). Takt's own.
inline constexpr std::uint32_t offer_context = 0x54414b07;

// The constant part of the first eight octets, for a message type in native byte order.
inline std::uint64_t first_octets(MessageType type) {
  const std::uint8_t octets[8] = {mark,
                                  format_version,
                                  0,
                                  0,
                                  0,
                                  0,
                                  static_cast<std::uint8_t>(cdr::native_order),
                                  static_cast<std::uint8_t>(type)};
  std::uint64_t word;
  std::memcpy(&word, octets, sizeof word);
  return word;
}
inline std::uint64_t first_octets_mask() {
  constexpr std::uint8_t octets[8] = {0xff, 0xff, 0, 0, 0, 0, static_cast<std::uint8_t>(~contexts_flag),
                                      0xff};
  std::uint64_t word;
  std::memcpy(&word, octets, sizeof word);
  return word;
}

// Parses the 12 octets at `octets`, the first of which is the mark. The version is set to GIOP 1.2.
HeaderError read_header(const std::uint8_t* octets, MessageHeader& header);

}  // namespace takt::giop::lite
