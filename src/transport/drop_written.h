// Advancing through the pieces of a partial write.
#pragma once

#include <cstddef>
#include <span>

#include <takt/base/bytes.h>

namespace takt::transport {

// Removes the `octets` that write_gather() has written from the front of `pieces`.
inline void drop_written(std::span<ByteView>& pieces, std::size_t octets) {
  while (!pieces.empty() && octets >= pieces.front().size()) {
    octets -= pieces.front().size();
    pieces = pieces.subspan(1);
  }
  if (!pieces.empty()) pieces.front() = pieces.front().subspan(octets);
}

}  // namespace takt::transport
