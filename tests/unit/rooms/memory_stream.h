// A stream over memory whose other end is the test.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include <takt/transport/stream.h>

namespace takt::rooms {

// Shared by both ends of a MemoryStream: the test writes `incoming` and reads `outgoing`.
struct Wire {
  std::vector<std::uint8_t> incoming;
  std::vector<std::uint8_t> outgoing;
  std::size_t read_limit = SIZE_MAX;   // octets per read
  std::size_t write_limit = SIZE_MAX;  // octets accepted before the peer "does not read"
  bool ended = false;                  // the peer has closed; takes effect when incoming is empty
  bool shut = false;
  std::chrono::nanoseconds silence{0};  // the last limit that was set
};

class MemoryStream : public transport::Stream {
 public:
  explicit MemoryStream(Wire& wire, const transport::StreamCapabilities& capabilities = {})
      : Stream(capabilities), wire_(wire) {}

  transport::IoResult read(MutableBytes into) override {
    if (wire_.incoming.empty())
      return {
          0,
          wire_.ended || wire_.shut ? transport::IoStatus::end_of_stream : transport::IoStatus::would_block,
          0};
    const std::size_t count = std::min({into.size(), wire_.incoming.size(), wire_.read_limit});
    std::memcpy(into.data(), wire_.incoming.data(), count);
    wire_.incoming.erase(wire_.incoming.begin(), wire_.incoming.begin() + static_cast<std::ptrdiff_t>(count));
    return {count, transport::IoStatus::ok, 0};
  }
  transport::IoResult write(ByteView octets) override {
    const std::size_t count = std::min(octets.size(), wire_.write_limit);
    if (count == 0) return {0, transport::IoStatus::would_block, 0};
    wire_.write_limit -= wire_.write_limit == SIZE_MAX ? 0 : count;
    wire_.outgoing.insert(wire_.outgoing.end(), octets.begin(),
                          octets.begin() + static_cast<std::ptrdiff_t>(count));
    return {count, transport::IoStatus::ok, 0};
  }
  transport::IoResult write_gather(std::span<const ByteView> pieces) override {
    std::size_t count = 0;
    for (const ByteView piece : pieces) {
      const auto result = write(piece);
      count += result.bytes;
      if (result.bytes < piece.size()) break;
    }
    return {count, count ? transport::IoStatus::ok : transport::IoStatus::would_block, 0};
  }
  void set_blocking(bool) override {}
  bool set_timeouts(std::chrono::nanoseconds, std::chrono::nanoseconds) override { return true; }
  bool set_write_timeout(std::chrono::nanoseconds) override { return true; }
  bool set_silence_limit(std::chrono::nanoseconds silence) override {
    wire_.silence = silence;
    return true;
  }
  int native_handle() const override { return -1; }
  void shut_down() override { wire_.shut = true; }
  void shut_down_reading() override { wire_.shut = true; }
  std::string describe() const override { return "memory"; }

 private:
  Wire& wire_;
};

}  // namespace takt::rooms
