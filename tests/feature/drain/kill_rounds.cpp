// Kills either side of calls under load repeatedly, in each architecture and over each transport: the
// survivor must not hang, must reach the other when it is back, and must have no more descriptors, threads,
// memory and mappings than at first.
//
//   kill_rounds [--rounds N] [--seconds S] [--kill server|client] [--server STRATEGY] [--client STRATEGY]
//               [--over iiop|udp|unix|shm|ssliop]
//
// Runs N rounds in all (default 120), over the combinations that the other options leave; ends early, and in
// good order, after S seconds. Prints a line for each combination; returns 1 if anything was found.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <random>
#include <stdexcept>

#include "../../eventually.h"
#include "../folder.h"
#include "certificates.h"
#include "load.h"
#include "process.h"
#include "raw_peer.h"
#include "start_again.h"

namespace feature {
namespace {

using Clock = std::chrono::steady_clock;
using takt::test::eventually;

// The values of -ORBServerConcurrency, and lanes: a reactor for each priority, with and without a queue.
constexpr const char* server_strategies[] = {
    "thread-per-connection", "reactive", "leader-followers", "worker-pool",
    "threading-framework",   "lanes",    "queued-lanes"};
constexpr const char* client_strategies[] = {"exclusive", "cached", "multiplexed", "multiplexed-active"};
constexpr const char* victims[] = {"server", "client"};
constexpr const char* transports[] = {"iiop", "udp", "unix", "shm", "ssliop"};
constexpr unsigned threads_of_load = 3;
constexpr std::size_t memory_allowance_kib = 16 * 1024;  // total over all rounds; more is a leak
constexpr int warm_up_rounds = 2;                        // rounds before memory is first measured

struct Options {
  int rounds = 120;
  std::chrono::seconds time{1'000'000};
  std::string kill, server, client, over;  // empty: all
};

// Resources of a process.
struct Holdings {
  std::size_t descriptors = 0, threads = 0, shared_mappings = 0, memory_kib = 0;
};

Holdings holdings_of(pid_t process) {
  const std::string folder = "/proc/" + std::to_string(process);
  const auto count = [&](const char* what) {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder + what), {}));
  };
  Holdings holdings{count("/fd"), count("/task")};
  std::ifstream maps(folder + "/maps"), status(folder + "/status");
  for (std::string line; std::getline(maps, line);) holdings.shared_mappings += line.contains("memfd:");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmRSS:")) holdings.memory_kib = std::stoul(line.substr(6));
  return holdings;
}

struct Found : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The TLS port in the reference's component, which is little-endian.
std::uint16_t tls_port_of(const std::string& ior) {
  constexpr std::string_view tag_and_length = "1400000008000000";
  constexpr std::size_t before_port = 6 * 2;  // the byte order, and two unsigned shorts at a multiple of two
  const std::size_t component = ior.find(tag_and_length);
  if (component == ior.npos) throw Found("the reference has no port for TLS");
  const auto octet = [&](std::size_t i) {
    return std::stoul(ior.substr(component + tag_and_length.size() + before_port + 2 * i, 2), nullptr, 16);
  };
  return static_cast<std::uint16_t>(octet(0) | octet(1) << 8);
}

// Sets TLS options in the environment, for all processes started from here on.
class TlsForAll {
 public:
  TlsForAll() {
    const auto own = authority_.issue({.name = "both"});
    ::setenv("TAKT_TLS_CERTIFICATE", own.certificate_file.c_str(), 1);
    ::setenv("TAKT_TLS_KEY", own.key_file.c_str(), 1);
    ::setenv("TAKT_TLS_AUTHORITIES", authority_.file().c_str(), 1);
  }

 private:
  const takt::test::Authority authority_;
};

void expect_soon(const char* what, const std::function<bool()>& holds) {
  if (!eventually(holds)) throw Found(what);
}

// Some rounds of one combination of victim, strategies and transport.
class Rounds {
 public:
  Rounds(std::string server, std::string client, std::string_view over)
      : server_(std::move(server)), client_(std::move(client)), over_(over) {
    endpoint_ = has_port() ? over_ + "://127.0.0.1:0" : over_ + ":" + folder_ / "ledger";
    elsewhere_ = has_port() ? endpoint_ : over_ + ":" + folder_ / "others";
  }

  void kill_servers(int rounds, Clock::time_point end) {
    const Orb orb = make_orb(client_options(), "load");
    std::optional<Holdings> first;
    auto server = start_server();
    Load load(orb, reference_, threads_of_load, false);
    for (done_ = 0; done_ < rounds && Clock::now() < end; ++done_) {
      under_way(load);
      server->kill();
      server = start_server();
      under_way(load);
      expect_given_back(::getpid(), first);
      if (done_ == warm_up_rounds) first = settled(::getpid());
    }
    if (!load.ends_within(30s)) throw Found("a calling thread hangs");
    const auto outcome = load.stop();
    maybe_ += outcome.maybe;
    orb->destroy();
  }

  void kill_clients(int rounds, Clock::time_point end) {
    auto server = start_server();
    const Orb orb = make_orb(client_options(), "load");
    Load survivor(orb, reference_, 1, false);
    kill_a_client(survivor);  // makes the server start everything it will ever start
    Holdings first = settled(server->id());
    for (done_ = 0; done_ < rounds && Clock::now() < end; ++done_) {
      kill_a_client(survivor);
      expect_given_back(server->id(), first);
      if (done_ == warm_up_rounds) first.memory_kib = holdings_of(server->id()).memory_kib;
    }
    if (!survivor.ends_within(30s)) throw Found("a calling thread hangs");
    const auto outcome = survivor.stop();
    if (outcome.maybe > 0) throw Found("another client's call failed: " + outcome.first_maybe);
    orb->destroy();
    server->signal(SIGTERM);
    if (!server->ends_within(20s)) throw Found("the server does not shut down");
  }

  int done() const { return done_; }
  std::size_t maybe() const { return maybe_; }

 private:
  bool has_port() const { return over_ == "iiop" || over_ == "udp" || over_ == "ssliop"; }
  std::vector<std::string> client_options() const {
    return {"-ORBClientConnections", client_, "-ORBRoundTripTimeout", "10s", "-ORBConnectTimeout", "10s"};
  }
  // Always at the same endpoint.
  std::unique_ptr<Process> start_server() {
    std::vector<std::string> arguments{"/dev/null"};
    if (server_.ends_with("lanes"))
      arguments.insert(arguments.end(), {"-ORBListenEndpoints", elsewhere_, "-ORBLanes", "10=2,40=1",
                                         "-ORBLaneEndpoints", "10=" + endpoint_, "-ORBSchedulingClass",
                                         "other", "-ORBLaneQueuedRequests", server_ == "lanes" ? "0" : "50"});
    else
      arguments.insert(arguments.end(), {"-ORBListenEndpoints", endpoint_, "-ORBServerConcurrency", server_});
    // Over UDP, only probes detect that a client has gone.
    if (over_ == "udp")
      arguments.insert(arguments.end(),
                       {"-ORBIdleTimeout", "1s", "-ORBMessageTimeout", "2s", "-ORBSendTimeout", "2s"});
    // The log's thread runs from the start, so that it does not count as one that stays.
    arguments.insert(arguments.end(), {"-ORBLogLevel", "info", "-ORBLogFile", "/dev/null"});
    auto server = start_again(TAKT_LEDGER_SERVER, arguments, reference_);
    if (!server) throw Found("the server does not come up at " + endpoint_);
    if (has_port()) {
      const auto port = over_ == "ssliop" ? tls_port_of(reference_) : Place(reference_).port;
      endpoint_ = over_ + "://127.0.0.1:" + std::to_string(port);
    }
    return server;
  }
  void kill_a_client(const Load& survivor) {
    Process client("/proc/self/exe", {"--load", reference_, client_});
    if (client.line() != "calling") throw Found("a new client is not served");
    client.kill();
    under_way(survivor);
  }
  // Waits until calls succeed, at a moment that differs from round to round.
  void under_way(const Load& load) {
    const std::size_t before = load.returned();
    const std::size_t more = 10 + random_() % 50;
    expect_soon("calls do not return", [&] { return load.returned() >= before + more; });
  }
  // Resources after closed connections have been released.
  static Holdings settled(pid_t process) {
    constexpr int looks = 10;
    Holdings last;
    int same = 0;
    expect_soon("descriptors, threads or mappings keep changing", [&] {
      const Holdings now = holdings_of(process);
      const bool as_before = now.descriptors == last.descriptors && now.threads == last.threads &&
                             now.shared_mappings == last.shared_mappings;
      same = as_before ? same + 1 : 0;
      last = now;
      return same == looks;
    });
    return last;
  }
  // Without a first measurement there is nothing to compare with.
  static void expect_given_back(pid_t survivor, const std::optional<Holdings>& first) {
    if (!first) return;
    Holdings now;
    const auto within = [&] {
      now = holdings_of(survivor);
      if (now.memory_kib > first->memory_kib + memory_allowance_kib) throw Found("memory grows");
      return now.descriptors <= first->descriptors && now.threads <= first->threads &&
             now.shared_mappings <= first->shared_mappings;
    };
    if (eventually(within)) return;
    throw Found("what dead peers had stays: " + std::to_string(now.descriptors) + " descriptors, " +
                std::to_string(now.threads) + " threads and " + std::to_string(now.shared_mappings) +
                " mappings, at first " + std::to_string(first->descriptors) + ", " +
                std::to_string(first->threads) + " and " + std::to_string(first->shared_mappings));
  }

  const std::string server_, client_;
  const std::string over_;
  const Folder folder_;
  std::string endpoint_, elsewhere_, reference_;
  std::mt19937 random_{std::random_device()()};
  int done_ = 0;
  std::size_t maybe_ = 0;
};

Options read_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i], value = argv[i + 1];
    if (name == "--rounds")
      options.rounds = std::stoi(value);
    else if (name == "--seconds")
      options.time = std::chrono::seconds(std::stol(value));
    else if (name == "--kill")
      options.kill = value;
    else if (name == "--server")
      options.server = value;
    else if (name == "--client")
      options.client = value;
    else if (name == "--over")
      options.over = value;
    else
      throw std::invalid_argument("no such option: " + name);
  }
  return options;
}

// Makes calls until it is killed.
int be_loaded_client(const char* ledger, const char* connections) {
  const Orb orb = make_orb({"-ORBClientConnections", connections}, "load");
  Load load(orb, ledger, threads_of_load);
  expect_soon("the first calls do not return", [&] { return load.returned() >= 20; });
  std::puts("calling");
  std::fflush(stdout);
  for (;;) ::pause();
}

int run(const Options& options) {
  const auto end = Clock::now() + options.time;
  const auto wanted = [](const std::string& only, const char* what) { return only.empty() || only == what; };
  std::vector<std::array<const char*, 4>> combinations;
  for (const char* over : transports)
    for (const char* victim : victims)
      for (const char* server : server_strategies)
        for (const char* client : client_strategies)
          if (wanted(options.over, over) && wanted(options.kill, victim) && wanted(options.server, server) &&
              wanted(options.client, client))
            combinations.push_back({over, victim, server, client});
  if (combinations.empty()) throw std::invalid_argument("no combination is left");
  const TlsForAll tls;
  int left = options.rounds, total = 0, failed = 0;
  auto combinations_left = static_cast<int>(combinations.size());
  for (const auto& [over, victim, server, client] : combinations) {
    const int share = left / combinations_left--;
    left -= share;
    Rounds rounds(server, client, over);
    std::string found = "nothing found";
    try {
      std::strcmp(victim, "server") == 0 ? rounds.kill_servers(share, end) : rounds.kill_clients(share, end);
    } catch (const std::exception& problem) {
      found = std::string("FOUND: ") + problem.what();
      ++failed;
    }
    total += rounds.done();
    std::printf("%-6s %-6s killed, server %-21s client %-18s %4d rounds, %5zu calls of unknown outcome: %s\n",
                over, victim, server, client, rounds.done(), rounds.maybe(), found.c_str());
    std::fflush(stdout);
  }
  std::printf("%d rounds, %d combinations with findings\n", total, failed);
  return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace feature

int main(int argc, char** argv) {
  if (argc == 4 && std::strcmp(argv[1], "--load") == 0) return feature::be_loaded_client(argv[2], argv[3]);
  try {
    return feature::run(feature::read_options(argc, argv));
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "kill_rounds: %s\n", problem.what());
    return 2;
  }
}
