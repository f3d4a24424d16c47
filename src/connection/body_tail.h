// What is left of a body that its decoder has the channel read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <takt/cdr/decoder.h>

#include "giop/connection.h"

namespace takt::connection {

// For a channel that is its decoder's source: it reads into memory, and this has the memory. One thread.
class BodyTail {
 public:
  // The source's more(); the channel reads it by its read_exact().
  ByteView next(std::size_t at_least, const giop::Connection& protocol, cdr::Decoder::Source& channel) {
    const std::size_t count = protocol.next_piece(at_least);
    if (count < at_least) return {};
    octets_.resize(count);
    return channel.read_exact(octets_) ? ByteView(octets_) : ByteView();
  }

 private:
  std::vector<std::uint8_t> octets_;
};

}  // namespace takt::connection
