// What happens in one run; all of it follows from the seed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "machine/faults.h"

namespace takt::sim {

struct Plan {
  Faults faults;
  // calm: nothing is lost, so that every call must come out well. drained: nothing is but the server, which
  // ends in good order, so that no call may be in doubt.
  enum class Mood : std::uint8_t { calm, drained, trouble };
  Mood mood = Mood::calm;
  bool calm() const { return mood == Mood::calm; }

  std::string_view transport = "iiop";
  bool over_datagrams() const { return transport == "udp"; }
  std::string_view server_strategy = "thread-per-connection";
  unsigned server_threads = 2, run_threads = 1;
  std::string_view client_strategy = "exclusive";
  bool bidirectional = false;  // the client offers its connections for call-backs
  std::size_t fragment_bytes = 0;
  Time round_trip_timeout{std::chrono::seconds(30)}, connect_timeout{std::chrono::seconds(5)};
  Time message_timeout{std::chrono::seconds(30)}, send_timeout{std::chrono::seconds(30)};
  Time idle_timeout{std::chrono::minutes(30)}, shutdown_timeout{std::chrono::seconds(10)};
  unsigned max_connections = 1000, max_queued = 100;
  // A pool of Real-time CORBA, which starts threads and ends them.
  bool with_threadpool = false, buffered = false;
  unsigned dynamic_threads = 0;

  unsigned clients = 2, calls = 4;
  std::size_t most_octets = 1000;
  Time longest_upcall{0}, longest_pause{0};
  bool with_deadlines = false;
  bool with_oneways = true;

  // never: does not happen.
  Time server_ends_at = never, client_ends_at = never, all_cut_at = never;

  // `transport`: "iiop", "udp", or empty for the seed's choice.
  static Plan of(std::uint64_t seed, std::string_view transport);
  std::vector<std::string> server_options() const;
  std::vector<std::string> client_options() const;
  std::string describe() const;
};

}  // namespace takt::sim
