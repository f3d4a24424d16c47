// Buffers that a stream over shared memory lends, and sends without copying them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include <takt/base/octet_buffer.h>

#include "os/shared_memory/shared_region.h"
#include "os/threads/priority_mutex.h"
#include "transport/shm/ring.h"
#include "transport/shm/splice.h"

namespace takt::transport {

// A buffer is free again when its borrower has given it back and the reader is done with every splice of it.
// What is lent is known here alone; of what the reader says, all that is believed is that it is done. If it
// says so too early, it reads what comes next; if it never does, there are fewer buffers, and in the end
// none.
//
// Keeps the memory, also when the stream has gone. Any thread, but for splice(). Buffers begin at pages.
class OutgoingBuffers final : public OctetLender, public std::enable_shared_from_this<OutgoingBuffers> {
 public:
  OutgoingBuffers(std::shared_ptr<const os::SharedRegion> region, RingControl& ring, SpliceControl& control,
                  std::uint8_t* octets, std::uint32_t size)
      : region_(std::move(region)), ring_(ring), control_(control), octets_(octets), size_(size) {}

  // Empty where there is no room. Locks; allocates nothing.
  OctetBuffer borrow(std::size_t bytes);
  bool contain(ByteView octets) const {
    return reinterpret_cast<std::uintptr_t>(octets.data()) - reinterpret_cast<std::uintptr_t>(octets_) <
           size_;
  }
  // Of the thread that writes. Announces that `octets`, of one of the buffers, are meant by the one at
  // `position`. False: they are of none, or too many were not taken yet, and they are to be copied. Locks.
  bool splice(ByteView octets, std::uint32_t position);

  void give_back(const std::uint8_t* octets, std::uint32_t buffer) noexcept override;
  bool is_shared(std::uint32_t buffer) const noexcept override;

 private:
  struct Buffer {
    std::size_t begin = 0, end = 0;  // equal: not in use
    std::uint32_t splices = 0;       // ever
    bool lent = false;
  };

  bool is_done(std::size_t buffer) const {
    return control_.done[buffer].load(std::memory_order_acquire) == buffers_[buffer].splices;
  }
  Buffer* find_free();
  const Buffer* find_within(std::size_t begin, std::size_t end) const;

  const std::shared_ptr<const os::SharedRegion> region_;
  RingControl& ring_;
  SpliceControl& control_;
  std::uint8_t* const octets_;
  const std::size_t size_;
  std::uint32_t spliced_ = 0;
  mutable os::PriorityMutex mutex_;
  std::array<Buffer, SpliceControl::most> buffers_;
};

}  // namespace takt::transport
