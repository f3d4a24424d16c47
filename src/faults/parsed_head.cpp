#include "faults/parsed_head.h"

#include <algorithm>
#include <cstring>

#include "giop/header/limits.h"
#include "giop/heads/head_parser.h"
#include "giop/message_form.h"

namespace takt::faults {

bool parse_head(ByteView octets, ParsedHead& parsed) {
  if (giop::read_header(octets.data(), parsed.header) != giop::HeaderError::none) return false;
  if (parsed.header.type != giop::MessageType::request && parsed.header.type != giop::MessageType::reply)
    return false;
  const std::size_t present = std::min(octets.size(), parsed.header.message_bytes());
  parsed.aligned.resize(present / sizeof(std::uint64_t) + 1);
  std::memcpy(parsed.aligned.data(), octets.data(), present);
  static const giop::Limits limits;
  return giop::parse_head(parsed.header, reinterpret_cast<const std::uint8_t*>(parsed.aligned.data()),
                          present, limits, parsed.event) == giop::ParseResult::done;
}

std::optional<std::uint64_t> message_size(ByteView octets) {
  if (!giop::message_form(octets.data())) return std::nullopt;
  return giop::whole_message_bytes(octets.data());
}

}  // namespace takt::faults
