// A messaging protocol in a plug-in, loaded while an ORB starts. Each message has a number and a checksum: a
// message that was lost, repeated or changed on the way ends the connection instead of corrupting a call.
//
//   -ORBPlugin ./checked.so -ORBListenEndpoints checked://:0
//
// Explained in docs/user/writing-a-messaging-protocol.md.
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include <takt/orb/plugin.h>

namespace {

using takt::ByteView;
using takt::giop::MessageSink;

// CRC-32C (Castagnoli), bit-reflected: a table with an entry for each octet value.
constexpr std::array<std::uint32_t, 256> table = [] {
  std::array<std::uint32_t, 256> made{};
  for (std::uint32_t octet = 0; octet < made.size(); ++octet) {
    std::uint32_t crc = octet;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0x82f63b78 : 0);
    made[octet] = crc;
  }
  return made;
}();
std::uint32_t add(std::uint32_t crc, ByteView octets) {
  for (const std::uint8_t octet : octets) crc = table[(crc ^ octet) & 0xff] ^ crc >> 8;
  return crc;
}

// The head of a message: its length, its number within its direction, from 0, and the checksum of the number
// and the message. Each has the most significant octet first.
constexpr std::size_t head_bytes = 12;

void put(std::uint8_t* at, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) *at++ = static_cast<std::uint8_t>(value >> shift);
}
std::uint32_t get(const std::uint8_t* at) {
  return std::uint32_t{at[0]} << 24 | std::uint32_t{at[1]} << 16 | std::uint32_t{at[2]} << 8 | at[3];
}

class Coder final : public takt::giop::MessageCoder {
 public:
  bool write(std::span<const ByteView> message, MessageSink& wire) override {
    std::array<std::uint8_t, head_bytes> head;
    put(head.data() + 4, sent_++);
    std::size_t size = 0;
    std::uint32_t crc = add(~0u, ByteView(head).subspan(4, 4));
    for (const ByteView piece : message) {
      size += piece.size();
      crc = add(crc, piece);
    }
    put(head.data(), static_cast<std::uint32_t>(size));
    put(head.data() + 8, ~crc);
    wire.append(head);
    for (const ByteView piece : message) wire.borrow(piece);
    return true;
  }

  std::size_t front_size(ByteView octets) override {
    return octets.size() < head_bytes ? 0 : head_bytes + get(octets.data());
  }

  bool read(ByteView octets, MessageSink& messages) override {
    const ByteView message = octets.subspan(head_bytes);
    const std::uint32_t crc = add(add(~0u, octets.subspan(4, 4)), message);
    if (get(octets.data() + 4) != received_++ || get(octets.data() + 8) != ~crc) return false;
    messages.borrow(message);
    return true;
  }

 private:
  std::uint32_t sent_ = 0, received_ = 0;
};

class Checked final : public takt::giop::MessagingProtocol {
 public:
  std::string_view name() const override { return "checked"; }
  // Use a tag of your own: the OMG assigns ranges of tags. This one is from Takt's range, for examples.
  std::uint32_t profile_tag() const override { return 0x54414b7e; }
  std::unique_ptr<takt::giop::MessageCoder> open(bool) const override { return std::make_unique<Coder>(); }
};

}  // namespace

std::uint32_t takt_plugin(std::uint32_t interface, takt::PluginRegistry& registry) {
  if (interface == takt::plugin_interface) registry.add_messaging(std::make_unique<Checked>());
  return takt::plugin_interface;
}
