// Octets received over shared memory in buffers that the writer lends.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <takt/base/octet_buffer.h>

#include "os/shared_memory/shared_region.h"
#include "transport/shm/splice.h"

namespace takt::transport {

// Keeps the memory mapped while received octets are held, even after the stream and the peer process are
// gone. Used by the reader's thread; octets are given back from any thread.
class IncomingBuffers final : public OctetLender, public std::enable_shared_from_this<IncomingBuffers> {
 public:
  IncomingBuffers(std::shared_ptr<const os::SharedRegion> region, SpliceControl& control,
                  const std::uint8_t* octets, std::uint32_t size)
      : region_(std::move(region)), control_(control), octets_(octets), size_(size) {}

  // The entry of that number, which the writer has announced. nullopt if the entry is invalid.
  std::optional<Splice> read(std::uint32_t number) const;
  HeldOctets hold(const Splice& splice) { return {splice.octets, shared_from_this(), splice.buffer}; }
  // Call after copying the octets.
  void finish(const Splice& splice) { give_back(nullptr, splice.buffer); }

  // Reports to the writer that one splice of the buffer is done.
  void give_back(const std::uint8_t*, std::uint32_t buffer) noexcept override {
    control_.done[buffer].fetch_add(1, std::memory_order_release);
  }

 private:
  const std::shared_ptr<const os::SharedRegion> region_;
  SpliceControl& control_;
  const std::uint8_t* const octets_;
  const std::uint32_t size_;
};

}  // namespace takt::transport
