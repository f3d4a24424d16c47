// Reception statistics of one source (RFC 3550).
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include <takt/frames/frame.h>

namespace takt::frames {

// Appendices A.1, A.3 and A.8. There is no probation, because the source id was agreed on. One thread at a
// time.
class Reception {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  // `clock_rate`: of the timestamps, in units per second.
  explicit Reception(std::uint32_t clock_rate) : clock_rate_(clock_rate) {}

  // Records a packet. Returns false, and does not count it, if its number is far from the last one (more than
  // 3000 ahead or 100 behind). If the next packet follows it, the source has restarted.
  bool take(std::uint16_t sequence, std::uint32_t timestamp, TimePoint arrived);
  // The next packet is the first one of a source that has restarted, whatever its number.
  void restart() { begun_ = false; }
  // How often the source has begun, or begun anew.
  unsigned begins() const { return begins_; }
  // Extended number of a packet that was taken since then.
  std::int64_t number_of(std::uint16_t sequence) const {
    return cycles_ + highest_ - static_cast<std::uint16_t>(highest_ - sequence);
  }
  // Packets that are missing since then; not negative.
  std::uint64_t lost() const;
  // How far the number of the packet that began the source anew was from the last one before.
  std::uint16_t leap() const { return leap_; }
  // Whether no packet with a higher number was taken since then.
  bool is_newest(std::uint16_t sequence) const { return sequence == highest_; }
  // The fields that this class counts; the others are 0.
  FrameReport report();

 private:
  bool take_number(std::uint16_t sequence);
  void begin(std::uint16_t sequence);

  const std::uint32_t clock_rate_;
  bool begun_ = false;
  unsigned begins_ = 0;
  std::uint16_t highest_ = 0, leap_ = 0;
  std::int64_t cycles_ = 0;                  // wrap-arounds of the sequence number, << 16
  std::uint32_t base_ = 0;                   // the first sequence number
  std::optional<std::uint16_t> after_jump_;  // the number that would show a restart of the source
  std::uint32_t received_ = 0;
  std::uint32_t expected_before_ = 0, received_before_ = 0;
  std::optional<std::uint32_t> transit_;  // transit time of the last packet, modulo 2^32
  std::uint64_t jitter_ = 0;              // in 16ths
};

}  // namespace takt::frames
