// The values of all options of one ORB: the options of each room, with their defaults. The descriptors in
// config/options state the option and range of each field.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <takt/server/threading.h>
#include <takt/transport/stream_options.h>

#include "adapter/poa/adapter_options.h"
#include "bidirectional/accept.h"
#include "client/client_options.h"
#include "config/open_choice.h"
#include "config/option_set.h"
#include "config/reports/warnings.h"
#include "giop/compression/settings.h"
#include "giop/dialect.h"
#include "giop/header/limits.h"
#include "giop/header/messaging.h"
#include "logs/log.h"
#include "reference/tls_use.h"
#include "roads/road_options.h"
#include "rt/priority_mappings.h"
#include "server/server_options.h"
#include "threads/scheduling/scheduling.h"
#include "tls/tls_options.h"
#include "transport/miop/group_options.h"
#include "transport/udp/udp_options.h"

namespace takt::orb {

// The value of a count that is `automatic`.
inline constexpr std::size_t automatic_count = SIZE_MAX;

enum class PersonalityName : std::uint8_t { standard, realtime, avionics, imaging, minimal, tao };

enum class AdminWord : std::uint8_t { off, on, changes, remote };
enum class KeptFailure : std::uint8_t { exception, deadline };
enum class DumpCause : std::uint8_t { exception, deadline, signal };

// Options for the start and end of an ORB, and for its upkeep. It is large because each option is a member.
struct RuntimeOptions {
  std::string id;
  std::string config;
  OpenChoice<PersonalityName> personality = PersonalityName::standard;
  std::vector<std::string> plugins;    // File:arguments
  std::vector<std::string> init_refs;  // Name=URL
  std::string default_init_ref;
  std::vector<std::string> object_keys;  // Key=URL
  std::vector<std::string> connect_at_start;
  bool must_connect_at_start = true;
  std::chrono::nanoseconds connect_at_start_timeout = std::chrono::seconds(5);
  std::string time_probes;
  std::size_t time_probe_records = 32768;
  std::string run_record;
  std::vector<std::string> signals;
  std::chrono::nanoseconds reload_interval{};
  bool service_notify = false;
  OptionSet<AdminWord> admin;  // and endpoints
  bool reflection = false;
  std::string tracing = "off";  // or a ratio
  std::string server_id;        // told to interceptors
  OptionSet<KeptFailure> trace_sample_on;
  std::string trace_file;  // empty: none
  std::size_t trace_spans = 16384;
  std::size_t recorder_bytes = 0;  // size of the file; 0: nothing is recorded
  std::size_t recorder_message_bytes = std::size_t{4} * 1024;
  std::string recorder_file;  // empty: in the user's folder
  OptionSet<DumpCause> recorder_dump_on;
  std::string recorder_dump_folder;  // empty: the user's folder
  std::size_t recorder_dumps = 8;
  std::chrono::nanoseconds recorder_dump_interval = std::chrono::seconds(10);
  LogLevel log_level = LogLevel::warning;
  std::string log_file = "stderr";
  logs::LogFormat log_format = logs::LogFormat::text;
};

enum class Concurrency : std::uint8_t {
  thread_per_connection,
  reactive,
  leader_followers,
  worker_pool,
  threading_framework
};

// How a reactive server waits, and a pool in which one thread waits.
enum class ReactorKind : std::uint8_t { epoll, io_uring };

// Options for listening, and for the threads that serve. It is large because each option is a member.
struct ServingOptions {
  std::vector<std::string> listen_endpoints{"iiop://localhost:0"};
  std::vector<std::string> published_endpoints;
  std::vector<std::string> lane_endpoints;  // Priority=endpoint
  std::string unix_permissions = "0600";
  Concurrency concurrency = Concurrency::thread_per_connection;
  ReactorKind reactor = ReactorKind::epoll;
  std::size_t threads = 4;
  std::size_t max_queued_requests = automatic_count;
  OpenChoice<QueueOrder> queue_order = QueueOrder::temporal;
  std::chrono::nanoseconds filter_budget = std::chrono::milliseconds(100);
  std::size_t max_connections = automatic_count;
  std::size_t max_connections_per_peer = automatic_count;
  std::chrono::nanoseconds refusal_delay = std::chrono::milliseconds(10);
  std::chrono::nanoseconds shutdown_timeout = std::chrono::seconds(10);
  std::chrono::nanoseconds adapter_timeout = std::chrono::seconds(2);
  std::size_t bidirectional_threads = 4;
};

// Options for object keys and single adapters.
struct ObjectOptions {
  std::vector<std::string> poa_lookups;  // POA:KEY=VALUE,...
  bool seals_keys = false;
  std::string key_secret_file;
};

enum class ClientConnections : std::uint8_t { exclusive, cached, multiplexed, multiplexed_active };

// Options for the connections that calls use.
struct CallingOptions {
  ClientConnections connections = ClientConnections::exclusive;
  bidirectional::Accept accept_bidirectional = bidirectional::Accept::off;
  bool offers_connections = false;  // to servers, for calls back
};

// Stream options that are converted to StreamOptions, or depend on the request.
struct ConnectingOptions {
  std::chrono::nanoseconds keep_alive{};  // 0: never
  std::size_t traffic_class = 0;
  std::size_t socket_priority = 0;
  std::vector<std::string> traffic_classes;    // Priority=dscp
  std::vector<std::string> socket_priorities;  // Priority=number
  bool marks_quality = false;
};

// Options for priorities, lanes and their threads.
struct PriorityOptions {
  os::SchedulingClass scheduling_class = os::SchedulingClass::fifo;
  rt::PriorityMapping priority_mapping = rt::PriorityMapping::automatic;
  std::size_t watch_priority = automatic_count;
  std::vector<std::string> lanes;  // Priority=threads+dynamic
  std::size_t lane_queued_requests = 0;
  std::size_t lane_queued_octets = 0;
  bool lane_borrowing = false;
  std::vector<std::string> lane_processors;    // Priority=list
  std::vector<std::string> lane_loads;         // Priority=budget/period
  std::vector<std::string> lane_reservations;  // Priority=budget/period of each thread
  bool reserve_lane_loads = false;
  std::size_t max_lane_utilisation = 95;  // percent
  bool lock_memory = false;
  std::size_t stack_prefault_bytes = 0;
};

// Options for messages besides giop::Limits. A memory of 0 is derived from the limits.
struct MessageOptions {
  std::string compression_methods = "zlib";
  std::size_t connection_memory_bytes = 0;
  std::size_t server_memory_bytes = 0;
  std::size_t client_memory_bytes = 0;
  std::size_t fragment_bytes = 0;
  cdr::CodeSetId char_code_set = cdr::CodeSetId::utf_8;
};

// It is large because each group of options is a member.
struct Settings {
  RuntimeOptions runtime;
  ServingOptions serving;
  server::ServerOptions server;  // connection limits are derived from `serving`
  adapter::AdapterOptions adapter;
  ObjectOptions objects;
  CallingOptions calling;
  client::ClientOptions client;
  client::AsynchronousDefaults asynchronous;
  transport::StreamOptions streams;
  ConnectingOptions connecting;
  roads::RoadOptions roads;
  transport::UdpOptions udp;
  transport::miop::GroupOptions groups;
  transport::TlsOptions tls;
  reference::TlsUse tls_use;
  PriorityOptions threads;
  giop::Limits limits;
  giop::Messaging messaging;
  giop::Dialect dialect;
  giop::compression::CompressionSettings compression;
  MessageOptions messages;

  std::shared_ptr<logs::Log> log;  // shared by all copies of the settings, as what follows
  Warnings warnings;
  void apply_log_level() const { log->set_level(runtime.log_level); }

  // The values of options that may be `automatic`.
  std::size_t most_connections() const;
  std::size_t most_connections_per_peer() const;
  // The limit of a queue that `threads` threads serve.
  std::size_t most_queued_requests(std::size_t threads) const;

  // Out of line, because there are a hundred members and several places copy them.
  Settings();
  Settings(const Settings&);
  Settings(Settings&&) noexcept;
  Settings& operator=(const Settings&);
  Settings& operator=(Settings&&) noexcept;
  ~Settings();
};

}  // namespace takt::orb
