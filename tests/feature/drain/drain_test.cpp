// A server is shut down under load and restarted: no call is lost, none runs twice, and the errors that
// clients get are true.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <ranges>
#include <tuple>

#include "../kept_port.h"
#include "load.h"
#include "process.h"
#include "raw_peer.h"
#include "start_again.h"
#include "strategy.h"

namespace feature {
namespace {

const Strategy strategies[] = {
    {"ThreadPerConnection", {"-ORBServerConcurrency", "thread-per-connection"}},
    {"Reactive", {"-ORBServerConcurrency", "reactive"}},
    {"LeaderFollowers", {"-ORBServerConcurrency", "leader-followers", "-ORBServerThreads", "4"}},
    {"WorkerPool", {"-ORBServerConcurrency", "worker-pool", "-ORBServerThreads", "4"}},
    {"ThreadingFramework", {"-ORBServerConcurrency", "threading-framework", "-ORBServerThreads", "4"}},
};

std::vector<std::uint64_t> read_journal(const std::filesystem::path& path) {
  std::vector<std::uint64_t> ids(std::filesystem::file_size(path) / sizeof(std::uint64_t));
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(ids.data()),
            static_cast<std::streamsize>(ids.size() * sizeof(std::uint64_t)));
  return ids;
}

// Connects as soon as the server listens; null if it does not start.
std::unique_ptr<RawPeer> connected(std::uint16_t port) {
  for (int i = 0; i < 2000; ++i, std::this_thread::sleep_for(5ms)) try {
      return std::make_unique<RawPeer>(port);
    } catch (const std::runtime_error&) {
      continue;
    }
  return nullptr;
}

class Drain : public testing::TestWithParam<std::tuple<Strategy, const char*>> {
 protected:
  Drain()
      : journal(std::filesystem::temp_directory_path() /
                ("takt-drain-" + std::to_string(::getpid()) + "-" + std::to_string(++count))) {}
  ~Drain() override { std::filesystem::remove(journal); }

  void start_server(std::uint16_t at) {
    std::vector<std::string> arguments = std::get<0>(GetParam()).options;
    arguments.insert(arguments.begin(),
                     {journal.string(), "-ORBListenEndpoints", "iiop://127.0.0.1:" + std::to_string(at)});
    server = start_again(TAKT_LEDGER_SERVER, arguments, reference);
    ASSERT_TRUE(server) << "the server does not come up again on port " << at;
    port = Place(reference).port;
  }

  static inline int count = 0;
  const std::filesystem::path journal;
  std::unique_ptr<Process> server;
  std::string reference;
  std::uint16_t port = 0;
};

TEST_P(Drain, UnderLoadLosesNothingAndRunsNothingTwice) {
  constexpr int restarts = 4;
  ASSERT_NO_FATAL_FAILURE(start_server(0));
  const std::vector<std::string> options = {"-ORBClientConnections", std::get<1>(GetParam()),
                                            "-ORBRoundTripTimeout", "20s"};
  const Orb orbs[] = {make_orb(options, "load"), make_orb(options, "load")};
  Load loads[] = {{orbs[0], reference, 4}, {orbs[1], reference, 4}};
  for (int i = 0; i < restarts; ++i) {
    const std::size_t before = loads[0].returned() + loads[1].returned();
    for (int wait = 0; wait < 1000 && loads[0].returned() + loads[1].returned() < before + 200; ++wait)
      std::this_thread::sleep_for(10ms);
    server->signal(SIGTERM);
    ASSERT_TRUE(server->ends_within(15s)) << "the server does not end";
    ASSERT_NO_FATAL_FAILURE(start_server(port));
  }
  for (Load& load : loads)
    if (!load.ends_within(std::chrono::seconds(30))) {
      std::fputs("a client hangs\n", stderr);
      std::abort();  // a join would hang
    }
  std::map<std::uint64_t, int> runs;
  for (const std::uint64_t id : read_journal(journal)) ++runs[id];
  for (const auto& [id, times] : runs) EXPECT_EQ(times, 1) << "call " << id;
  std::size_t returned = 0;
  for (Load& load : loads) {
    const auto outcome = load.stop();
    EXPECT_EQ(outcome.maybe, 0u) << outcome.first_maybe;
    for (const std::uint64_t id : outcome.returned) EXPECT_EQ(runs.count(id), 1u) << "call " << id;
    returned += outcome.returned.size();
    RecordProperty("not_begun", static_cast<int>(outcome.not_begun));
  }
  EXPECT_GE(returned, restarts * 200u);
  for (const Orb& orb : orbs) orb->destroy();
}

class Restart : public testing::TestWithParam<Strategy> {
 protected:
  Restart()
      : journal(std::filesystem::temp_directory_path() / ("takt-restart-" + std::to_string(::getpid()))) {}
  ~Restart() override { std::filesystem::remove(journal); }

  std::vector<std::string> arguments(const std::string& at, const char* adapters_after) const {
    std::vector<std::string> all = GetParam().options;
    all.insert(all.begin(), {journal.string(), "-ORBListenEndpoints", at});
    all.insert(all.end(), {"--adapters-after", adapters_after});
    return all;
  }
  const std::filesystem::path journal;
};

TEST_P(Restart, RequestsWaitForTheAdaptersThatAreStillToBeMade) {
  const KeptPort port;
  auto server = std::make_unique<Process>(TAKT_LEDGER_SERVER, arguments(port.endpoint(), "0"));
  const std::string reference = server->line();
  const Place place(reference);
  const Orb orb = make_orb({}, "load");
  Load load(orb, reference, 8, false);
  std::string again;
  for (int restart = 0; restart < 3; ++restart) {
    const std::size_t before = load.returned();
    for (int wait = 0; wait < 1000 && load.returned() < before + 100; ++wait)
      std::this_thread::sleep_for(10ms);
    server->signal(SIGTERM);
    ASSERT_TRUE(server->ends_within(15s));
    server = std::make_unique<Process>(TAKT_LEDGER_SERVER, arguments(port.endpoint(), "300"));
    const auto asking = connected(place.port);
    ASSERT_TRUE(asking);
    ASSERT_TRUE(asking->send(MessageOctets(3).u32(7).raw({0, 0, 0, 0}).sequence(place.key).finish()));
    const Octets located = asking->receive_message();
    ASSERT_GE(located.size(), 20u);
    EXPECT_EQ(located[16], 1) << "the LocateRequest is answered with OBJECT_HERE";
    again = server->line();
  }
  EXPECT_EQ(again, reference);
  const auto outcome = load.stop();
  EXPECT_EQ(outcome.not_there, 0u);
  EXPECT_GE(outcome.returned.size(), 300u);
  orb->destroy();
}

INSTANTIATE_TEST_SUITE_P(Each, Restart, testing::ValuesIn(strategies),
                         [](const auto& given) { return std::string(given.param.name); });

INSTANTIATE_TEST_SUITE_P(Each, Drain,
                         testing::Combine(testing::ValuesIn(strategies),
                                          testing::Values("exclusive", "cached", "multiplexed",
                                                          "multiplexed-active")),
                         [](const auto& given) {
                           std::string name(std::get<1>(given.param));
                           std::ranges::replace(name, '-', '_');
                           return std::string(std::get<0>(given.param).name) + "_" + name;
                         });

}  // namespace
}  // namespace feature
