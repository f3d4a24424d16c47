#include "record/packets.h"

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <utility>

#include "record/ends.h"

namespace takt::command {
namespace {

constexpr std::size_t most_payload = 60000;
constexpr std::uint8_t syn = 0x02, push = 0x08, acknowledge = 0x10;

void put_u16(std::vector<std::uint8_t>& to, std::uint32_t value) {
  to.push_back(static_cast<std::uint8_t>(value >> 8));
  to.push_back(static_cast<std::uint8_t>(value));
}
void put_u32(std::vector<std::uint8_t>& to, std::uint32_t value) {
  put_u16(to, value >> 16);
  put_u16(to, value & 0xffff);
}

// The sum of RFC 1071.
std::uint16_t checksum(std::span<const std::uint8_t> octets, std::uint32_t sum) {
  for (std::size_t i = 0; i < octets.size(); i += 2)
    sum += static_cast<std::uint32_t>(octets[i] << 8 | (i + 1 < octets.size() ? octets[i + 1] : 0));
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
  return static_cast<std::uint16_t>(~sum);
}

struct Segment {
  bool from_us;
  std::uint32_t sequence, acknowledged;
  std::uint8_t flags;
  std::span<const std::uint8_t> payload;
  std::size_t payload_bytes;  // with those that were not kept
};

void put_ip_head(std::vector<std::uint8_t>& to, const Ends& ends, const IpEnd& from, const IpEnd& into,
                 std::size_t payload_bytes) {
  constexpr std::uint8_t lifetime = 64, tcp = 6;
  const auto bytes = static_cast<std::uint32_t>(payload_bytes);
  if (ends.is_v6) {
    put_u32(to, 0x60000000);
    put_u16(to, bytes);
    to.insert(to.end(), {tcp, lifetime});
    to.insert(to.end(), from.octets.begin(), from.octets.end());
    to.insert(to.end(), into.octets.begin(), into.octets.end());
    return;
  }
  put_u16(to, 0x4500);
  put_u16(to, bytes + 20);
  put_u32(to, 0x00004000);  // not divided
  to.insert(to.end(), {lifetime, tcp, 0, 0});
  to.insert(to.end(), from.octets.begin(), from.octets.begin() + 4);
  to.insert(to.end(), into.octets.begin(), into.octets.begin() + 4);
  const std::uint16_t sum = checksum(to, 0);
  to[10] = static_cast<std::uint8_t>(sum >> 8);
  to[11] = static_cast<std::uint8_t>(sum);
}

// The checksum is right if all octets were kept.
void put_tcp(std::vector<std::uint8_t>& to, const Ends& ends, const IpEnd& from, const IpEnd& into,
             const Segment& segment) {
  const std::size_t begin = to.size();
  put_u16(to, from.port);
  put_u16(to, into.port);
  put_u32(to, segment.sequence);
  put_u32(to, segment.acknowledged);
  to.insert(to.end(), {0x50, segment.flags});
  put_u32(to, 0xffff0000);  // window, checksum
  put_u16(to, 0);
  to.insert(to.end(), segment.payload.begin(), segment.payload.end());
  const std::size_t address = ends.is_v6 ? 16 : 4;
  std::vector<std::uint8_t> before;
  before.insert(before.end(), from.octets.begin(),
                from.octets.begin() + static_cast<std::ptrdiff_t>(address));
  before.insert(before.end(), into.octets.begin(),
                into.octets.begin() + static_cast<std::ptrdiff_t>(address));
  put_u32(before, static_cast<std::uint32_t>(to.size() - begin));
  put_u32(before, 6);
  const auto half = static_cast<std::uint16_t>(~checksum(before, 0));
  const std::uint16_t sum = checksum(std::span(to).subspan(begin), half);
  to[begin + 16] = static_cast<std::uint8_t>(sum >> 8);
  to[begin + 17] = static_cast<std::uint8_t>(sum);
}

}  // namespace

// One connection as it passes.
class PacketMaker::Conversation {
 public:
  Conversation(const Ends& ends, std::string about) : ends_(ends), about_(std::move(about)) {}

  void open(bool is_accepted, std::int64_t time_ns, std::vector<TcpPacket>& packets) const {
    const recorder::Direction first = is_accepted ? recorder::Direction::received : recorder::Direction::sent;
    const recorder::Direction second =
        is_accepted ? recorder::Direction::sent : recorder::Direction::received;
    packets.push_back(packet(time_ns, first, {first == recorder::Direction::sent, 0, 0, syn, {}, 0}));
    packets.push_back(
        packet(time_ns, second, {second == recorder::Direction::sent, 0, 1, syn | acknowledge, {}, 0}));
    packets.push_back(packet(time_ns, first, {first == recorder::Direction::sent, 1, 1, acknowledge, {}, 0}));
    packets.back().comment = about_;
  }
  void pass(const recorder::ReadMessage& message, std::vector<TcpPacket>& packets) {
    std::span<const std::uint8_t> left = message.octets;
    std::size_t bytes = std::max<std::size_t>(message.message_bytes, left.size());
    std::uint64_t at = message.stream_offset;
    const std::uint64_t other_next = next_[message.direction != recorder::Direction::sent];
    for (bool is_first = true; !left.empty(); is_first = false) {
      const auto payload = left.first(std::min(left.size(), most_payload));
      left = left.subspan(payload.size());
      const std::size_t as_it_was = left.empty() ? std::min(bytes, most_payload) : payload.size();
      packets.push_back(
          packet(message.time_ns, message.direction,
                 {message.direction == recorder::Direction::sent, 1 + static_cast<std::uint32_t>(at),
                  1 + static_cast<std::uint32_t>(other_next), push | acknowledge, payload, as_it_was}));
      if (is_first) packets.back().comment = comment_of(message);
      at += payload.size();
      bytes -= as_it_was;
    }
    next_[message.direction == recorder::Direction::sent] =
        message.stream_offset + std::max<std::uint64_t>(message.message_bytes, message.octets.size());
  }

 private:
  TcpPacket packet(std::int64_t time_ns, recorder::Direction direction, const Segment& segment) const {
    const IpEnd& from = segment.from_us ? ends_.own : ends_.peer;
    const IpEnd& into = segment.from_us ? ends_.peer : ends_.own;
    constexpr std::size_t tcp_head = 20;
    TcpPacket made{.time_ns = time_ns, .direction = direction, .octets = {}, .bytes = 0, .comment = {}};
    put_ip_head(made.octets, ends_, from, into, tcp_head + segment.payload_bytes);
    put_tcp(made.octets, ends_, from, into, segment);
    made.bytes =
        static_cast<std::uint32_t>(made.octets.size() + segment.payload_bytes - segment.payload.size());
    return made;
  }
  std::string comment_of(const recorder::ReadMessage& message) const {
    std::string text = "thread " + std::to_string(message.thread) + "; " + about_;
    if (!message.is_whole())
      text += "; " + std::to_string(message.octets.size()) + " of " + std::to_string(message.message_bytes) +
              " octets were kept";
    return text;
  }

  const Ends ends_;
  const std::string about_;
  std::array<std::uint64_t, 2> next_{};  // the offset after the last message: received, sent
};

namespace {

// The number of conversations that are kept although the recording no longer knows them.
constexpr std::size_t few = 64;

}  // namespace

PacketMaker::PacketMaker() = default;
PacketMaker::~PacketMaker() = default;

void PacketMaker::add(const recorder::ReadMessage& message,
                      const std::map<std::uint32_t, recorder::ReadConnection>& connections,
                      std::vector<TcpPacket>& packets) {
  auto known = conversations_.find(message.connection);
  if (known == conversations_.end()) {
    if (conversations_.size() > 2 * connections.size() + few)
      std::erase_if(conversations_, [&](const auto& one) { return !connections.contains(one.first); });
    const auto entry = connections.find(message.connection);
    const bool is_described = entry != connections.end();
    const bool is_accepted = is_described && entry->second.is_accepted;
    const std::string text = is_described ? entry->second.text : "unknown";
    const std::string about = "connection " + std::to_string(message.connection) + ": " + text;
    known =
        conversations_
            .emplace(message.connection, Conversation(ends_of(text, message.connection, is_accepted), about))
            .first;
    if (message.stream_offset == 0 && is_described) known->second.open(is_accepted, message.time_ns, packets);
  }
  known->second.pass(message, packets);
}

std::vector<TcpPacket> packets_of(const recorder::Recording& recording) {
  std::vector<TcpPacket> packets;
  PacketMaker maker;
  for (const recorder::ReadMessage& message : recording.messages)
    maker.add(message, recording.connections, packets);
  return packets;
}

}  // namespace takt::command
