// A process-wide pool of reusable buffers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include <takt/base/octet_buffer.h>

#include "threads/locks/priority_mutex.h"

namespace takt::os {

// Block sizes are powers of two, from a page on, so that a buffer of nearly any size can reuse an earlier
// one. Keeps a few of each size. Lives as long as the process or any of its buffers. Any thread.
class OctetPool final : public OctetLender {
 public:
  // Allocates if the pool holds none of that size.
  static OctetBuffer borrow(std::size_t bytes);

  void give_back(const std::uint8_t* octets, std::uint32_t bits) noexcept override;

 private:
  using Memory = std::unique_ptr<const std::uint8_t[]>;
  static constexpr std::size_t least_bits = 12, most_bits = 24;  // log2 of the sizes that are kept
  static constexpr std::size_t kept_of_each = 4;

  static const std::shared_ptr<OctetPool>& of_process();
  std::uint8_t* take(std::size_t bits);

  PriorityMutex mutex_;
  // Indexed by log2 of the size.
  std::array<std::array<Memory, kept_of_each>, most_bits + 1> kept_;
};

}  // namespace takt::os
