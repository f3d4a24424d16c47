#include "record/parsed_message.h"

#include <cstring>

#include "giop/heads/head_parser.h"

namespace takt::command {

std::string parse(ByteView message, ParsedMessage& parsed) {
  if (message.size() < giop::header_size) return "incomplete";
  if (giop::read_header(message.data(), parsed.header) != giop::HeaderError::none)
    return "of another protocol than GIOP";
  if (parsed.header.message_bytes() != message.size()) return "not recorded whole";
  if (parsed.header.more_fragments || parsed.header.type == giop::MessageType::fragment)
    return "in several fragments";
  parsed.aligned.resize(message.size() / sizeof(std::uint64_t) + 1);
  std::memcpy(parsed.aligned.data(), message.data(), message.size());
  static const giop::Limits limits;
  const auto* const octets = reinterpret_cast<const std::uint8_t*>(parsed.aligned.data());
  return giop::parse_head(parsed.header, octets, message.size(), limits, parsed.event) ==
                 giop::ParseResult::done
             ? ""
             : "malformed";
}

}  // namespace takt::command
