// The parts of an ORB, below CORBA::ORB.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "adapter/upcalls/object_adapter.h"
#include "adapter/upcalls/probed_dispatcher.h"
#include "bidirectional/bidirectional.h"
#include "client/client.h"
#include "config/reports/octets_left_log.h"
#include "config/reports/reply_limit.h"
#include "config/settings.h"
#include "invocation/object_operations.h"
#include "orb/wiring/decoding_environment.h"
#include "orb/wiring/strategies.h"
#include "orb/wiring/stream_wrappers.h"
#include "os/memory/huge_pages.h"
#include "probes/probe_log.h"
#include "reference/policies/policy_maker.h"
#include "reference/references.h"
#include "rt/measuring/measuring_dispatcher.h"
#include "rt/real_time.h"
#include "rt/schedule/operation_schedule.h"
#include "server/group_membership.h"
#include "server/relay_counts.h"
#include "server/server.h"
#include "transport/miop/group_options.h"

namespace takt::orb {

struct Tracing;

// Stream options for all connections of server and client.
transport::StreamOptions stream_options(const Settings& settings);

// Options for multicast.
transport::miop::GroupOptions group_options(const Settings& settings);

// One object, so that parts may point to each other as long as the last reference lives. It is large because
// each part is a member.
struct OrbParts final {
  explicit OrbParts(const Settings& settings);
  ~OrbParts();

  giop::ProtocolOptions protocol;
  reference::ConnectionOptions connections;
  std::shared_ptr<reference::LocalRoads> roads;  // null: neither taken nor offered
  reference::References references;
  client::Client client;
  server::Server server;
  OctetsLeftLog octets_left_log{server};
  os::HugePages large_tables;  // memory of the adapter's table
  adapter::ObjectAdapter object_adapter;
  std::shared_ptr<probes::ProbeLog> probes;                       // null: calls are not probed
  std::unique_ptr<adapter::ProbedDispatcher> probed_dispatcher;   // null: calls are not probed
  std::unique_ptr<rt::MeasuringDispatcher> measuring_dispatcher;  // null: executions are not measured
  std::unique_ptr<ReplyLimit> reply_limit;                        // null: replies have no limit
  std::shared_ptr<server::QueueList> observation;  // -ORBAdmin's; outlives all requests. Null without it
  bidirectional::Bidirectional bidirectional;
  std::shared_ptr<server::GroupMembership> groups;       // null: no multicast
  std::shared_ptr<reference::PolicyMaker> interceptors;  // registered by initializers; may be null
  std::shared_ptr<Tracing> tracing;                      // -ORBTracing's; null without it
  // A bridge's. Only the bridge's sources know its type, so programs without a bridge do not link it.
  std::shared_ptr<server::Stage> relay;
  std::atomic<const server::RelayCounts*> relayed{nullptr};  // the relay's, once it serves; else null
  std::function<void()> release_bridge_targets;  // the relay's targets hold references that own the parts
  invocation::RemoteObjectOperations remote_operations;
  const std::shared_ptr<rt::RealTime> real_time;
  DecodingEnvironment decoding;
  rt::OperationSchedule operation_schedule;
  StrategyTables strategies = built_in_strategies();
  StreamWrappers stream_wrappers;

 private:
  void set_up_references(const Settings& settings);
  void set_up_client(const Settings& settings);
  void set_up_server(const Settings& settings);
  void set_up_adapter(const Settings& settings);
};

// Sets each room's options that may change while other threads read them.
void set_limits(OrbParts& parts, const Settings& settings);

// The parts of one ORB. Keeping a pointer to one of them keeps all.
std::shared_ptr<OrbParts> make_parts(const Settings& settings);

}  // namespace takt::orb
