#include "orb/wiring/orb_parts.h"

#include <algorithm>
#include <mutex>
#include <string_view>
#include <utility>

#include <takt/cdr/stack.h>

#include "bidirectional/bidirectional.h"
#include "client/strategy/active.h"
#include "client/strategy/cached.h"
#include "client/strategy/exclusive.h"
#include "client/strategy/shared.h"
#include "orb/config/key_secret.h"
#include "orb/config/lane_options.h"
#include "orb/config/poa_lookups.h"
#include "orb/parts/parts.h"
#include "orb/wiring/plugins.h"
#include "orb/wiring/tls_setup.h"
#include "os/threads/running_thread.h"
#include "os/threads/thread.h"
#include "probes/probed_stream.h"
#include "rt/priority_mappings.h"
#include "transport/tcp/tcp_transport.h"
#include "transport/udp/datagram.h"

namespace takt::orb {

std::shared_ptr<CORBA::Object> DecodingEnvironment::object_from_ior(cdr::Ior&& ior) {
  return reference::make_stub<CORBA::Object>(references_.from_ior(std::move(ior))).shared();
}

std::shared_ptr<CORBA::ValueFactoryBase> DecodingEnvironment::value_factory(std::string_view repository_id) {
  std::shared_lock lock(mutex_);
  const auto found = factories_.find(repository_id);
  return found == factories_.end() ? nullptr : found->second;
}

std::shared_ptr<CORBA::ValueFactoryBase> DecodingEnvironment::set_value_factory(
    const std::string& repository_id, std::shared_ptr<CORBA::ValueFactoryBase> factory) {
  std::unique_lock lock(mutex_);
  std::swap(factories_[repository_id], factory);
  if (!factories_[repository_id]) factories_.erase(repository_id);
  return factory;
}

namespace {

std::unique_ptr<client::ConnectionStrategy> make_connection_strategy(const Settings& settings) {
  if (settings.client_connections == "cached") return std::make_unique<client::PooledStrategy>();
  if (settings.client_connections == "multiplexed") return std::make_unique<client::SharedStrategy>();
  if (settings.client_connections == "multiplexed-active") return std::make_unique<client::ActiveStrategy>();
  return std::make_unique<client::ExclusiveStrategy>();
}

bidirectional::Bidirectional::Accept accept_of(const Settings& settings) {
  using Accept = bidirectional::Bidirectional::Accept;
  const std::string& accept = settings.accept_bidirectional;
  return accept == "any" ? Accept::any : accept == "same-address" ? Accept::same_address : Accept::off;
}

std::shared_ptr<const cdr::CodeSetComponentInfo> make_code_sets(const Settings& settings) {
  auto sets = cdr::native_code_sets();
  if (settings.char_code_set == "ISO-8859-1")
    sets.narrow = {cdr::CodeSetId::iso_8859_1, {cdr::CodeSetId::utf_8}};
  return std::make_shared<const cdr::CodeSetComponentInfo>(std::move(sets));
}

}  // namespace

transport::StreamOptions stream_options(const Settings& settings) {
  transport::StreamOptions streams;
  streams.send_buffer_bytes = static_cast<int>(settings.send_buffer_bytes);
  streams.receive_buffer_bytes = static_cast<int>(settings.receive_buffer_bytes);
  streams.lent_bytes = static_cast<int>(settings.lent_bytes);
  streams.keep_alive = settings.keep_alive.count() > 0;
  if (streams.keep_alive)
    streams.keep_alive_idle = std::chrono::ceil<std::chrono::seconds>(settings.keep_alive);
  if (settings.traffic_class > 0) streams.dscp = static_cast<int>(settings.traffic_class);
  if (settings.socket_priority > 0) streams.priority = static_cast<int>(settings.socket_priority);
  streams.busy_poll = std::chrono::ceil<std::chrono::microseconds>(settings.busy_poll);
  return streams;
}

namespace {

// Fragments, copies for other threads and decoded values take several times the length of a message.
void set_memory(giop::Limits& limits, const Settings& settings) {
  constexpr std::size_t messages = 8, connections = 4, least = std::size_t{64} * 1024 * 1024;
  const auto or_usual = [](std::size_t set, std::size_t usual) { return set != 0 ? set : usual; };
  const std::size_t connection =
      or_usual(settings.connection_memory_bytes, std::max(messages * settings.message_bytes, least));
  limits.connection_memory = connection;
  limits.server_memory->set_limit(or_usual(settings.server_memory_bytes, connections * connection));
  limits.client_memory->set_limit(or_usual(settings.client_memory_bytes, connections * connection));
}

}  // namespace

void set_limits(giop::ProtocolOptions& options, const Settings& settings) {
  options.compression.threshold_bytes = settings.compression_threshold_bytes;
  options.compression.level = static_cast<int>(settings.compression_level);
  options.limits->expansion = static_cast<std::uint16_t>(settings.max_expansion);
  options.limits->message_bytes = settings.message_bytes;
  options.limits->fragments_bytes = settings.message_bytes;
  set_memory(*options.limits, settings);
  options.limits->outstanding_requests = settings.outstanding_requests;
  options.limits->message_time = settings.message_timeout;
}

void set_limits(client::ClientOptions& options, const Settings& settings) {
  options.connect_timeout = settings.connect_timeout;
  options.round_trip_timeout = settings.round_trip_timeout;
  options.send_queue_bytes = settings.send_queue_bytes;
  options.max_redirections = static_cast<unsigned>(settings.max_redirections);
}

void set_limits(server::ServerOptions& options, const Settings& settings) {
  options.send_timeout = settings.send_timeout;
  options.idle_timeout = settings.idle_timeout;
  options.hold_timeout = settings.hold_timeout;
  options.connections = settings.most_connections();
  options.peer_connections = settings.most_connections_per_peer();
}

void set_limits(adapter::AdapterOptions& options, const Settings& settings) {
  options.hold_timeout = settings.hold_timeout;
  options.held_requests = settings.held_requests;
}

namespace {

giop::ProtocolOptions protocol_options(const Settings& settings) {
  giop::ProtocolOptions options;
  options.limits->server_memory = std::make_shared<MemoryBudget>();
  options.limits->client_memory = std::make_shared<MemoryBudget>();
  set_limits(options, settings);
  options.fragment_bytes = settings.fragment_bytes;
  options.minor = static_cast<std::uint8_t>(settings.giop_version.back() - '0');
  options.limits->giop_minor = options.minor;
  options.limits->least_giop_minor = static_cast<std::uint8_t>(settings.min_giop_version.back() - '0');
  options.messaging = {.short_heads = settings.messaging == "giop-lite",
                       .compression = settings.compression == "on"};
  return options;
}

reference::ConnectionOptions connection_options(const Settings& settings) {
  return {.streams = stream_options(settings),
          .marking = marking_by_priority(settings.traffic_classes, settings.socket_priorities),
          .marks_quality = settings.quality_traffic_class == "on"};
}

giop::compression::MethodList compression_methods(const Settings& settings,
                                                  const giop::compression::Methods& all) {
  auto methods = all.named(settings.compression_methods);
  if (!methods)
    throw CORBA::INITIALIZE(0, CORBA::COMPLETED_NO, "option -ORBCompressionMethods: " + methods.error());
  return *methods;
}

adapter::AdapterOptions adapter_options(const Settings& settings) {
  adapter::AdapterOptions options;
  set_limits(options, settings);
  options.lookup.adapter = lookup_of(settings.adapter_lookup).value();
  options.lookup.servant = lookup_of(settings.servant_lookup).value();
  options.lookup.operation = lookup_of(settings.operation_lookup).value();
  options.lookups = poa_lookups(settings.poa_lookups);
  options.complete_when_activated = settings.adapters_complete == "activation";
  return options;
}

std::unique_ptr<const adapter::KeySeal> make_key_seal(const std::string& secret_file) {
  if (secret_file.empty())
    return std::make_unique<const adapter::KeySeal>(adapter::KeySeal::with_random_secret());
  return std::make_unique<const adapter::KeySeal>(read_key_secret(secret_file), true);
}

std::shared_ptr<rt::RealTime> make_real_time(const Settings& settings) {
  const auto scheduling_class = settings.scheduling_class == "fifo" ? os::SchedulingClass::fifo
                                : settings.scheduling_class == "round-robin"
                                    ? os::SchedulingClass::round_robin
                                    : os::SchedulingClass::other;
  auto real_time = std::make_shared<rt::RealTime>(
      scheduling_class,
      rt::choose_mapping(settings.priority_mapping, os::native_priorities(scheduling_class)),
      [warnings = settings.warnings](const std::string& text) { warnings.say(text); });
  real_time->set_watch_priority(settings.watch_priority == automatic_count
                                    ? std::nullopt
                                    : std::optional(static_cast<int>(settings.watch_priority)));
  return real_time;
}

CORBA::object_reference<CORBA::Policy> bands_policy(const giop::PriorityPolicies& policies) {
  RTCORBA::PriorityBands bands;
  for (const giop::PriorityBand& band : policies.bands) bands.emplace_back(band.low, band.high);
  return CORBA::make_reference<RTCORBA::PriorityBandedConnectionPolicy>(std::move(bands));
}

// Converts the probes' types to those that the rooms know.
auto recorded_by(const std::shared_ptr<probes::ProbeLog>& log, probes::ProbedSide side) {
  return [log, side](std::unique_ptr<transport::Stream> stream) {
    return probes::probed_stream(std::move(stream), side, log);
  };
}

}  // namespace

transport::miop::GroupOptions group_options(const Settings& settings) {
  transport::miop::GroupOptions groups;
  groups.interface = settings.multicast_interface;
  groups.hops = static_cast<int>(settings.multicast_hops);
  groups.loopback = settings.multicast_loopback == "on";
  groups.datagram_bytes = settings.datagram_bytes + transport::Datagram::head_bytes;
  groups.limits.message_bytes = std::min(settings.message_bytes, settings.multicast_bytes);
  groups.limits.bytes = settings.multicast_bytes;
  groups.limits.time = settings.multicast_time;
  return groups;
}

OrbParts::OrbParts(const Settings& settings)
    : protocol(protocol_options(settings)),
      connections(connection_options(settings)),
      references(protocol, connections),
      client(references),
      server(protocol, connections),
      object_adapter(references, server),
      bidirectional(accept_of(settings), client),
      real_time(make_real_time(settings)),
      decoding(references, settings.warnings),
      operation_schedule(server, object_adapter, settings.refusal_delay, real_time) {
  cdr::set_stack_finder([]() -> cdr::ThreadStack {
    const os::StackMemory stack = os::current_thread_stack();
    return {stack.lowest, stack.bytes};
  });
  real_time->check_socket_priority(
      std::max(connections.streams.priority, connections.marking.highest_priority()));
  if (!settings.time_probes.empty()) probes = std::make_shared<probes::ProbeLog>(settings.time_probe_records);
  set_up_references(settings);
  set_up_client(settings);
  set_up_server(settings);
  set_up_adapter(settings);
  refuse_without_tls(settings);
  for (const auto add : chosen_parts().transports) add(references.transports, settings);
  load_plugins(settings.plugins, *this);
  protocol.methods = compression_methods(settings, *protocol.all_methods);
}

OrbParts::~OrbParts() = default;

void OrbParts::set_up_references(const Settings& settings) {
  references.options = {.tls = tls_use(settings), .groups = false, .probed = probes != nullptr};
  references.environment = &decoding;
  references.operations = &remote_operations;
  references.client = &client;
  references.code_sets = make_code_sets(settings);
  references.transports.add(std::make_unique<transport::TcpTransport>());
}

void OrbParts::set_up_client(const Settings& settings) {
  set_limits(client.options, settings);
  client.strategy = make_connection_strategy(settings);
  client.connection_overrides.push_back(&bidirectional);
  client.tell = [this](const std::string& text) { decoding.say_once(text); };
  client.run_at = [rt = real_time](giop::Priority priority) { rt->run_upcall_at(priority); };
  client.bands_policy = bands_policy;
  if (!probes) return;
  client.steps = probes.get();
  client.probed = recorded_by(probes, probes::ProbedSide::client);
}

void OrbParts::set_up_server(const Settings& settings) {
  set_limits(server.options, settings);
  server.environment = &decoding;
  server.both_ways = &bidirectional;
  server.tell = client.tell;
  if (!probes) return;
  server.steps = probes.get();
  server.probed = recorded_by(probes, probes::ProbedSide::server);
}

// This function and Pipeline::Place define the path of a request; a schedule and a bridge join later.
void OrbParts::set_up_adapter(const Settings& settings) {
  adapter::AdapterTree& tree = object_adapter.tree();
  tree.extension = real_time.get();
  tree.options = adapter_options(settings);
  object_adapter.table().objects.memory = &large_tables;
  if (settings.key_mac == "siphash") tree.keys.seal_with(make_key_seal(settings.key_secret_file));
  if (probes) probed_dispatcher = std::make_unique<adapter::ProbedDispatcher>(object_adapter, *probes);
  server::Dispatcher* const last =
      probed_dispatcher ? static_cast<server::Dispatcher*>(probed_dispatcher.get()) : &object_adapter;
  server.pipeline.begin(*last, [this](server::Dispatcher& first) {
    server.dispatcher = &first;
    references.local_calls = &first;
  });
  if (settings.execution_times.empty()) return;
  measuring_dispatcher =
      std::make_unique<adapter::MeasuringDispatcher>(object_adapter, os::thread_processor_time);
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
