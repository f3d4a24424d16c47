// Octets that arrive over shared memory in buffers of their writer's.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <takt/base/octet_buffer.h>

#include "os/shared_memory/shared_region.h"
#include "transport/shm/splice.h"

namespace takt::transport {

// Keeps the memory for who holds octets, also when the stream and the process at its other end have gone.
// The reader's thread; octets are given back from any.
class IncomingBuffers final : public OctetLender, public std::enable_shared_from_this<IncomingBuffers> {
 public:
  IncomingBuffers(std::shared_ptr<const os::SharedRegion> region, SpliceControl& control,
                  const std::uint8_t* octets, std::uint32_t size)
      : region_(std::move(region)), control_(control), octets_(octets), size_(size) {}

  // That entry of the list, which was announced. Nothing: it is none that a writer may make.
  std::optional<Splice> read(std::uint32_t number) const;
  HeldOctets hold(const Splice& splice) { return {splice.octets, shared_from_this(), splice.buffer}; }
  // Its octets have been copied.
  void finish(const Splice& splice) { give_back(nullptr, splice.buffer); }

  // The writer may use the buffer again, as far as this splice of it is concerned.
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
