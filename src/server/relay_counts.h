// Counts of a bridge's requests to the servers behind it.
#pragma once

#include <atomic>
#include <cstdint>

namespace takt::server {

// Totals since the bridge began. Any thread.
struct RelayCounts {
  std::atomic<std::uint64_t> requests{0};       // passed on
  std::atomic<std::uint64_t> replies{0};        // passed back, including exceptions from servers
  std::atomic<std::uint64_t> failures{0};       // the target was not reached, or not in time
  std::atomic<std::uint64_t> request_bytes{0};  // octets of bodies
  std::atomic<std::uint64_t> reply_bytes{0};
};

}  // namespace takt::server
