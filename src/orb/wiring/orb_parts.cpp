#include "orb/wiring/orb_parts.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <takt/cdr/stack.h>

#include "bidirectional/bidirectional.h"
#include "client/strategy/active.h"
#include "client/strategy/cached.h"
#include "client/strategy/exclusive.h"
#include "client/strategy/shared.h"
#include "config/key_secret.h"
#include "config/lane_options.h"
#include "config/poa_lookups.h"
#include "orb/parts/parts.h"
#include "orb/wiring/plugins.h"
#include "orb/wiring/stream_observers.h"
#include "orb/wiring/tls_setup.h"
#include "rt/priority_mappings.h"
#include "threads/scheduling/running_thread.h"
#include "threads/thread.h"
#include "transport/tcp/tcp_transport.h"
#include "transport/udp/datagram.h"

namespace takt::orb {

namespace {

std::unique_ptr<client::ConnectionStrategy> make_connection_strategy(ClientConnections connections) {
  switch (connections) {
    case ClientConnections::cached:
      return std::make_unique<client::CachedStrategy>();
    case ClientConnections::multiplexed:
      return std::make_unique<client::SharedStrategy>();
    case ClientConnections::multiplexed_active:
      return std::make_unique<client::ActiveStrategy>();
    case ClientConnections::exclusive:
      break;
  }
  return std::make_unique<client::ExclusiveStrategy>();
}

std::shared_ptr<const cdr::CodeSetComponentInfo> make_code_sets(const Settings& settings) {
  auto sets = cdr::native_code_sets();
  if (settings.messages.char_code_set == cdr::CodeSetId::iso_8859_1)
    sets.narrow = {cdr::CodeSetId::iso_8859_1, {cdr::CodeSetId::utf_8}};
  return std::make_shared<const cdr::CodeSetComponentInfo>(std::move(sets));
}

}  // namespace

transport::StreamOptions stream_options(const Settings& settings) {
  transport::StreamOptions streams = settings.streams;
  const ConnectingOptions& connecting = settings.connecting;
  streams.keep_alive = connecting.keep_alive.count() > 0;
  if (streams.keep_alive)
    streams.keep_alive_idle = std::chrono::ceil<std::chrono::seconds>(connecting.keep_alive);
  if (connecting.traffic_class > 0) streams.dscp = static_cast<int>(connecting.traffic_class);
  if (connecting.socket_priority > 0) streams.priority = static_cast<int>(connecting.socket_priority);
  return streams;
}

namespace {

// Fragments, copies for other threads and decoded values take several times the length of a message.
void set_memory(giop::Limits& limits, const Settings& settings) {
  constexpr std::size_t messages = 8, connections = 4, least = std::size_t{64} * 1024 * 1024;
  const auto or_usual = [](std::size_t set, std::size_t usual) { return set != 0 ? set : usual; };
  const std::size_t connection =
      or_usual(settings.messages.connection_memory_bytes, std::max(messages * limits.message_bytes, least));
  limits.connection_memory = connection;
  limits.server_memory->set_limit(or_usual(settings.messages.server_memory_bytes, connections * connection));
  limits.client_memory->set_limit(or_usual(settings.messages.client_memory_bytes, connections * connection));
}

}  // namespace

namespace {

void set_limits(giop::ProtocolOptions& options, const Settings& settings) {
  giop::LiveLimits& limits = *options.limits;
  giop::LiveLimits wanted = settings.limits;
  wanted.fragments_bytes = wanted.message_bytes;
  wanted.connection_memory = limits.connection_memory;
  limits = wanted;
  set_memory(*options.limits, settings);
  options.compression = settings.compression;
}

server::ServerOptions server_options(const Settings& settings) {
  server::ServerOptions options = settings.server;
  options.connections = settings.most_connections();
  options.peer_connections = settings.most_connections_per_peer();
  return options;
}

}  // namespace

void set_limits(OrbParts& parts, const Settings& settings) {
  adapter::AdapterLimits& adapters = parts.object_adapter.tree().options;
  adapters = settings.adapter;
  set_limits(parts.protocol, settings);
  parts.client.options = settings.client;
  parts.server.options = server_options(settings);
}

namespace {

giop::ProtocolOptions protocol_options(const Settings& settings) {
  giop::ProtocolOptions options;
  *options.limits = settings.limits;
  options.limits->server_memory = std::make_shared<MemoryBudget>();
  options.limits->client_memory = std::make_shared<MemoryBudget>();
  set_limits(options, settings);
  options.fragment_bytes = settings.messages.fragment_bytes;
  options.minor = settings.limits.giop_minor;
  options.messaging = settings.messaging;
  options.dialect = settings.dialect;
  return options;
}

reference::ConnectionOptions connection_options(const Settings& settings) {
  return {.streams = stream_options(settings),
          .marking =
              marking_by_priority(settings.connecting.traffic_classes, settings.connecting.socket_priorities),
          .marks_quality = settings.connecting.marks_quality};
}

giop::compression::MethodList compression_methods(const Settings& settings,
                                                  const giop::compression::Methods& all) {
  auto methods = all.named(settings.messages.compression_methods);
  if (!methods)
    throw CORBA::INITIALIZE(0, CORBA::COMPLETED_NO, "option -ORBCompressionMethods: " + methods.error());
  return *methods;
}

adapter::AdapterOptions adapter_options(const Settings& settings) {
  adapter::AdapterOptions options = settings.adapter;
  options.lookups = poa_lookups(settings.objects.poa_lookups);
  return options;
}

std::unique_ptr<const adapter::KeySeal> make_key_seal(const std::string& secret_file) {
  if (secret_file.empty())
    return std::make_unique<const adapter::KeySeal>(adapter::KeySeal::with_random_secret());
  return std::make_unique<const adapter::KeySeal>(read_key_secret(secret_file), true);
}

std::shared_ptr<rt::RealTime> make_real_time(const Settings& settings) {
  const PriorityOptions& threads = settings.threads;
  auto real_time = std::make_shared<rt::RealTime>(
      threads.scheduling_class,
      rt::choose_mapping(threads.priority_mapping, os::native_priorities(threads.scheduling_class)),
      [warnings = settings.warnings](const std::string& text) { warnings.say(text); });
  real_time->priorities()->set_watch_priority(threads.watch_priority == automatic_count
                                                  ? std::nullopt
                                                  : std::optional(static_cast<int>(threads.watch_priority)));
  return real_time;
}

CORBA::object_reference<CORBA::Policy> bands_policy(const giop::PriorityPolicies& policies) {
  RTCORBA::PriorityBands bands;
  for (const giop::PriorityBand& band : policies.bands) bands.emplace_back(band.low, band.high);
  return CORBA::make_reference<RTCORBA::PriorityBandedConnectionPolicy>(std::move(bands));
}

}  // namespace

transport::miop::GroupOptions group_options(const Settings& settings) {
  transport::miop::GroupOptions groups = settings.groups;
  groups.datagram_bytes = settings.udp.limits.datagram_bytes + transport::Datagram::head_bytes;
  groups.limits.message_bytes = std::min(settings.limits.message_bytes.get(), groups.limits.bytes);
  return groups;
}

OrbParts::OrbParts(const Settings& settings)
    : protocol(protocol_options(settings)),
      connections(connection_options(settings)),
      references(protocol, connections),
      client(references),
      server(protocol, connections),
      object_adapter(references, server),
      bidirectional(settings.calling.accept_bidirectional, client),
      real_time(make_real_time(settings)),
      decoding(references, settings.warnings),
      operation_schedule(server, object_adapter, settings.serving.refusal_delay, real_time->priorities(),
                         !settings.runtime.run_record.empty()) {
  cdr::set_stack_finder([]() -> cdr::ThreadStack {
    const os::StackMemory stack = os::current_thread_stack();
    return {stack.lowest, stack.bytes};
  });
  real_time->priorities()->log = settings.log;
  real_time->pools().check_socket_priority(
      std::max(connections.streams.priority, connections.marking.highest_priority()));
  if (!settings.runtime.time_probes.empty())
    probes = std::make_shared<probes::ProbeLog>(settings.runtime.time_probe_records);
  set_up_references(settings);
  set_up_client(settings);
  set_up_server(settings);
  set_up_adapter(settings);
  refuse_without_tls(settings);
  for (const auto add : chosen_parts().transports) add(references.transports, settings);
  load_plugins(settings.runtime.plugins, *this);
  protocol.methods = compression_methods(settings, *protocol.all_methods);
}

OrbParts::~OrbParts() {
  if (roads) roads->stop();
}

namespace {
std::shared_ptr<reference::LocalRoads> local_roads(const Settings& settings) {
  const auto make = chosen_parts().make_roads;
  const bool asked =
      settings.roads.roads != roads::RoadChoice::off && settings.roads.roads != roads::RoadChoice::automatic;
  if (!make && asked)
    throw CORBA::INITIALIZE(0, CORBA::COMPLETED_NO,
                            "option -ORBLocalRoads: this program does without takt::add_local_roads()");
  return make ? make(settings) : nullptr;
}
}  // namespace

void OrbParts::set_up_references(const Settings& settings) {
  references.options = {.tls = tls_use(settings), .groups = false, .probed = probes != nullptr};
  references.options.overlapping = settings.serving.concurrency >= Concurrency::worker_pool;
  references.options.traced = references.options.intercepted = settings.runtime.tracing != "off";
  references.environment = &decoding;
  references.operations = &remote_operations;
  references.client = &client;
  roads = local_roads(settings);
  references.roads = roads.get();
  if (roads) roads->prepare_later([this] { references.begin_generation(); });
  references.code_sets = make_code_sets(settings);
  references.transports.add(std::make_unique<transport::TcpTransport>());
}

void OrbParts::set_up_client(const Settings& settings) {
  client.options = settings.client;
  client.asynchronous_defaults = settings.asynchronous;
  client.strategy = make_connection_strategy(settings.calling.connections);
  client.connection_overrides.push_back(&bidirectional);
  client.report = [this](const std::string& text) { decoding.say_once(LogEvent::warning, text); };
  client.set_log(settings.log);
  client.observers = stream_observers(stream_wrappers, settings.log, probes);
  client.run_at = [priorities = real_time->priorities()](giop::Priority priority) {
    priorities->run_handler_at(priority);
  };
  client.scheduling_at = [priorities = real_time->priorities()](giop::Priority priority) {
    return priorities->upcall_scheduling_at(priority);
  };
  client.bands_policy = bands_policy;
  client.steps = probes.get();
}

void OrbParts::set_up_server(const Settings& settings) {
  server.options = server_options(settings);
  server.environment = &decoding;
  server.bidirectional = &bidirectional;
  server.report = [this](LogEvent event, const std::string& text) { decoding.say_once(event, text); };
  server.log = settings.log;
  server.observers = client.observers;
  server.steps = probes.get();
}

// This function and Pipeline::Place define the path of a request; a schedule and a bridge join later.
void OrbParts::set_up_adapter(const Settings& settings) {
  adapter::AdapterTree& tree = object_adapter.tree();
  tree.extension = real_time.get();
  tree.options = adapter_options(settings);
  object_adapter.table().objects.memory = &large_tables;
  if (settings.objects.seals_keys) tree.keys.seal_with(make_key_seal(settings.objects.key_secret_file));
  if (probes) probed_dispatcher = std::make_unique<adapter::ProbedDispatcher>(object_adapter, *probes);
  server::Dispatcher* const last =
      probed_dispatcher ? static_cast<server::Dispatcher*>(probed_dispatcher.get()) : &object_adapter;
  server.pipeline.begin(*last, [this](server::Dispatcher& first) {
    octets_left_log.stand_before(first, takes(server.log.get(), LogEvent::octets_left));
    references.local_calls = &first;
  });
  if (const std::size_t most = settings.server.longest_reply;
      most < server::ServerOptions::no_limit_of_replies) {
    reply_limit = std::make_unique<ReplyLimit>(most);
    server.pipeline.put(server::Pipeline::Place::reply_limit, reply_limit.get());
  }
  if (settings.runtime.run_record.empty()) return;
  measuring_dispatcher = std::make_unique<rt::MeasuringDispatcher>(object_adapter, os::thread_processor_time);
  server.pipeline.put(server::Pipeline::Place::measuring, measuring_dispatcher.get());
}

std::shared_ptr<OrbParts> make_parts(const Settings& settings) {
  auto parts = std::make_shared<OrbParts>(settings);
  parts->references.become_part_of(parts);
  parts->client.become_part_of(parts);
  parts->server.become_part_of(parts);
  return parts;
}

}  // namespace takt::orb
