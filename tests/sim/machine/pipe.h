// One direction of a connection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "machine/faults.h"

namespace takt::sim {

// Octets on their way arrive in their order, each time a while later. What has been accepted and not been
// read fills the buffer.
class Pipe {
 public:
  // How the direction ends by itself, after so many octets.
  enum class Cut : std::uint8_t { none, reset, lost };

  void limit(std::size_t bytes) { capacity_ = bytes; }
  void cut_after(std::uint64_t octets, Cut cut) {
    cut_at_ = octets;
    cut_ = cut;
  }

  std::size_t room() const;
  // Takes no more than there is room for. Returns when they arrive; nothing: the way was cut here.
  std::optional<Time> send(std::span<const std::uint8_t> octets, Time now, Time latency);
  // No octets come after those that are on their way.
  Time end(Time now, Time latency);
  // What has not arrived by then is lost.
  void lose_after(Time then);

  std::size_t readable(Time now);
  std::size_t read(std::span<std::uint8_t> into, Time now);
  bool at_end(Time now);
  // When the last octet that is on its way arrives; nothing is: none.
  std::optional<Time> last_arrival(Time now);
  std::uint64_t accepted() const { return accepted_; }
  bool silent() const { return silent_; }

 private:
  struct Segment {
    Time arrives;
    std::vector<std::uint8_t> octets;
  };
  void settle(Time now);

  std::size_t capacity_ = 65536;
  std::uint64_t cut_at_ = UINT64_MAX;
  Cut cut_ = Cut::none;
  bool silent_ = false;  // the cut has come: nothing arrives any more
  std::uint64_t accepted_ = 0;
  std::size_t on_the_way_bytes_ = 0;
  std::deque<Segment> on_the_way_;
  std::deque<std::uint8_t> arrived_;
  std::optional<Time> end_;
  Time last_{0};
};

}  // namespace takt::sim
