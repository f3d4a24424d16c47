// Writing a message of which the system takes a part at a time.
#pragma once

#include <chrono>
#include <cstddef>
#include <span>

#include <takt/base/bytes.h>
#include <takt/transport/stream.h>

namespace takt::transport {

// A peer must take something within the time that it may be silent, and a whole message within this many
// times that: one that takes octet by octet is never silent for long.
inline constexpr int silences_per_message = 10;

// Removes from the pieces that write_gather() was given as many octets as it has written.
inline void drop_written(std::span<ByteView>& pieces, std::size_t octets) {
  while (!pieces.empty() && octets >= pieces.front().size()) {
    octets -= pieces.front().size();
    pieces = pieces.subspan(1);
  }
  if (!pieces.empty()) pieces.front() = pieces.front().subspan(octets);
}

// Writes the pieces, whose views it shortens to what is left. After each write that was not the last, or that
// failed, `go_on` gets its result and says whether to write again. True: all has been written.
template <class GoOn>
bool write_message(Stream& stream, std::span<ByteView>& left, GoOn go_on) {
  while (!left.empty()) {
    const IoResult result = stream.write_gather(left);
    drop_written(left, result.bytes);
    if ((!left.empty() || result.status != IoStatus::ok) && !go_on(result)) return false;
  }
  return true;
}

}  // namespace takt::transport
