#include "giop/heads/group_request.h"

#include "giop/heads/head_parser.h"

namespace takt::giop {

namespace {

// Reads the group from the profile that parse_head() has found.
template <bool Swap>
std::optional<Group> group_of_target(ByteView message) {
  HeadReader<Swap> in(message.data(), message.size(), header_size);
  cdr::TaggedProfile profile;
  std::uint32_t request_id = 0;
  std::uint16_t addressing = 0;
  ByteView data;
  constexpr std::size_t flags_bytes = 4;
  if (!in.u32(request_id) || !in.skip(flags_bytes) || !in.u16(addressing) || !in.u32(profile.tag) ||
      !in.octets(data))
    return std::nullopt;
  profile.data.assign(data.begin(), data.end());
  auto group = read_group_profile(profile);
  if (!group) return std::nullopt;
  return std::move(group->group);
}

}  // namespace

std::optional<Group> read_group_request(ByteView message, const Limits& limits, Event& event) {
  MessageHeader header;
  if (message.size() < header_size || read_header(message.data(), header) != HeaderError::none ||
      header.type != MessageType::request || header.version.minor != 2 || header.more_fragments ||
      header.message_bytes() != message.size())
    return std::nullopt;
  event = {};
  if (parse_head(header, message.data(), message.size(), limits, event) != ParseResult::done ||
      event.response_expected || event.addressing != Addressing::profile || !event.key_unknown)
    return std::nullopt;
  return header.order == cdr::native_order ? group_of_target<false>(message) : group_of_target<true>(message);
}

}  // namespace takt::giop
