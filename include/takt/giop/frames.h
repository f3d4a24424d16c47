// Frames of audio or video: what a stream of them is, and how well it arrives.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace takt {

// Some of the media, of one point in time: an image, or some milliseconds of sound.
struct Frame {
  std::uint32_t timestamp = 0;  // in units of the stream's clock, modulo 2^32
  bool late = false;            // it came when it was no longer wanted
  std::vector<std::uint8_t> octets;
};

// What becomes of frames that are complete only when their time is over, or a later one has been given.
enum class LateFrames : std::uint8_t { drop, give };

struct FrameOptions {
  std::uint32_t clock_rate = 90'000;  // of timestamps, in units per second; not 0
  LateFrames late = LateFrames::drop;
  // How long after it could have come a frame is given, so that what comes at uneven intervals is given at
  // even ones; when it could have come is said by the quickest ones of the last seconds. 0: at once when it
  // is complete.
  std::chrono::nanoseconds delay{0};
  // What datagrams can cost that never become frames.
  std::size_t frame_bytes = 1024 * 1024;  // of one frame
  std::size_t frames = 32;  // kept at a time, complete or not; for one more the oldest is given up
  std::size_t bytes = 8 * 1024 * 1024;  // of all that are kept
};

// As a receiver report of RTCP has it (RFC 3550, 6.4.1), and beyond.
struct FrameReport {
  std::uint8_t fraction_lost = 0;      // of the packets since the last report, in 256ths
  std::int32_t cumulative_lost = 0;    // packets since the beginning; less than 0: some came twice
  std::uint32_t highest_sequence = 0;  // the last packet's number; the upper half: how often they began anew
  std::uint32_t jitter = 0;            // how unevenly packets arrive, in units of the clock
  std::uint64_t frames = 0;            // given, late ones among them
  std::uint64_t incomplete = 0;        // given up: not all of them has come
  std::uint64_t late = 0;              // dropped, or given all the same
  std::uint64_t refused = 0;           // packets that are none of the stream's
};

}  // namespace takt
