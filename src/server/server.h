// What the connections to one server have in common.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include <takt/base/live_setting.h>
#include <takt/cdr/environment.h>
#include <takt/transport/stream.h>

#include "base/part_of.h"
#include "base/step.h"
#include "giop/protocol_options.h"
#include "reference/policies/connection_options.h"
#include "server/pipeline.h"

namespace takt::server {

class BidirectionalConnections;
class GroupMembership;
class RequestSchedule;

// Those that are LiveSetting may change while the ORB runs.
struct ServerOptions {
  // For clients that do not read, and for those without a request; 0: for ever.
  LiveSetting<std::chrono::nanoseconds> send_timeout{std::chrono::seconds(30)};
  LiveSetting<std::chrono::nanoseconds> idle_timeout{std::chrono::minutes(2)};
  // How long a request may wait for its start time.
  LiveSetting<std::chrono::nanoseconds> hold_timeout{std::chrono::seconds(10)};
  // Open at once, of one way to serve; more are refused.
  LiveSetting<std::size_t> connections = 20000;
  LiveSetting<std::size_t> peer_connections = 5000;  // of these, from one address of another machine
};

// Part of the ORB. What is public data is set before the first connection and outlives the last request;
// everything else is safe from any thread.
class Server : public PartOf<Server> {
 public:
  Server(const giop::ProtocolOptions& protocol_options,
         const reference::ConnectionOptions& connection_options)
      : protocol(protocol_options), connections(connection_options) {}

  const giop::ProtocolOptions& protocol;
  const reference::ConnectionOptions& connections;
  ServerOptions options;
  cdr::Environment* environment = nullptr;
  Pipeline pipeline;
  Dispatcher* dispatcher = nullptr;               // the pipeline's outermost
  RequestSchedule* schedule = nullptr;            // null: nothing is known of requests beforehand
  BidirectionalConnections* both_ways = nullptr;  // null: connections are one-way
  GroupMembership* groups = nullptr;              // null: no multicast
  // Null: requests are not probed. Then each stream becomes what `probed` makes of it.
  StepLog* steps = nullptr;
  std::function<std::unique_ptr<transport::Stream>(std::unique_ptr<transport::Stream>)> probed;
  // What each thread of a pool or periodic dispatcher does once it has its priority, before it serves; may be
  // empty. Must not throw.
  std::function<void()> before_serving;
  // Tells whoever runs the program, each text once; may be empty.
  std::function<void(const std::string&)> tell;

  // Some client's requests have deadlines: what arrives is stamped from now on, since it may wait to be read.
  std::atomic<bool> expects_deadlines{false};
  // Requests that were not dispatched because their deadlines had passed.
  std::atomic<std::uint64_t> requests_too_late{0};
};

}  // namespace takt::server
