// The 12 octets that every GIOP message begins with.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <takt/base/gather_buffer.h>
#include <takt/cdr/byte_order.h>

#include "giop/header/version.h"

namespace takt::giop {

enum class MessageType : std::uint8_t {
  request = 0,
  reply = 1,
  cancel_request = 2,
  locate_request = 3,
  locate_reply = 4,
  close_connection = 5,
  message_error = 6,
  fragment = 7,
};

inline constexpr std::size_t header_size = 12;
inline constexpr std::uint8_t order_flag = 0x01;           // octet 6: little-endian
inline constexpr std::uint8_t more_fragments_flag = 0x02;  // octet 6, from GIOP 1.1

// Only the first form is GIOP's.
enum class MessageForm : std::uint8_t {
  giop,
  lite,    // with GIOPlite's short head
  packed,  // contains another message, possibly compressed
};

struct MessageHeader {
  Version version;
  cdr::ByteOrder order = cdr::native_order;
  bool more_fragments = false;
  MessageForm form = MessageForm::giop;
  MessageType type = MessageType::request;
  std::uint32_t body_bytes = 0;  // octets after the header

  std::size_t message_bytes() const { return header_size + body_bytes; }
};

enum class HeaderError : std::uint8_t { none, not_giop, version, flags, type };
const char* to_text(HeaderError error);

inline std::uint32_t load_u32(const std::uint8_t* at, bool swap) {
  std::uint32_t value;
  std::memcpy(&value, at, sizeof value);
  return swap ? __builtin_bswap32(value) : value;
}

// Parses the 12 octets at `octets`.
inline HeaderError read_header(const std::uint8_t* octets, MessageHeader& header) {
  constexpr std::uint8_t magic[4] = {'G', 'I', 'O', 'P'};
  if (std::memcmp(octets, magic, sizeof magic) != 0) return HeaderError::not_giop;
  header.version = {octets[4], octets[5]};
  if (!version_known(header.version)) return HeaderError::version;
  const std::uint8_t flags = octets[6];
  if (flags > (rules_of(header.version).flag_bits ? order_flag | more_fragments_flag : order_flag))
    return HeaderError::flags;
  if (octets[7] > static_cast<std::uint8_t>(MessageType::fragment)) return HeaderError::type;
  header.order = static_cast<cdr::ByteOrder>(flags & order_flag);
  header.more_fragments = (flags & more_fragments_flag) != 0;
  header.type = static_cast<MessageType>(octets[7]);
  header.body_bytes = load_u32(octets + 8, header.order != cdr::native_order);
  return HeaderError::none;
}

// Writes 12 octets. finish_message() sets the size later.
inline void write_header(std::uint8_t* octets, Version version, cdr::ByteOrder order, MessageType type) {
  const std::uint8_t header[header_size] = {'G',
                                            'I',
                                            'O',
                                            'P',
                                            version.major,
                                            version.minor,
                                            static_cast<std::uint8_t>(order),
                                            static_cast<std::uint8_t>(type)};
  std::memcpy(octets, header, header_size);
}

// Whether a message of any form has the other byte order.
inline bool is_swapped(const std::uint8_t* message) {
  return (message[6] & order_flag) != static_cast<std::uint8_t>(cdr::native_order);
}
// The number of octets after the header.
inline std::uint32_t load_message_size(const std::uint8_t* message) {
  return load_u32(message + 8, is_swapped(message));
}
inline void store_message_size(std::uint8_t* message, std::uint32_t body_bytes) {
  const std::uint32_t value = is_swapped(message) ? __builtin_bswap32(body_bytes) : body_bytes;
  std::memcpy(message + 8, &value, sizeof value);
}

// Sets the size of the message in `message`, once its body is complete. Returns false, without effect, if it
// is longer than GIOP allows.
inline bool finish_message(GatherBuffer& message) {
  const std::size_t body_bytes = message.size() - header_size;
  if (body_bytes > UINT32_MAX) [[unlikely]]
    return false;
  store_message_size(message.owned(), static_cast<std::uint32_t>(body_bytes));
  return true;
}

}  // namespace takt::giop
