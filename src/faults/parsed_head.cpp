#include "faults/parsed_head.h"

#include <algorithm>
#include <cstring>

#include "giop/compression/format.h"
#include "giop/header/limits.h"
#include "giop/header/lite_format.h"
#include "giop/heads/head_parser.h"

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
  const bool is_giop = std::memcmp(octets.data(), "GIOP", 4) == 0;
  const bool is_short =
      (octets[0] == giop::lite::mark && octets[1] == giop::lite::format_version) ||
      (octets[0] == giop::compression::mark && octets[1] == giop::compression::format_version);
  if (!is_giop && !is_short) return std::nullopt;
  return std::uint64_t{giop::header_size} + giop::load_message_size(octets.data());
}

}  // namespace takt::faults
