// The values of all options of one ORB.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "orb/reports/warnings.h"

namespace takt::orb {

// The value of a count that is `automatic`.
inline constexpr std::size_t automatic_count = SIZE_MAX;

// options_table.cpp states the option, range and default of each member.
struct Settings {
  std::string id;
  std::string config;
  std::string personality;
  std::vector<std::string> plugins;    // File:arguments
  std::vector<std::string> init_refs;  // Name=URL
  std::string default_init_ref;
  std::vector<std::string> object_keys;  // Key=URL

  std::vector<std::string> listen_endpoints;
  std::vector<std::string> published_endpoints;
  std::vector<std::string> lane_endpoints;  // Priority=endpoint
  std::string server_concurrency;
  std::size_t server_threads = 0;
  std::size_t max_queued_requests = 0;
  std::string queue_order;
  std::chrono::nanoseconds filter_budget{};
  std::size_t max_connections = 0;
  std::size_t max_connections_per_peer = 0;
  std::chrono::nanoseconds idle_timeout{};
  std::chrono::nanoseconds refusal_delay{};
  std::chrono::nanoseconds message_timeout{};
  std::chrono::nanoseconds send_timeout{};
  std::chrono::nanoseconds shutdown_timeout{};
  std::chrono::nanoseconds hold_timeout{};
  std::size_t held_requests = 0;
  std::chrono::nanoseconds adapter_timeout{};
  std::string adapters_complete;
  std::string adapter_lookup;
  std::string servant_lookup;
  std::string operation_lookup;
  std::vector<std::string> poa_lookups;  // POA:KEY=VALUE,...
  std::string key_mac;
  std::string key_secret_file;

  std::string client_connections;
  std::size_t send_queue_bytes = 0;
  std::vector<std::string> connect_at_start;
  std::string connect_at_start_failure;
  std::chrono::nanoseconds connect_at_start_timeout{};
  std::string accept_bidirectional;
  std::string bidirectional_policy;
  std::size_t bidirectional_threads = 0;
  std::chrono::nanoseconds connect_timeout{};
  std::chrono::nanoseconds round_trip_timeout{};
  std::size_t max_redirections = 0;

  std::size_t send_buffer_bytes = 0;
  std::size_t receive_buffer_bytes = 0;
  std::size_t lent_bytes = 0;
  std::chrono::nanoseconds keep_alive{};
  std::size_t traffic_class = 0;
  std::size_t socket_priority = 0;
  std::vector<std::string> traffic_classes;    // Priority=dscp
  std::vector<std::string> socket_priorities;  // Priority=number
  std::string quality_traffic_class;
  std::chrono::nanoseconds busy_poll{};
  std::string unix_permissions;
  std::size_t datagram_bytes = 0;
  std::size_t datagram_window_bytes = 0;
  std::chrono::nanoseconds datagram_repeat{};
  std::chrono::nanoseconds datagram_probe{};
  std::string multicast_interface;
  std::size_t multicast_hops = 0;
  std::string multicast_loopback;
  std::size_t multicast_bytes = 0;
  std::chrono::nanoseconds multicast_time{};

  std::string tls_certificate;
  std::string tls_key;
  std::string tls_authorities;
  std::string tls_revoked;
  std::string tls_client_certificates;
  std::string tls_server_certificates;
  std::string tls_host_check;
  std::string tls_version;
  std::string tls_ciphers;
  std::string tls_resumption;
  std::chrono::nanoseconds tls_handshake_timeout{};
  std::chrono::nanoseconds tls_expiry_warning{};
  std::string tls_plain_too;
  std::string tls_use;

  std::string scheduling_class;
  std::string priority_mapping;
  std::size_t watch_priority = 0;
  std::vector<std::string> lanes;  // Priority=threads+dynamic
  std::size_t lane_queued_requests = 0;
  std::size_t lane_queued_octets = 0;
  std::string lane_borrowing;
  std::vector<std::string> lane_processors;    // Priority=list
  std::vector<std::string> lane_loads;         // Priority=budget/period
  std::vector<std::string> lane_reservations;  // Priority=budget/period of each thread
  std::string reserve_lane_loads;
  std::size_t max_lane_utilisation = 0;  // percent
  std::string lock_memory;
  std::size_t stack_prefault_bytes = 0;

  std::string giop_version;
  std::string min_giop_version;
  std::string messaging;
  std::string compression;
  std::string compression_methods;
  std::size_t compression_threshold_bytes = 0;
  std::size_t compression_level = 0;
  std::size_t max_expansion = 0;
  std::size_t message_bytes = 0;
  std::size_t connection_memory_bytes = 0;
  std::size_t server_memory_bytes = 0;
  std::size_t client_memory_bytes = 0;
  std::size_t fragment_bytes = 0;
  std::size_t outstanding_requests = 0;
  std::string char_code_set;

  std::string time_probes;
  std::size_t time_probe_records = 0;
  std::string execution_times;

  std::vector<std::string> signals;
  std::chrono::nanoseconds reload_interval{};
  std::string service_notify;

  std::string log_level;
  Warnings warnings;  // shared by all copies of the settings
  void apply_log_level() const;

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
