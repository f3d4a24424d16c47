// Bounds of a real-time event channel that other processes use.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "RtecEventChannelAdminC.h"
#include "rt_events/channel/connection.h"

namespace takt::rt_events {

struct ServiceLimits {
  std::size_t proxies = 10'000;
  std::size_t observers = 64;
  std::size_t reference_bytes = 16'384;  // for the reference of a connected client
  std::size_t publications = 1'024;      // entries in the SupplierQOS of a supplier
  Discard discard = Discard::oldest;     // which event the full queue of a consumer gives up

  // A client may connect again: it takes the place of the earlier one, with its own QoS. Otherwise it gets
  // AlreadyConnected. Not with ClientDeclarations, which know one client of each proxy.
  bool reconnects = false;

  // For connecting to a consumer and for handing an event to its connection, by a thread of its level. A
  // consumer of Takt refuses events that it has not begun to take after this time.
  std::chrono::milliseconds push_timeout{1'000};
  // One event in each call, for consumers that look only at the first of a sequence. Otherwise the events
  // that wait for a consumer leave together.
  bool single_events = false;
  // For each other call to a client. Threads of their own make these calls.
  std::chrono::milliseconds call_timeout{1'000};
  std::uint32_t threads = 2;        // for these calls
  std::uint32_t max_threads = 256;  // including those that wait for a client
  // A client that cannot be reached for this time is disconnected.
  std::chrono::milliseconds give_up_after{10'000};
  std::chrono::milliseconds ping_after{30'000};       // a client is asked this often whether it exists
  std::chrono::milliseconds connect_within{600'000};  // a proxy to which nothing connects is removed
  // stop() waits for this time until the clients have been told that they are disconnected.
  std::chrono::milliseconds goodbye_within{1'000};
};

// The level for the rt_info of a Dependency; none: no level has it.
using LevelOfInfo = std::function<std::optional<std::size_t>(std::int32_t rt_info)>;

// Learns what clients declare before they are connected, in the threads of their requests, which it may block
// for a bounded time. `id` is unique among the channel's clients. A text is the reason for which the client
// is refused. All may be empty.
struct ClientDeclarations {
  std::function<std::optional<std::string>(std::uint64_t id, const RtecEventChannelAdmin::ConsumerQOS& qos)>
      consumer_connects = {};
  std::function<std::optional<std::string>(std::uint64_t id, const RtecEventChannelAdmin::SupplierQOS& qos)>
      supplier_connects = {};
  std::function<void(std::uint64_t id)> ended = {};  // also for clients that never connected
};

// Gets a line of text for the operator. Any thread; it must not block for long.
using Report = std::function<void(const std::string& text)>;

}  // namespace takt::rt_events
