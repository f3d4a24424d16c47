#include "record/pcapng.h"

#include <cstdint>
#include <string_view>

#include "common/output.h"

namespace takt::command {
namespace {

constexpr std::uint16_t end_of_options = 0, comment = 1, interface_name = 2, packet_flags = 2,
                        application = 4, time_resolution = 9;

// Numbers are little-endian, as the section says.
class Block {
 public:
  explicit Block(std::uint32_t type) {
    put(type, 4);
    put(0, 4);
  }
  void put(std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) octets_ += static_cast<char>(value >> (8 * i));
  }
  void put(std::string_view text) {
    octets_ += text;
    while (octets_.size() % 4 != 0) octets_ += '\0';
  }
  void put_option(std::uint16_t code, std::string_view value) {
    constexpr std::size_t most = 65535;
    value = value.substr(0, most);
    put(code, 2);
    put(value.size(), 2);
    put(value);
  }
  // The block, with its length at both ends.
  std::string whole() {
    const auto size = static_cast<std::uint32_t>(octets_.size() + 4);
    put(size, 4);
    for (int i = 0; i < 4; ++i) octets_[static_cast<std::size_t>(4 + i)] = static_cast<char>(size >> (8 * i));
    return octets_;
  }

 private:
  std::string octets_;
};

std::string section(const recorder::Recording& recording, const std::string& program) {
  Block block(0x0A0D0D0A);
  block.put(0x1A2B3C4D, 4);
  block.put(1, 2);
  block.put(0, 2);
  block.put(UINT64_MAX, 8);
  block.put_option(
      comment, escape_non_ascii("recording of " + recording.owner.program + ", process " +
                                std::to_string(recording.process) + ", ORB " + recording.owner.orb + ", on " +
                                recording.owner.host +
                                (recording.copied_ns != 0 ? ", copied: " + recording.copied_because : "")));
  block.put_option(application, program);
  block.put_option(end_of_options, {});
  return block.whole();
}

std::string interface() {
  constexpr std::uint16_t raw_ip = 101;
  Block block(1);
  block.put(raw_ip, 2);
  block.put(0, 2);
  block.put(0, 4);
  block.put_option(interface_name, "takt");
  block.put_option(time_resolution, "\x09");
  block.put_option(end_of_options, {});
  return block.whole();
}

std::string block_of(const TcpPacket& packet) {
  Block block(6);
  const auto time = static_cast<std::uint64_t>(packet.time_ns);
  block.put(0, 4);
  block.put(time >> 32, 4);
  block.put(time & 0xffffffff, 4);
  block.put(packet.octets.size(), 4);
  block.put(packet.bytes, 4);
  block.put({reinterpret_cast<const char*>(packet.octets.data()), packet.octets.size()});
  const char flags[4] = {packet.direction == recorder::Direction::received ? '\1' : '\2', 0, 0, 0};
  block.put_option(packet_flags, {flags, sizeof flags});
  if (!packet.comment.empty()) block.put_option(comment, escape_non_ascii(packet.comment));
  block.put_option(end_of_options, {});
  return block.whole();
}

}  // namespace

std::string pcapng_head(const recorder::Recording& recording, const std::string& program) {
  return section(recording, program) + interface();
}

std::string pcapng_of(const std::vector<TcpPacket>& packets) {
  std::string octets;
  for (const TcpPacket& packet : packets) octets += block_of(packet);
  return octets;
}

std::string pcapng_of(const recorder::Recording& recording, const std::vector<TcpPacket>& packets) {
  return pcapng_head(recording, "takt record dump") + pcapng_of(packets);
}

}  // namespace takt::command
