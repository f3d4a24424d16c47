#include "record/whole_messages.h"

#include <cstddef>
#include <cstring>

#include "giop/compression/format.h"
#include "giop/compression/unpack.h"
#include "giop/contexts/service_context.h"
#include "giop/heads/head_parser.h"

namespace takt::command {
namespace {

constexpr std::size_t most_unfinished = 64;  // messages of a connection
constexpr std::size_t most_unpacked_bytes = std::size_t{64} << 20;
constexpr char too_long[] = "in fragments that are too long together";
constexpr std::uint32_t no_id = 0xffffffff;  // GIOP 1.1 has one message in fragments at a time

const giop::Limits limits;

giop::HeaderError read_any_header(const std::uint8_t* octets, giop::MessageHeader& header) {
  if (octets[0] == giop::lite::mark) return giop::lite::read_header(octets, header);
  if (octets[0] == giop::compression::mark)
    return giop::compression::read_header(octets, giop::compression::default_methods(), header);
  return giop::read_header(octets, header);
}

// The place where the octets of a fragment begin.
std::size_t fragment_head_bytes(const giop::MessageHeader& header) {
  return header.version.minor >= 2 ? giop::header_size + sizeof(std::uint32_t) : giop::header_size;
}

std::expected<std::vector<std::uint8_t>, std::string> unpacked(const giop::MessageHeader& header,
                                                               ByteView message) {
  std::vector<std::uint64_t> aligned(message.size() / sizeof(std::uint64_t) + 1);
  std::memcpy(aligned.data(), message.data(), message.size());
  std::vector<std::uint8_t> inflated;
  const auto inside = giop::compression::unpack(
      header, {reinterpret_cast<const std::uint8_t*>(aligned.data()), message.size()},
      {.message_bytes = most_unpacked_bytes, .expansion = giop::compression::max_expansion},
      giop::compression::default_methods(), inflated);
  if (!inside) return std::unexpected(std::string("compressed, and ") + inside.error());
  return std::vector<std::uint8_t>(inside->begin(), inside->end());
}

}  // namespace

std::expected<const ParsedMessage*, std::string> WholeMessages::add(std::uint32_t number, ByteView message) {
  auto& connection = connections_[number];
  if (!connection) connection = std::make_unique<Connection>();
  if (message.size() < giop::header_size) return std::unexpected("incomplete");
  giop::MessageHeader header;
  if (read_any_header(message.data(), header) != giop::HeaderError::none)
    return std::unexpected("of another protocol than GIOP");
  if (header.message_bytes() != message.size()) return std::unexpected("not recorded whole");
  if (header.form == giop::MessageForm::packed) {
    const auto inside = unpacked(header, message);
    if (!inside) return std::unexpected(inside.error());
    if (inside->empty() || inside->front() == giop::compression::mark) return std::unexpected("malformed");
    return add(number, *inside);
  }
  if (header.more_fragments || header.type == giop::MessageType::fragment)
    return add_fragment(*connection, header, message);
  return parse_whole(*connection, message);
}

std::vector<std::uint8_t> WholeMessages::Connection::take(std::uint32_t id) {
  auto node = unfinished.extract(id);
  if (node.empty()) return {};
  unfinished_bytes -= node.mapped().size();
  return std::move(node.mapped());
}

bool WholeMessages::append(Connection& connection, std::uint32_t id, ByteView octets) const {
  if (octets.size() > most_unfinished_bytes_ - connection.unfinished_bytes) {
    connection.take(id);
    return false;
  }
  std::vector<std::uint8_t>& whole = connection.unfinished[id];
  whole.insert(whole.end(), octets.begin(), octets.end());
  connection.unfinished_bytes += octets.size();
  return true;
}

WholeMessages::Result WholeMessages::add_fragment(Connection& connection, const giop::MessageHeader& header,
                                                  ByteView message) {
  const bool has_id = header.version.minor >= 2;
  const std::size_t head = fragment_head_bytes(header);
  if (message.size() < head) return std::unexpected("malformed");
  const std::uint32_t id =
      has_id ? giop::load_u32(message.data() + giop::header_size, giop::is_swapped(message.data())) : no_id;
  const auto found = connection.unfinished.find(id);
  if (header.type != giop::MessageType::fragment) {
    if (found == connection.unfinished.end() && connection.unfinished.size() >= most_unfinished)
      return std::unexpected("in fragments, with too many others");
    connection.take(id);
    if (!append(connection, id, message)) return std::unexpected(too_long);
    return nullptr;
  }
  if (found == connection.unfinished.end()) return std::unexpected("a fragment without its beginning");
  if (giop::is_swapped(found->second.data()) != giop::is_swapped(message.data())) {
    connection.take(id);
    return std::unexpected("malformed");
  }
  if (!append(connection, id, message.subspan(head))) return std::unexpected(too_long);
  if (header.more_fragments) return nullptr;
  std::vector<std::uint8_t> joined = connection.take(id);
  joined[6] = static_cast<std::uint8_t>(joined[6] & ~giop::more_fragments_flag);
  giop::store_message_size(joined.data(), static_cast<std::uint32_t>(joined.size() - giop::header_size));
  return parse_whole(connection, joined);
}

WholeMessages::Result WholeMessages::parse_whole(Connection& connection, ByteView message) {
  parsed_ = ParsedMessage();
  if (read_any_header(message.data(), parsed_.header) != giop::HeaderError::none)
    return std::unexpected("malformed");
  if (parsed_.header.message_bytes() != message.size()) return std::unexpected("not recorded whole");
  parsed_.aligned.resize(message.size() / sizeof(std::uint64_t) + 1);
  std::memcpy(parsed_.aligned.data(), message.data(), message.size());
  const auto* const octets = reinterpret_cast<const std::uint8_t*>(parsed_.aligned.data());
  const bool lite = parsed_.header.form == giop::MessageForm::lite;
  const giop::ParseResult result =
      lite ? giop::parse_lite_head(parsed_.header, octets, message.size(), limits, &connection.names,
                                   parsed_.event)
           : giop::parse_head(parsed_.header, octets, message.size(), limits, parsed_.event);
  if (result == giop::ParseResult::unknown_number)
    return std::unexpected("of GIOPlite, with a number that the recording does not explain");
  if (result != giop::ParseResult::done) return std::unexpected("malformed");
  const giop::Event& event = parsed_.event;
  if (parsed_.header.type == giop::MessageType::request && !event.key_unknown)
    if (const auto offer = event.contexts.find(giop::lite::offer_context))
      if (const auto name = giop::read_number_data(*offer))
        connection.names.learn(*name, event.object_key, event.operation);
  return &parsed_;
}

}  // namespace takt::command
