// Limits on the resources that a peer can use through one connection.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

#include <takt/base/live_setting.h>
#include <takt/base/memory_budget.h>

namespace takt::giop {

// They may change while the ORB runs, by assigning the whole struct.
struct LiveLimits {
  // One message, including the header. Memory grows with what has arrived, not with the announced size.
  LiveSetting<std::size_t> message_bytes = 4 * 1024 * 1024;
  // All messages whose fragments are still arriving, in total.
  LiveSetting<std::size_t> fragments_bytes = 4 * 1024 * 1024;
  // Maximum ratio of a compressed message's size to its packed size; message_bytes limits it too. A
  // connection keeps the value that its peer was told.
  LiveSetting<std::uint16_t> expansion = 100;
  // Memory for what the peer of one connection sends, and for output that it does not read.
  LiveSetting<std::size_t> connection_memory = MemoryBudget::unlimited;
  LiveSetting<std::size_t> outstanding_requests = 4096;
  // From the first octet of a message, or of its first fragment, to its last octet.
  LiveSetting<std::chrono::nanoseconds> message_time{std::chrono::seconds(30)};
};

struct Limits : LiveLimits {
  std::uint8_t giop_minor = 2;        // the highest version accepted
  std::uint8_t least_giop_minor = 0;  // the lowest accepted, except for CloseConnection and MessageError
  // The memory of all accepted connections, and of all opened ones; null: unlimited.
  std::shared_ptr<MemoryBudget> server_memory, client_memory;
  std::size_t partial_messages = 16;
  std::uint32_t service_contexts = 64;  // per message
  std::size_t service_context_bytes = 64 * 1024;
};

}  // namespace takt::giop
