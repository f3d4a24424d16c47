// What one connection may cost, whatever its peer sends.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

#include <takt/base/changeable.h>
#include <takt/base/memory_budget.h>

namespace takt::giop {

// They may change while the ORB runs, by assigning the whole.
struct LiveLimits {
  // One message, header included. Memory follows what has arrived, not what a header announces.
  Changeable<std::size_t> message_bytes = 4 * 1024 * 1024;
  // All messages together whose fragments are still arriving.
  Changeable<std::size_t> fragments_bytes = 4 * 1024 * 1024;
  // Of a compressed message: how many times as long as what came it may become, and no longer than
  // message_bytes. A connection keeps what its peer has been told.
  Changeable<std::uint16_t> expansion = 100;
  // Memory for what the peer of one connection sends, and for what it does not take.
  Changeable<std::size_t> connection_memory = MemoryBudget::unlimited;
  Changeable<std::size_t> outstanding_requests = 4096;
  // From the first octet of a message, or of its first fragment, to its last.
  Changeable<std::chrono::nanoseconds> message_time{std::chrono::seconds(30)};
};

struct Limits : LiveLimits {
  std::uint8_t giop_minor = 2;        // the highest version accepted
  std::uint8_t least_giop_minor = 0;  // the lowest, of messages other than CloseConnection and MessageError
  // For all connections that were accepted, and for all that were opened; null: unlimited.
  std::shared_ptr<MemoryBudget> server_memory, client_memory;
  std::size_t partial_messages = 16;
  std::uint32_t service_contexts = 64;  // of one message
  std::size_t service_context_bytes = 64 * 1024;
};

}  // namespace takt::giop
