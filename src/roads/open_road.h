// Connecting by one local road.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>

#include <takt/os/clock.h>
#include <takt/transport/stream.h>
#include <takt/transport/stream_options.h>

#include "roads/road_offer.h"
#include "roads/trust.h"

namespace takt::roads {

// Classified by what the caller should do next.
struct Impassable {
  enum class Then : std::uint8_t {
    try_other_road,  // only this kind is out of order
    use_tcp,         // no road leads there now; trying again costs little
    try_later,       // the server is late: trying again costs time, and may succeed
    stay_away,       // trying again costs time, or an entry in the log, without a better prospect
  };
  Then then = Then::use_tcp;
  std::string why;
};

// Connects to the socket of that name, checks whose it is before anything is sent, and waits until the server
// admits this process. Blocks until the deadline at most.
std::expected<std::unique_ptr<transport::Stream>, Impassable> open_road(
    Road road, const std::string& name, const Trust& trust, os::TimePoint deadline,
    const transport::StreamOptions& options);

}  // namespace takt::roads
