#include "frames/protocol/streamed_packets.h"

#include <algorithm>

namespace takt::frames {

// An incomplete packet is shorter than the buffer, so moving it to the front always leaves room.
MutableBytes StreamedPackets::read_space() {
  if (begin_ != 0) {
    std::copy(octets_.begin() + static_cast<std::ptrdiff_t>(begin_),
              octets_.begin() + static_cast<std::ptrdiff_t>(filled_), octets_.begin());
    filled_ -= begin_;
    begin_ = 0;
  }
  return MutableBytes(octets_).subspan(filled_);
}

std::optional<ByteView> StreamedPackets::next() {
  while (filled_ - begin_ >= 2) {
    const std::size_t length = std::size_t{octets_[begin_]} << 8 | octets_[begin_ + 1];
    if (filled_ - begin_ - 2 < length) return std::nullopt;
    const ByteView packet = ByteView(octets_).subspan(begin_ + 2, length);
    begin_ += 2 + length;
    if (length != 0) return packet;
  }
  return std::nullopt;
}

}  // namespace takt::frames
