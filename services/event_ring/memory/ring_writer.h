// The writing side of a shared buffer.
#pragma once

#include <algorithm>
#include <cstdint>

#include <takt/base/bytes.h>

#include "event_ring/memory/layout.h"

namespace takt::event_ring {

// One thread at a time. Never waits, allocates nothing, and reads nothing from the shared memory.
class RingWriter {
 public:
  // `memory`: zeroed, with controls_bytes and `ring_bytes` octets; it must outlive the writer.
  RingWriter(std::uint8_t* memory, std::uint32_t ring_bytes);

  // Appends a record, which readers see after publish(). False: it is longer than most_record_bytes();
  // readers then count it as lost.
  bool put(ByteView octets);
  // Readers count this number of events as lost.
  void skip(std::uint64_t events) { sequence_ += events; }
  // Shows readers all records. Waiting readers still have to be woken on bell().
  void publish();
  // There will be no more records. Includes publish().
  void end();

  const std::atomic<std::uint32_t>& bell() const { return controls_.bell; }
  // Octets of the ring that records have, also those that were read.
  std::uint64_t used_bytes() const { return std::min<std::uint64_t>(position_, ring_bytes_); }

 private:
  void store(std::uint64_t position, std::uint64_t unit);

  RingControls& controls_;
  std::uint64_t* const units_;
  const std::uint32_t ring_bytes_;
  std::uint64_t position_ = 0, newest_ = 0, sequence_ = 0;
  std::uint32_t publications_ = 0;
};

}  // namespace takt::event_ring
