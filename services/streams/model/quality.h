// The quality of service of a flow, and what a device grants of it.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include <takt/frames/frame.h>

#include "AVStreamsC.h"
#include "streams/model/limits.h"

namespace takt::streams {

// The parameters of a flow, by their names in QoSParams. Numbers are of any IDL type for numbers.
struct FlowQuality {
  double frame_rate = 0;  // "frame_rate": frames a second, at least least_rate; 0: as the producer likes
  std::uint64_t frame_octets = 0;       // "frame_octets": the largest frame; 0: the device's limit
  std::chrono::milliseconds delay{0};   // "delay_ms": until a frame is given, 0 to 10,000
  std::optional<LateFrames> late = {};  // "late_frames": "drop" or "give"
  int dscp = -1;                        // "dscp": of the flow's packets, 0 to 63; -1: the system's
  int priority = 0;                     // "priority": of the flow's threads, SCHED_FIFO 1 to 99

  bool operator==(const FlowQuality&) const = default;
};

// The lowest frame rate but 0.
inline constexpr double least_rate = 0.001;

// The limits of a device.
struct QualityBounds {
  double frame_rate = 1000;
  std::uint64_t frame_octets = 16 * 1024 * 1024;
  // Any client can ask for a priority, and a thread of a high one without a pace takes a processor. 0: none.
  int priority = 0;
};

// The quality that a flow has before. Parameters that are left out stay as they are there.
struct PresentQuality {
  FlowQuality quality = {};
  bool is_produced =
      false;  // true: it has a producer; a further consumer gets the same frames, from the same thread
};

struct Negotiated {
  FlowQuality granted;
  bool met = true;     // whether that is all that was asked for
  bool given = false;  // whether the quality has parameters for the flow
};

// The parameters of the flow in `quality`: those of the entry with its name, or else of the entry with an
// empty name. Sets "frame_rate" in place to what is granted, but not below "frame_rate_min". Parameters with
// other names stay as they are. The error says why the quality cannot be granted, for QoSRequestFailed.
std::expected<Negotiated, std::string> negotiate(AVStreams::streamQoS& quality, std::string_view flow,
                                                 const QualityBounds& bounds,
                                                 const PresentQuality& present = {});
// Whether clients may hand over such a quality of service; else what exceeds the limits.
std::optional<std::string> excess_in(const AVStreams::streamQoS& quality, const Limits& limits);

}  // namespace takt::streams
