// The settings and services that all connections of a server share.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include <takt/cdr/environment.h>
#include <takt/transport/stream.h>

#include "base/event_log.h"
#include "base/part_of.h"
#include "base/step.h"
#include "giop/protocol_options.h"
#include "reference/policies/connection_options.h"
#include "server/due_answers.h"
#include "server/pipeline/pipeline.h"
#include "server/request/verdict.h"
#include "server/server_options.h"
#include "threads/locks/made_once.h"
#include "transport/stream_observers.h"

namespace takt::transport {
class BatchGuard;
}  // namespace takt::transport

namespace takt::server {

class BidirectionalConnections;
class GroupMembership;
class LateWriter;
class QueueList;
class RequestSchedule;

// Part of the ORB. Public data is set before the first connection and is valid until after the last request.
// Functions and atomic members may be used in any thread. It is large because all connections share it.
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
  std::atomic<Dispatcher*> dispatcher{nullptr};       // the first that gets a request
  RequestSchedule* schedule = nullptr;                // null: there is no schedule
  BidirectionalConnections* bidirectional = nullptr;  // null: connections are one-way
  GroupMembership* groups = nullptr;                  // null: no multicast
  QueueList* queues = nullptr;                        // gets each queue of requests; null: no observer
  StepLog* steps = nullptr;                           // the log of time probes; null: requests are not probed
  // Runs in each thread of a pool or periodic dispatcher, after the thread has its priority and before it
  // serves. May be empty. Must not throw.
  std::function<void()> before_serving;
  // Reports an error or warning to the operator, each different text once. May be empty.
  std::function<void(LogEvent, const std::string&)> report;
  std::shared_ptr<EventLog> log;                                // the ORB's; may be null
  std::shared_ptr<const transport::StreamObservers> observers;  // the ORB's; null: streams have none

  DueAnswers due_answers;  // answers that are given after their upcalls
  // Writes those that their peers do not read at once; see LateWriter::of().
  os::MadeOnce<LateWriter> late_writer;
  // Writes replies that are held for later ones; made when the first are.
  os::MadeOnce<transport::BatchGuard> reply_guard;

  // Set once a request with a deadline has arrived. New connections then record arrival times, because octets
  // may wait to be read.
  std::atomic<bool> expects_deadlines{false};
  // Requests that were not dispatched because their deadlines had passed.
  std::atomic<std::uint64_t> requests_too_late{0};
  // Connections accepted, and refused because too many were open.
  std::atomic<std::uint64_t> connections_accepted{0};
  std::atomic<std::uint64_t> connections_refused{0};
  // Requests that were refused before their upcall, by the reason.
  std::array<std::atomic<std::uint64_t>, verdicts> requests_refused{};
};

}  // namespace takt::server
