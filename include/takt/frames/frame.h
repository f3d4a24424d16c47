// Frames of audio or video: parameters of a stream, and reception statistics.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace takt {

// Media data of one point in time: an image, or some milliseconds of sound.
struct Frame {
  std::uint32_t timestamp = 0;  // in units of the stream's clock, modulo 2^32
  bool late = false;            // it was complete only after its time
  std::vector<std::uint8_t> octets;
};

// Treatment of frames that are complete only after their time, or after a later frame was given.
enum class LateFrames : std::uint8_t { drop, give };

struct FrameOptions {
  std::uint32_t clock_rate = 90'000;  // timestamp units per second; not 0
  LateFrames late = LateFrames::drop;
  // Playout delay: how long after its earliest possible arrival a frame is given, which smooths uneven
  // arrival. The fastest packets of the last seconds determine that earliest arrival. 0: give a frame once it
  // is complete. Frames are given earlier if the limits leave no room for the next one.
  std::chrono::nanoseconds delay{0};
  // Limits on memory for packets that never become a complete frame.
  std::size_t frame_bytes = 1024 * 1024;  // per frame
  std::size_t frames = 32;  // kept at a time, complete or not; the oldest is given up for a new one
  std::size_t bytes = 8 * 1024 * 1024;  // total of all frames that are kept
};

// An RTCP receiver report (RFC 3550, 6.4.1), with further counts.
struct FrameReport {
  std::uint8_t fraction_lost = 0;    // packets lost since the last report, in 256ths
  std::int32_t cumulative_lost = 0;  // packets lost since the sender began; negative if some were duplicated
  std::uint32_t highest_sequence = 0;  // the last packet's number; upper half: wrap-arounds
  std::uint32_t jitter = 0;            // variation of arrival times, in units of the clock
  std::uint64_t frames = 0;            // given, including late ones
  std::uint64_t incomplete = 0;        // given up, because parts are missing
  std::uint64_t late = 0;              // dropped or given although late
  std::uint64_t refused = 0;           // packets that do not belong to the stream
  // All packets that were lost, also before a sender began anew. An outage in which numbers leapt counts with
  // the leap, which is the number of its packets modulo 2^16.
  std::uint64_t lost = 0;
};

}  // namespace takt
