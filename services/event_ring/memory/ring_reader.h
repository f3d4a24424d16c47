// The reading side of a shared buffer.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <takt/base/bytes.h>

#include "event_ring/memory/layout.h"

namespace takt::event_ring {

// Reads records that are published after its construction. A reader that the writer has overtaken counts what
// it has lost, and goes on with the newest record.
//
// The writer is untrusted: each word of the shared memory is loaded once and checked, and records are copied
// before they are used. Whatever the memory has, a call takes bounded time. One thread at a time. Allocates
// for records that are longer than those before.
class RingReader {
 public:
  enum class Next : std::uint8_t {
    record,
    none,
    ended,   // there will be no more
    broken,  // the memory cannot be that of a ring; next() gives this from then on
  };

  // `memory`: controls_bytes and `ring_bytes` octets, which must outlive the reader.
  RingReader(const std::uint8_t* memory, std::uint32_t ring_bytes);

  // The next record, which record() has until the next call.
  Next next();
  ByteView record() const { return {copy_.data(), length_}; }
  // Events that were lost since the construction. It is complete when next() returns `none` or `ended`; also
  // events before the first record, and those that no record follows, are counted; the former are not if the
  // writer was stopped in the middle of a publication when the reader was made.
  std::uint64_t lost() const { return lost_; }

  // A futex to wait on before next() is called again: load it before the call that returns `none`.
  const std::atomic<std::uint32_t>& bell() const { return controls_.bell; }

 private:
  enum class Copied : std::uint8_t { whole, overtaken, broken };

  std::uint64_t load(std::uint64_t position) const;
  // Whether the octets from there on were intact when they were loaded.
  bool holds(std::uint64_t position) const;
  Copied copy(std::uint64_t available);
  bool go_to_newest();
  // The position at which the writer has arrived, and the number of the event that follows it; none: it
  // writes at this moment.
  struct Place {
    std::uint64_t position, sequence;
  };
  std::optional<Place> place() const;
  // All records are read. False: the writer contradicts itself.
  bool count_unwritten();

  const RingControls& controls_;
  const std::uint64_t* const units_;
  const std::uint32_t ring_bytes_;
  std::uint64_t position_ = 0, sequence_ = 0, lost_ = 0;
  bool has_sequence_ = false, broken_ = false;
  std::vector<std::uint8_t> copy_;
  std::size_t length_ = 0;
};

}  // namespace takt::event_ring
