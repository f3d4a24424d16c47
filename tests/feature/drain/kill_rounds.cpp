// Kills either side of calls under load, again and again, in each architecture: the survivor must not hang,
// must reach the other when it is back, and must have no more descriptors, threads and memory than at first.
//
//   kill_rounds [--rounds N] [--seconds S] [--kill server|client] [--server STRATEGY] [--client STRATEGY]
//
// N rounds in all (32), over the combinations that the other options leave; ends early, and in good order,
// after S seconds. Prints a line for each combination; returns 1 if anything was found.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <random>
#include <stdexcept>

#include "load.h"
#include "process.h"
#include "raw_peer.h"

namespace feature {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* server_strategies[] = {"thread-per-connection", "reactive", "leader-followers",
                                             "worker-pool", "threading-framework"};
constexpr const char* client_strategies[] = {"exclusive", "cached", "multiplexed", "multiplexed-active"};
constexpr const char* victims[] = {"server", "client"};
constexpr unsigned threads_of_load = 3;
constexpr std::size_t memory_allowance_kib = 16 * 1024;  // more than that over all rounds is a leak
constexpr int warm_up_rounds = 2;                        // before memory is looked at for the first time

struct Options {
  int rounds = 32;
  std::chrono::seconds time{1'000'000};
  std::string kill, server, client;  // empty: each
};

// What a process has, as the system sees it.
struct Holdings {
  std::size_t descriptors = 0, threads = 0, memory_kib = 0;
};

Holdings holdings_of(pid_t process) {
  const std::string folder = "/proc/" + std::to_string(process);
  const auto count = [&](const char* what) {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder + what), {}));
  };
  Holdings holdings{count("/fd"), count("/task"), 0};
  std::ifstream status(folder + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmRSS:")) holdings.memory_kib = std::stoul(line.substr(6));
  return holdings;
}

bool soon(const std::function<bool()>& holds) {
  const auto until = Clock::now() + 20s;
  for (; Clock::now() < until; std::this_thread::sleep_for(2ms))
    if (holds()) return true;
  return false;
}

struct Found : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void expect_soon(const char* what, const std::function<bool()>& holds) {
  if (!soon(holds)) throw Found(what);
}

// One combination of victim and strategies, for some rounds.
class Rounds {
 public:
  Rounds(std::string server, std::string client) : server_(std::move(server)), client_(std::move(client)) {}

  void kill_servers(int rounds, Clock::time_point end) {
    const Orb orb = make_orb(client_options(), "load");
    std::optional<Holdings> first;
    auto server = start_server(0);
    Load load(orb, port_, threads_of_load, false);
    for (done_ = 0; done_ < rounds && Clock::now() < end; ++done_) {
      under_way(load);
      server->kill();
      server = start_server(port_);
      under_way(load);
      expect_soon("descriptors or threads of dead connections stay",
                  [&] { return within(holdings_of(::getpid()), first); });
      if (done_ == warm_up_rounds) first = holdings_of(::getpid());
    }
    if (!load.ends_within(30s)) throw Found("a calling thread hangs");
    const auto outcome = load.stop();
    maybe_ += outcome.maybe;
    orb->destroy();
  }

  void kill_clients(int rounds, Clock::time_point end) {
    auto server = start_server(0);
    const Orb orb = make_orb(client_options(), "load");
    Load survivor(orb, port_, 1, false);
    under_way(survivor);
    Holdings first = holdings_of(server->id());
    for (done_ = 0; done_ < rounds && Clock::now() < end; ++done_) {
      Process client("/proc/self/exe", {"--load", std::to_string(port_), client_});
      if (client.line() != "calling") throw Found("a new client is not served");
      client.kill();
      under_way(survivor);
      expect_soon("descriptors or threads of dead clients stay",
                  [&] { return within(holdings_of(server->id()), first); });
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
  std::vector<std::string> client_options() const {
    return {"-ORBClientConnections", client_, "-ORBRoundTripTimeout", "10s", "-ORBConnectTimeout", "10s"};
  }
  std::unique_ptr<Process> start_server(std::uint16_t at) {
    auto server = std::make_unique<Process>(
        TAKT_LEDGER_SERVER,
        std::vector<std::string>{"/dev/null", "-ORBListenEndpoints", "iiop://127.0.0.1:" + std::to_string(at),
                                 "-ORBServerConcurrency", server_});
    const std::string reference = server->line();
    if (reference.empty()) throw Found("the server does not come up on port " + std::to_string(at));
    port_ = Place(reference).port;
    return server;
  }
  // Every thread gets through, in some moment that differs from round to round.
  void under_way(const Load& load) {
    const std::size_t before = load.returned();
    const std::size_t more = 10 + random_() % 50;
    expect_soon("calls do not return", [&] { return load.returned() >= before + more; });
  }
  // Without a first look there is nothing to compare with.
  static bool within(const Holdings& now, const std::optional<Holdings>& first) {
    if (!first) return true;
    if (now.memory_kib > first->memory_kib + memory_allowance_kib) throw Found("memory grows");
    return now.descriptors <= first->descriptors && now.threads <= first->threads;
  }

  const std::string server_, client_;
  std::mt19937 random_{std::random_device()()};
  std::uint16_t port_ = 0;
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
    else
      throw std::invalid_argument("no such option: " + name);
  }
  return options;
}

// Calls until it is killed.
int be_loaded_client(const char* port, const char* connections) {
  const Orb orb = make_orb({"-ORBClientConnections", connections}, "load");
  Load load(orb, static_cast<std::uint16_t>(std::stoi(port)), threads_of_load);
  while (load.returned() < 20) std::this_thread::sleep_for(1ms);
  std::puts("calling");
  std::fflush(stdout);
  for (;;) ::pause();
}

int run(const Options& options) {
  const auto end = Clock::now() + options.time;
  const auto wanted = [](const std::string& only, const char* what) { return only.empty() || only == what; };
  std::vector<std::array<const char*, 3>> combinations;
  for (const char* victim : victims)
    for (const char* server : server_strategies)
      for (const char* client : client_strategies)
        if (wanted(options.kill, victim) && wanted(options.server, server) && wanted(options.client, client))
          combinations.push_back({victim, server, client});
  int left = options.rounds, total = 0, failed = 0;
  auto combinations_left = static_cast<int>(combinations.size());
  for (const auto& [victim, server, client] : combinations) {
    const int share = left / combinations_left--;
    left -= share;
    Rounds rounds(server, client);
    std::string found = "nothing found";
    try {
      std::strcmp(victim, "server") == 0 ? rounds.kill_servers(share, end) : rounds.kill_clients(share, end);
    } catch (const std::exception& problem) {
      found = std::string("FOUND: ") + problem.what();
      ++failed;
    }
    total += rounds.done();
    std::printf("%-6s killed, server %-21s client %-11s %4d rounds, %5zu calls of unknown outcome: %s\n",
                victim, server, client, rounds.done(), rounds.maybe(), found.c_str());
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
