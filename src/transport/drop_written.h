// What is left to write.
#pragma once

#include <cstddef>
#include <span>

#include <takt/base/bytes.h>

namespace takt::transport {

// From the pieces that write_gather() was given, takes so many octets as it has written.
inline void drop_written(std::span<ByteView>& pieces, std::size_t octets) {
  while (!pieces.empty() && octets >= pieces.front().size()) {
    octets -= pieces.front().size();
    pieces = pieces.subspan(1);
  }
  if (!pieces.empty()) pieces.front() = pieces.front().subspan(octets);
}

}  // namespace takt::transport
