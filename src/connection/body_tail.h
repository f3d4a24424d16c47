// What is left of a body that its decoder has the channel read.
#pragma once

#include <algorithm>
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

  void give_back(std::size_t keep_bytes) {
    if (octets_.capacity() > keep_bytes) octets_ = std::vector<std::uint8_t>();
  }

 private:
  std::vector<std::uint8_t> octets_;
};

// The rest of a body that is read to its end before it is decoded: the decoder's source from then on. Its
// memory grows as octets arrive, to twice as many at most. One thread.
class WholeTail final : public cdr::Decoder::Source {
 public:
  // False: the rest does not come.
  bool fill(const giop::Connection& protocol, cdr::Decoder::Source& channel) {
    octets_.clear();
    taken_ = 0;
    while (const std::size_t missing = protocol.body_missing()) {
      const std::size_t here = octets_.size();
      octets_.resize(here + std::min(missing, std::max(giop::Connection::piece_bytes, here)));
      if (!channel.read_exact(MutableBytes(octets_).subspan(here))) return false;
    }
    return true;
  }
  // Afterwards: what few bodies need is not kept.
  void release() {
    if (octets_.capacity() > 2 * giop::Connection::piece_bytes) octets_ = {};
  }

  bool read_exact(MutableBytes into) override {
    if (into.size() > octets_.size() - taken_) return false;
    std::copy_n(octets_.begin() + static_cast<std::ptrdiff_t>(taken_), into.size(), into.begin());
    taken_ += into.size();
    return true;
  }
  ByteView more(std::size_t at_least) override {
    const ByteView rest = ByteView(octets_).subspan(taken_);
    if (at_least > rest.size()) return {};
    taken_ = octets_.size();
    return rest;
  }

 private:
  std::vector<std::uint8_t> octets_;
  std::size_t taken_ = 0;
};

}  // namespace takt::connection
