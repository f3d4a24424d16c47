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

// Octets arrive in order after a delay. Octets that have been accepted but not read occupy the buffer.
class Pipe {
 public:
  // How the direction is cut after a number of octets.
  enum class Cut : std::uint8_t { none, reset, lost };

  void limit(std::size_t bytes) { capacity_ = bytes; }
  void cut_after(std::uint64_t octets, Cut cut) {
    cut_at_ = octets;
    cut_ = cut;
  }

  std::size_t room() const;
  // Accepts at most what fits. Returns the arrival time; empty if the direction was cut here.
  std::optional<Time> send(std::span<const std::uint8_t> octets, Time now, Time latency);
  // Ends the stream after the octets in transit.
  Time end(Time now, Time latency);
  // Loses the octets that have not arrived by that time.
  void lose_after(Time then);

  std::size_t readable(Time now);
  std::size_t read(std::span<std::uint8_t> into, Time now);
  bool at_end(Time now);
  // When the last octet in transit arrives; empty if there is none.
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
  bool silent_ = false;  // cut: nothing arrives any more
  std::uint64_t accepted_ = 0;
  std::size_t on_the_way_bytes_ = 0;
  std::deque<Segment> on_the_way_;
  std::deque<std::uint8_t> arrived_;
  std::optional<Time> end_;
  Time last_{0};
};

}  // namespace takt::sim
