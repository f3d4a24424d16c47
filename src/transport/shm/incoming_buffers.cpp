#include "transport/shm/incoming_buffers.h"

namespace takt::transport {

std::optional<Splice> IncomingBuffers::read(std::uint32_t number) const {
  const SpliceControl::Entry& entry = control_.entries[number % SpliceControl::most];
  const std::uint32_t position = entry.position.load(std::memory_order_relaxed);
  const std::uint32_t buffer = entry.buffer.load(std::memory_order_relaxed);
  const std::uint32_t begin = entry.begin.load(std::memory_order_relaxed);
  const std::uint32_t bytes = entry.bytes.load(std::memory_order_relaxed);
  if (buffer >= SpliceControl::most || begin >= size_ || bytes == 0 || bytes > size_ - begin)
    return std::nullopt;
  return Splice{position, buffer, {octets_ + begin, bytes}};
}

}  // namespace takt::transport
