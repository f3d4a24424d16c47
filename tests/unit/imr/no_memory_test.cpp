// The keeper when there is no memory.
#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <memory>
#include <optional>
#include <string>

#include "../../failing_memory.h"
#include "imr/service/keeper.h"

namespace takt::imr {
namespace {

using namespace std::chrono_literals;
using takt::test::eventually;
using takt::test::fails_elsewhere;
using takt::test::fails_here;
using takt::test::Here;

// Counts the forwards of requests.
struct Counted final : Caller {
  explicit Counted(std::atomic<int>& to) : forwards(to) {}
  bool forward(const Place&) override {
    ++forwards;
    return true;
  }
  void refuse(const std::string&) override {}

  std::atomic<int>& forwards;
};

// A keeper of one server, whose processes sleep.
class KeptServer {
 public:
  KeptServer() {
    keeper_.begin();
    EXPECT_TRUE(keeper_.add({.name = "one",
                             .command = {"/bin/sleep", "60"},
                             .start_limit = 1'000'000,
                             .longest_start = 60s,
                             .first_pause = 1ms,
                             .longest_pause = 1ms}));
  }
  ~KeptServer() { kill(); }
  KeptServer(const KeptServer&) = delete;
  KeptServer& operator=(const KeptServer&) = delete;

  void request() { keeper_.request("one", std::make_unique<Counted>(forwards)); }
  std::optional<Process> process() const {
    const auto processes = keeper_.look("one")->processes;
    return processes.empty() ? std::nullopt : std::optional(processes.front());
  }
  bool has_started() const {
    const auto its_process = process();
    return its_process && its_process->pid != 0;
  }
  bool has_ended() const { return !process(); }
  void serve() {
    const auto its_process = process();
    ASSERT_TRUE(its_process);
    ASSERT_TRUE(
        keeper_.is_running("one", its_process->start, {.reference = "IOR:1", .pid = its_process->pid}, true));
  }
  void kill() const {
    const auto its_process = process();
    if (its_process && its_process->pid > 0) ::kill(its_process->pid, SIGKILL);
  }

  std::atomic<int> forwards{0};

 private:
  Keeper keeper_{std::nullopt,
                 {},
                 {},
                 {.ping = [](const Place&) { return Server::Pinged::alive; },
                  .exists = [](const std::string&) { return true; },
                  .shut_down = [](const Place&, const std::string&) {},
                  .is_reference = [](const std::string&) { return true; },
                  .ticket = [](const std::string&, const std::string&, std::uint64_t) { return ""; }},
                 [](const std::string&) {}};
};

TEST(ImrKeeperWithoutMemory, StartsAndEndsAreSeenAfterAnyAllocationOfItsThreadsHasFailed) {
  KeptServer server;
  const Here here;
  int failures = 0;
  for (int allocation = 0; allocation < 40; ++allocation) {
    SCOPED_TRACE(allocation);
    const auto started = [&] { return server.has_started(); };
    failures += fails_elsewhere(allocation, [&] { server.request(); }, started);
    ASSERT_TRUE(eventually(started));
    server.serve();
    server.forwards = 0;
    const auto forwarded = [&] { return server.forwards > 0; };
    failures += fails_elsewhere(allocation, [&] { server.request(); }, forwarded);
    ASSERT_TRUE(eventually(forwarded)) << "a ping is repeated";
    const auto ended = [&] { return server.has_ended(); };
    failures += fails_elsewhere(allocation, [&] { server.kill(); }, ended);
    ASSERT_TRUE(eventually(ended));
  }
  EXPECT_GT(failures, 20);
}

TEST(ImrKeeperWithoutMemory, RequestsAreServedAfterAnyAllocationOfARequestHasFailed) {
  KeptServer server;
  const Here here;
  int failures = 0;
  for (int allocation = 0; allocation < 8; ++allocation) {
    SCOPED_TRACE(allocation);
    failures += fails_here(allocation, [&] { server.request(); });
    server.request();
    ASSERT_TRUE(eventually([&] { return server.has_started(); }));
    server.forwards = 0;
    server.serve();
    EXPECT_GT(server.forwards, 0);
    server.forwards = 0;
    failures += fails_here(allocation, [&] { server.request(); });
    server.request();
    ASSERT_TRUE(eventually([&] { return server.forwards > 0; })) << "a ping is repeated";
    server.kill();
    ASSERT_TRUE(eventually([&] { return server.has_ended(); }));
  }
  EXPECT_GT(failures, 3);
}

}  // namespace
}  // namespace takt::imr
