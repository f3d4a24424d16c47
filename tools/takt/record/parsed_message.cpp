#include "record/parsed_message.h"

#include <cstring>

#include "giop/heads/head_parser.h"

namespace takt::command {

ParsedPart parse(ByteView message, ParsedMessage& parsed) {
  if (message.size() < giop::header_size ||
      giop::read_header(message.data(), parsed.header) != giop::HeaderError::none ||
      parsed.header.message_bytes() < message.size() || parsed.header.type == giop::MessageType::fragment)
    return ParsedPart::nothing;
  parsed.aligned.resize(message.size() / sizeof(std::uint64_t) + 1);
  std::memcpy(parsed.aligned.data(), message.data(), message.size());
  static const giop::Limits limits;
  const auto* const octets = reinterpret_cast<const std::uint8_t*>(parsed.aligned.data());
  if (giop::parse_head(parsed.header, octets, message.size(), limits, parsed.event) !=
      giop::ParseResult::done)
    return ParsedPart::nothing;
  const bool is_whole = parsed.header.message_bytes() == message.size() && !parsed.header.more_fragments;
  return is_whole ? ParsedPart::whole : ParsedPart::head;
}

}  // namespace takt::command
