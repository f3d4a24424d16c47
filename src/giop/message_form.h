// Where a message of a stream begins and how long it is, for those who watch streams without taking part.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>

#include "giop/compression/format.h"
#include "giop/header/lite_format.h"
#include "giop/header/message_header.h"

namespace takt::giop {

inline bool begins_giop(const std::uint8_t* octets) { return std::memcmp(octets, "GIOP", 4) == 0; }
// The form of the message that begins with these octets, of which there are at least header_size; nothing if
// they begin no message. Any version and type of GIOP counts, because its size is always in the same place.
inline std::optional<MessageForm> message_form(const std::uint8_t* octets) {
  if (begins_giop(octets)) return MessageForm::giop;
  if (octets[7] > static_cast<std::uint8_t>(MessageType::reply)) return std::nullopt;
  if (octets[0] == lite::mark && octets[1] == lite::format_version) return MessageForm::lite;
  if (octets[0] == compression::mark && octets[1] == compression::format_version) return MessageForm::packed;
  return std::nullopt;
}

// Octets of a message of any form, with its header, which `message` begins with.
inline std::uint64_t whole_message_bytes(const std::uint8_t* message) {
  return std::uint64_t{header_size} + load_message_size(message);
}

}  // namespace takt::giop
