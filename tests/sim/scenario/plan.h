// The plan of one run; the seed determines all of it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "machine/faults.h"

namespace takt::sim {

struct Plan {
  Faults faults;
  // calm: nothing is lost, so every call must succeed. drained: only the server ends, in good order, so no
  // call may be in doubt.
  enum class Mood : std::uint8_t { calm, drained, trouble };
  Mood mood = Mood::calm;
  bool calm() const { return mood == Mood::calm; }

  std::string_view transport = "iiop";
  bool over_datagrams() const { return transport == "udp"; }
  std::string_view server_strategy = "thread-per-connection";
  unsigned server_threads = 2, run_threads = 1;
  std::string_view client_strategy = "exclusive";
  bool bidirectional = false;  // the client offers its connections for callbacks
  std::size_t fragment_bytes = 0;
  Time round_trip_timeout{std::chrono::seconds(30)}, connect_timeout{std::chrono::seconds(5)};
  Time message_timeout{std::chrono::seconds(30)}, send_timeout{std::chrono::seconds(30)};
  Time idle_timeout{std::chrono::minutes(30)}, shutdown_timeout{std::chrono::seconds(10)};
  unsigned max_connections = 1000, max_queued = 100;
  // A Real-time CORBA thread pool, which starts and ends threads.
  bool with_threadpool = false, buffered = false;
  unsigned dynamic_threads = 0;

  unsigned clients = 2, calls = 4;
  std::size_t most_octets = 1000;
  Time longest_upcall{0}, longest_pause{0};
  bool with_deadlines = false;
  bool with_oneways = true;
  unsigned interceptors = 0;  // on both sides of each ORB
  bool interceptors_throw = false;

  // never: does not happen.
  Time server_ends_at = never, client_ends_at = never, all_cut_at = never;

  // `transport`: "iiop", "udp", or empty to let the seed choose.
  static Plan of(std::uint64_t seed, std::string_view transport);
  std::vector<std::string> server_options() const;
  std::vector<std::string> client_options() const;
  std::string describe() const;
};

}  // namespace takt::sim
