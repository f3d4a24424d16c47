// Buffers that a shared-memory stream lends to callers and sends without copying.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include <takt/base/octet_buffer.h>

#include "os/shared_memory/shared_region.h"
#include "threads/locks/priority_mutex.h"
#include "transport/shm/ring.h"
#include "transport/shm/splice.h"

namespace takt::transport {

// A buffer is free when its borrower has given it back and the reader has finished every splice of it. The
// bookkeeping is private to this process; the reader can only report that splices are done. A reader that
// reports too early reads newer octets. One that never reports uses up the buffers.
//
// Keeps the memory mapped even after the stream is gone. Any thread, except for splice(). Buffers are
// page-aligned.
class OutgoingBuffers final : public OctetLender, public std::enable_shared_from_this<OutgoingBuffers> {
 public:
  OutgoingBuffers(std::shared_ptr<const os::SharedRegion> region, RingControl& ring, SpliceControl& control,
                  std::uint8_t* octets, std::uint32_t size)
      : region_(std::move(region)), ring_(ring), control_(control), octets_(octets), size_(size) {}

  // Empty if there is no room. Locks; does not allocate.
  OctetBuffer borrow(std::size_t bytes);
  bool contain(ByteView octets) const {
    return reinterpret_cast<std::uintptr_t>(octets.data()) - reinterpret_cast<std::uintptr_t>(octets_) <
           size_;
  }
  // Called by the writing thread. Announces that the octet at `position` in the ring stands for `octets`.
  // False, so that the caller must copy, if `octets` are not in a lent buffer or too many splices are
  // pending. Locks.
  bool splice(ByteView octets, std::uint32_t position);

  void give_back(const std::uint8_t* octets, std::uint32_t buffer) noexcept override;
  bool is_shared(std::uint32_t buffer) const noexcept override;

 private:
  struct Buffer {
    std::size_t begin = 0, end = 0;  // equal: unused
    std::uint32_t splices = 0;       // total number of splices
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
