// The rest of a message body, read to its end before it is decoded.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <takt/base/memory_charge.h>
#include <takt/cdr/decoder.h>

#include "giop/connection.h"
#include "server/own_answers.h"

namespace takt::server {

// The decoder's source after fill() has read the rest. Memory grows as octets arrive, to at most twice their
// size, and is charged to the connection's budget. One thread.
class WholeTail final : public cdr::Decoder::Source {
 public:
  // `memory` must outlive it.
  explicit WholeTail(MemoryBudget* memory) : memory_(memory) {}

  // Reads the rest through `channel`; blocks. False: the rest does not arrive. Throws as
  // throw_without_memory() does.
  bool fill(const giop::Connection& protocol, cdr::Decoder::Source& channel) {
    octets_.clear();
    taken_ = 0;
    while (const std::size_t missing = protocol.body_missing()) {
      const std::size_t here = octets_.size();
      grow(here + std::min(missing, std::max(giop::Connection::piece_bytes, here)));
      if (!channel.read_exact(MutableBytes(octets_).subspan(here))) return false;
    }
    return true;
  }
  // Call after decoding. Keeps a small buffer, which is enough for most bodies.
  void release() {
    if (octets_.capacity() <= MemoryBudget::uncounted_bytes) return;
    octets_ = std::vector<std::uint8_t>();
    memory_.shrink(octets_.capacity());
  }

  bool read_exact(MutableBytes into) override {
    if (into.size() > octets_.size() - taken_) return false;
    std::copy_n(octets_.begin() + static_cast<std::ptrdiff_t>(taken_), into.size(), into.begin());
    taken_ += into.size();
    return true;
  }

 private:
  // Charges both blocks while one is copied to the other.
  void grow(std::size_t bytes) {
    if (bytes > octets_.capacity()) {
      const std::size_t both = octets_.capacity() + bytes;
      if (!memory_.resize(both)) throw_without_memory(memory_.could_resize(both));
      octets_.reserve(bytes);
      memory_.shrink(octets_.capacity());
    }
    octets_.resize(bytes);
  }

  MemoryCharge memory_;
  std::vector<std::uint8_t> octets_;
  std::size_t taken_ = 0;
};

}  // namespace takt::server
