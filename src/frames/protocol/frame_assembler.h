// Reassembles frames from packets that may be lost, duplicated, late or forged.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include <takt/base/bytes.h>
#include <takt/frames/frame.h>

#include "base/numbered_parts.h"
#include "frames/protocol/packet.h"
#include "frames/protocol/reception.h"

namespace takt::frames {

// The receiving end of a stream, without a socket or a clock; one thread at a time. The driver calls take()
// for each packet, then next() until it returns nothing, and next() again at next_deadline(). Nothing is
// retransmitted. A frame is late if it is complete only after its time, or after a later frame was given.
// Numbers or timestamps that begin anew are those of a sender that has restarted: what came before counts no
// more. Allocates. It is large because whether a frame is given, and when, depends on all that is known of
// its stream: what is kept, what was given and done, and the quickest arrivals.
class FrameAssembler {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  FrameAssembler(std::uint32_t source, const FrameOptions& options)
      : source_(source), options_(options), reception_(options.clock_rate) {}

  // Returns false if the packet does not belong to the stream. `from_another`: its sender is not that of the
  // packets before, so its numbers and timestamps begin anew.
  bool take(ByteView datagram, TimePoint now, bool from_another = false);
  std::optional<Frame> next(TimePoint now);
  // Whether next() would return a frame.
  bool has_next(TimePoint now) const;
  // Whether half of the frames or octets that may be kept are. Frames that are complete should be taken
  // before many more packets.
  bool is_half_full() const {
    return kept_.size() >= (options_.frames + 1) / 2 || bytes_ >= options_.bytes / 2;
  }
  // When next() may return another frame without a take(); empty: never.
  std::optional<TimePoint> next_deadline() const;
  // Starts the interval of the next report.
  FrameReport report();

  std::size_t kept() const { return kept_.size(); }
  std::size_t bytes() const { return bytes_; }

 private:
  struct Kept {
    std::uint16_t first = 0, count = 0;  // number of the first packet, and of packets
    TimePoint due;
    bool late = false;
    NumberedParts parts;
    bool complete() const { return parts.present() == count; }
    void clear() {
      late = false;
      parts.clear();
    }
  };
  // Keyed by timestamp, extended beyond 32 bits.
  using Frames = std::map<std::int64_t, Kept>;

  bool begins_anew(std::int64_t timestamp, const RtpPacket& packet) const;
  void begin_anew();
  bool received(const RtpPacket& packet, TimePoint now, bool from_another);
  bool goes_on(const RtpPacket& packet, TimePoint now) const;
  std::int64_t extended(std::uint32_t timestamp) const;
  std::chrono::nanoseconds media_time(std::int64_t timestamp) const;
  TimePoint due(std::int64_t timestamp, TimePoint now);
  void note_done(std::int64_t timestamp);
  bool is_done(std::int64_t timestamp) const;
  bool is_over(std::int64_t timestamp) const { return given_ && timestamp <= *given_; }
  std::pair<Frames::iterator, bool> frame_of(std::int64_t timestamp);
  bool add(std::int64_t timestamp, const RtpPacket& packet, TimePoint now);
  bool lacks_room() const;
  void keep_within_limits();
  Frames::iterator give_up(Frames::iterator frame);
  Frames::iterator forget(Frames::iterator frame);
  Frames::const_iterator first_complete() const;
  void drop_hopeless(TimePoint now);

  const std::uint32_t source_;
  const FrameOptions options_;
  Reception reception_;
  FrameReport counts_;             // counts that the reception does not keep
  std::uint64_t lost_before_ = 0;  // packets, before reception_ began anew
  Frames kept_;
  Frames::node_type spare_;  // left by the last frame that was forgotten, for the next one
  std::size_t bytes_ = 0;
  std::int64_t last_ = 0;  // timestamp of the last packet
  TimePoint last_arrival_{};
  std::optional<std::int64_t> newest_;                  // timestamp of the packet with the highest number
  unsigned begins_ = 0;                                 // reception_.begins() when the stream began anew
  std::optional<std::int64_t> first_number_;            // number of the packet that began it anew
  std::optional<std::int64_t> given_;                   // timestamp of the latest frame given
  std::array<std::optional<std::int64_t>, 64> done_{};  // the last frames that were given or given up
  std::size_t next_done_ = 0;
  std::optional<std::int64_t> latest_done_;  // the latest of those that ever were
  // Minimum delay from timestamp to arrival, in the present window and in the one before.
  std::optional<std::chrono::nanoseconds> quickest_, quickest_before_;
  TimePoint window_began_{};
  std::optional<TimePoint> overdue_since_;  // all packets since then came after their frames' times
};

}  // namespace takt::frames
