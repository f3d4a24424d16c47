// The keeper when there is no memory.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

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
  // A process that was not started here.
  void serve(pid_t stranger) {
    EXPECT_TRUE(keeper_.is_running("one", 0, {.reference = "IOR:1", .pid = stranger}, true));
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

TEST(ImrKeeperWithoutMemory, TheEndOfAStrangerIsSeenAfterAnyAllocationOfItsRegistrationHasFailed) {
  const Here here;
  bool has_failed = true;
  int allocation = 0;
  for (; has_failed; ++allocation) {
    SCOPED_TRACE(allocation);
    KeptServer server;
    const pid_t stranger = ::fork();
    if (stranger == 0) {
      ::pause();
      ::_exit(0);
    }
    ASSERT_GT(stranger, 0);
    has_failed = fails_here(allocation, [&] { server.serve(stranger); });
    ::kill(stranger, SIGKILL);
    EXPECT_TRUE(eventually([&] { return server.has_ended(); }));
    ::waitpid(stranger, nullptr, 0);
  }
  EXPECT_GT(allocation, 2);
}

// Without its client the process would never end.
TEST(ImrServerWithoutMemory, AProcessOfOneClientGetsItAfterAnyAllocationHasFailed) {
  const Definition definition{
      .name = "one", .command = {"/bin/one"}, .mode = Mode::per_client, .most_processes = 1};
  const Time now = Time() + 1h;
  const Here here;
  bool has_failed = true;
  int allocation = 0;
  for (; has_failed; ++allocation) {
    SCOPED_TRACE(allocation);
    Server server(definition, Limits(), 1);
    Actions actions;
    std::atomic<int> forwards = 0;
    server.request(std::make_unique<Counted>(forwards), now, actions);
    ASSERT_EQ(actions.spawn.size(), 1u);
    const std::uint64_t start = actions.spawn.front();
    server.spawned(start, 7, actions);
    const auto registers = [&] { EXPECT_TRUE(server.is_running(start, {"IOR:1", {}, 7}, now, actions)); };
    has_failed = fails_here(allocation, registers);
    if (has_failed) registers();
    std::size_t callers = 0;
    for (const auto& forward : actions.forwards) callers += forward.callers.size();
    EXPECT_EQ(callers, 1u);
    EXPECT_EQ(server.waiting(), 0u);
    EXPECT_TRUE(actions.signals.empty());
  }
  EXPECT_GT(allocation, 3);
}

}  // namespace
}  // namespace takt::imr
