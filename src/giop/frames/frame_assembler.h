// Frames put together from packets that may be lost, doubled, late, or lies.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>

#include <takt/base/bytes.h>
#include <takt/giop/frames.h>

#include "base/numbered_parts.h"
#include "giop/frames/packet.h"
#include "giop/frames/reception.h"

namespace takt::giop::frames {

// The receiving end of a stream, without a socket or a clock; one thread. Whoever drives it goes round:
// take() what comes, then next() until there is none; and next() again by next_deadline(). Nothing is ever
// asked for again. A frame is late when it is complete after its time, or after a later one was given.
// Allocates.
class FrameAssembler {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  FrameAssembler(std::uint32_t source, const FrameOptions& options)
      : source_(source), options_(options), reception_(options.clock_rate) {}

  // False: it is none of the stream's.
  bool take(ByteView datagram, TimePoint now);
  std::optional<Frame> next(TimePoint now);
  // Whether next() gives something.
  bool has_next(TimePoint now) const;
  // When next() may give something that it does not give before, without a take(). Nothing: never.
  std::optional<TimePoint> next_deadline() const;
  // Begins the interval that the next one is about.
  FrameReport report();

  std::size_t kept() const { return kept_.size(); }
  std::size_t bytes() const { return bytes_; }

 private:
  struct Kept {
    std::uint16_t first = 0, count = 0;  // of packets
    TimePoint due;
    bool late = false;
    NumberedParts parts;
    bool complete() const { return parts.present() == count; }
  };
  // By their timestamps, without the modulo.
  using Frames = std::map<std::int64_t, Kept>;

  std::int64_t extended(std::uint32_t timestamp) const;
  std::chrono::nanoseconds media_time(std::int64_t timestamp) const;
  TimePoint due(std::int64_t timestamp, TimePoint now);
  bool is_done(std::int64_t timestamp) const;
  bool is_over(std::int64_t timestamp) const { return given_ && timestamp <= *given_; }
  bool add(std::int64_t timestamp, const Packet& packet, TimePoint now);
  void keep_within_limits();
  Frames::iterator give_up(Frames::iterator frame);
  Frames::iterator forget(Frames::const_iterator frame);
  Frames::const_iterator first_complete() const;
  void give_up_incomplete(TimePoint now);

  const std::uint32_t source_;
  const FrameOptions options_;
  Reception reception_;
  FrameReport counts_;  // what the reception does not count
  Frames kept_;
  std::size_t bytes_ = 0;
  std::int64_t last_ = 0;                               // the timestamp that came last
  std::optional<std::int64_t> given_;                   // the latest
  std::array<std::optional<std::int64_t>, 64> done_{};  // the last that were given or given up
  std::size_t next_done_ = 0;
  // How much later than its timestamp the quickest packet came, of the last seconds and of those before.
  std::optional<std::chrono::nanoseconds> quickest_, quickest_before_;
  TimePoint window_began_{};
};

}  // namespace takt::giop::frames
