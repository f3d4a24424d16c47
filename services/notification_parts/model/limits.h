// Bounds of a notification service.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "events/model/limits.h"

namespace takt::notification {

// The limits of an event service hold for channels, proxies, queues, pulls, clients and threads. It is large
// because each kind of memory has a limit.
struct Limits : events::Limits {
  std::size_t admins = 10'000;            // sum over all channels
  std::size_t filters = 10'000;           // filters and mapping filters together
  std::uint32_t constraints = 1'000;      // in each filter
  std::size_t constraint_bytes = 16'384;  // the text of a constraint
  std::uint32_t attached_filters = 100;   // filters of one administrator or proxy
  std::uint32_t callbacks = 100;          // in each filter
  std::uint32_t event_types = 1'000;      // in one constraint; of an administrator or proxy
  // Changes of types that a client has not been told of yet. Beyond that it is told of no more.
  std::size_t untold_types = 10'000;
  // Memory of those changes for all clients, about; changes that several have yet to be told count once.
  // Beyond that, clients that have yet to be told an earlier change are told of no more; beyond twice that,
  // all to whom a change would have to be told.
  std::uint64_t untold_bytes = std::uint64_t{64} << 20;
  // Memory of the constraints of a filter with their values, about; and of those of all filters, and the
  // types of all administrators and proxies.
  std::uint64_t filter_bytes = std::uint64_t{16} << 20;
  std::uint64_t definition_bytes = std::uint64_t{256} << 20;
  // The steps that all filters of one administrator or proxy take together, for one event.
  std::size_t filter_steps = 10'000;
  std::uint32_t batch = 10'000;  // the largest MaximumBatchSize
  // The events of one call to a consumer of sequences, or of one reply to it, have about that many octets, or
  // there is one alone: a client refuses longer messages than its -ORBMaxMessageSize, and breaks the
  // connection.
  std::uint64_t batch_bytes = std::uint64_t{1} << 20;
  // Between two questions to a supplier that had no event.
  std::chrono::milliseconds pull_period{1'000};
  // A client whose connection is persistent is disconnected if it cannot be reached for this time.
  std::chrono::milliseconds give_up_persistent_after{std::chrono::hours(24 * 7)};
  bool persistent = false;  // whether reliabilities may be Persistent: the service has a store
};

}  // namespace takt::notification
