#include "streams/sfp/messages.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

namespace takt::streams::sfp {
namespace {

constexpr std::string_view frame_magic = "=SFP", start_magic = "=STA", reply_magic = "=STR",
                           credit_magic = "=CRE", fragment_magic = "FRAG";
constexpr std::size_t magic_bytes = 4, head_bytes = 12, start_bytes = 7, reply_bytes = 5, credit_bytes = 8;
constexpr std::uint8_t little_endian = 1, more_fragments = 2;
constexpr std::uint8_t own_order = std::endian::native == std::endian::little ? little_endian : 0;
constexpr std::uint32_t most_sources = 64;

// The numbers of message types in frame heads.
enum Type : std::uint8_t { end_of_stream = 1, simple = 2, sequenced = 3, full = 4 };

std::uint32_t swapped(std::uint32_t value) { return __builtin_bswap32(value); }

class Reader {
 public:
  Reader(ByteView octets, std::uint8_t flags) : octets_(octets), flags_(flags) {}
  // Whether `bytes` more are there, from the current place on.
  bool has(std::size_t bytes) const { return octets_.size() - place_ >= bytes; }
  void skip(std::size_t bytes) { place_ += bytes; }
  std::uint32_t number() {
    std::uint32_t value = 0;
    std::memcpy(&value, octets_.data() + place_, sizeof value);
    place_ += sizeof value;
    return (flags_ & little_endian) == own_order ? value : swapped(value);
  }
  ByteView rest() const { return octets_.subspan(place_); }

 private:
  ByteView octets_;
  std::uint8_t flags_;
  std::size_t place_ = 0;
};

// Peers may count the head or not.
bool is_size(std::uint32_t stated, std::size_t bytes, std::size_t head) {
  return stated == bytes || stated == bytes - head;
}

std::optional<Message> frame_of(ByteView datagram) {
  if (datagram.size() < head_bytes) return {};
  Reader in(datagram, datagram[magic_bytes]);
  in.skip(8);
  const bool has_size = is_size(in.number(), datagram.size(), head_bytes);
  Message message{.has_more = (datagram[magic_bytes] & more_fragments) != 0};
  switch (datagram[magic_bytes + 1]) {
    case end_of_stream:  // the stated size may be left from an earlier message
      message.kind = Kind::end;
      return message;
    case simple:
      message.kind = Kind::simple_frame;
      break;
    case sequenced:
      if (!in.has(4)) return {};
      message.kind = Kind::sequenced_frame;
      message.sequence = in.number();
      break;
    case full: {
      if (!in.has(16)) return {};
      message.kind = Kind::frame;
      message.timestamp = in.number();
      in.skip(4);  // the source of the time
      const std::uint32_t sources = in.number();
      if (sources > most_sources || !in.has(4 * (std::size_t{sources} + 1))) return {};
      in.skip(4 * std::size_t{sources});
      message.sequence = in.number();
      break;
    }
    default:
      return {};
  }
  message.payload = in.rest();
  if (!has_size || (message.has_more && message.kind == Kind::simple_frame)) return {};
  return message;
}

std::optional<Message> fragment_of(ByteView datagram) {
  if (datagram.size() < fragment_head_bytes) return {};
  const std::uint8_t flags = datagram[magic_bytes];
  Reader in(datagram, flags);
  in.skip(8);
  Message message{.kind = Kind::fragment, .has_more = (flags & more_fragments) != 0};
  message.number = in.number();
  message.sequence = in.number();
  const std::uint32_t size = in.number();
  in.skip(4);  // the source
  message.payload = in.rest();
  if (message.number == 0 || !is_size(size, datagram.size(), fragment_head_bytes)) return {};
  return message;
}

void begin(std::vector<std::uint8_t>& into, std::string_view magic, std::size_t bytes) {
  into.assign(bytes, 0);
  std::ranges::copy(magic, into.begin());
}
void put(std::vector<std::uint8_t>& into, std::size_t place, std::uint32_t value) {
  std::memcpy(into.data() + place, &value, sizeof value);
}
std::uint8_t flags_of(bool has_more) {
  return static_cast<std::uint8_t>(own_order | (has_more ? more_fragments : 0));
}

}  // namespace

std::optional<Message> parse(ByteView datagram) {
  if (datagram.size() < reply_bytes) return {};
  const auto is = [&](std::string_view magic) {
    return std::ranges::equal(datagram.first(magic_bytes), magic, {}, {},
                              [](char c) { return static_cast<std::uint8_t>(c); });
  };
  if (is(frame_magic)) return frame_of(datagram);
  if (is(fragment_magic)) return fragment_of(datagram);
  if (is(start_magic) && datagram.size() >= start_bytes && datagram[magic_bytes] == 1)
    return Message{.kind = Kind::start};
  if (is(reply_magic)) return Message{.kind = Kind::start_reply};
  if (!is(credit_magic) || datagram.size() < credit_bytes) return {};
  std::uint32_t frames = 0;
  std::memcpy(&frames, datagram.data() + magic_bytes, sizeof frames);
  return Message{.kind = Kind::credit, .number = std::min(frames, swapped(frames))};
}

void write_start(std::vector<std::uint8_t>& into) {
  begin(into, start_magic, start_bytes);
  into[magic_bytes] = 1;  // the version is 1.0
}
void write_start_reply(std::vector<std::uint8_t>& into) { begin(into, reply_magic, reply_bytes); }
void write_credit(std::vector<std::uint8_t>& into, std::uint32_t frames) {
  begin(into, credit_magic, credit_bytes);
  put(into, magic_bytes, std::endian::native == std::endian::big ? frames : swapped(frames));
}
void write_end(std::vector<std::uint8_t>& into) {
  begin(into, frame_magic, head_bytes);
  into[magic_bytes] = flags_of(false);
  into[magic_bytes + 1] = end_of_stream;
  put(into, 8, head_bytes);
}
void write_frame(std::vector<std::uint8_t>& into, std::uint32_t sequence, std::uint32_t timestamp,
                 ByteView payload, bool has_more) {
  begin(into, frame_magic, frame_head_bytes);
  into[magic_bytes] = flags_of(has_more);
  into[magic_bytes + 1] = full;
  put(into, 8, static_cast<std::uint32_t>(frame_head_bytes + payload.size()));
  put(into, 12, timestamp);
  put(into, 24, sequence);  // behind the source of the time, and no further sources
  into.insert(into.end(), payload.begin(), payload.end());
}
void write_fragment(std::vector<std::uint8_t>& into, std::uint32_t sequence, std::uint32_t number,
                    ByteView payload, bool has_more) {
  begin(into, fragment_magic, fragment_head_bytes);
  into[magic_bytes] = flags_of(has_more);
  put(into, 8, number);
  put(into, 12, sequence);
  put(into, 16, static_cast<std::uint32_t>(fragment_head_bytes + payload.size()));
  into.insert(into.end(), payload.begin(), payload.end());
}

}  // namespace takt::streams::sfp
