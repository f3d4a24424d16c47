#include "os/memory/octet_pool.h"

#include <algorithm>
#include <bit>

namespace takt::os {

const std::shared_ptr<OctetPool>& OctetPool::of_process() {
  static const auto pool = std::make_shared<OctetPool>();
  return pool;
}

OctetBuffer OctetPool::borrow(std::size_t bytes) {
  const auto bits =
      static_cast<std::uint32_t>(std::max<int>(least_bits, std::bit_width(bytes - (bytes != 0))));
  const auto& pool = of_process();
  return {{bits > most_bits ? new std::uint8_t[bytes] : pool->take(bits), bytes}, pool, bits};
}

// Takes a kept block, if there is one.
std::uint8_t* OctetPool::take(std::size_t bits) {
  {
    const std::lock_guard lock(mutex_);
    for (Memory& memory : kept_[bits])
      if (memory) return const_cast<std::uint8_t*>(memory.release());
  }
  return new std::uint8_t[std::size_t{1} << bits];
}

void OctetPool::give_back(const std::uint8_t* octets, std::uint32_t bits) noexcept {
  Memory memory(octets);
  if (bits > most_bits) return;
  const std::lock_guard lock(mutex_);
  const auto free = std::ranges::find_if(kept_[bits], [](const Memory& one) { return !one; });
  if (free != kept_[bits].end()) *free = std::move(memory);
}

}  // namespace takt::os
