// When servers are started, and what becomes of the requests that wait for them: the model alone, with
// invented times.
#include "imr/model/server.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace takt::imr {
namespace {

using namespace std::chrono_literals;

struct Outcome {
  int forwards = 0, refusals = 0;
  std::string place, why;
};

class TestCaller final : public Caller {
 public:
  explicit TestCaller(std::shared_ptr<Outcome> outcome) : outcome_(std::move(outcome)) {}
  bool forward(const Place& place) override {
    ++outcome_->forwards;
    outcome_->place = place.reference;
    return true;
  }
  void refuse(const std::string& why) override {
    ++outcome_->refusals;
    outcome_->why = why;
  }

 private:
  const std::shared_ptr<Outcome> outcome_;
};

Definition one(Mode mode = Mode::normal) {
  Definition definition;
  definition.name = "one";
  definition.command = {"/bin/one"};
  definition.mode = mode;
  definition.start_limit = 3;
  definition.longest_start = 1s;
  definition.longest_stop = 2s;
  definition.first_pause = 100ms;
  definition.longest_pause = 300ms;
  return definition;
}

// Plays the service: keeps the actions, and gives the answers.
class ServerTest : public testing::Test {
 protected:
  using Call = std::shared_ptr<Outcome>;

  Call request() {
    auto outcome = std::make_shared<Outcome>();
    Actions actions;
    server.request(std::make_unique<TestCaller>(outcome), now, actions);
    take(actions);
    return outcome;
  }
  void take(const Actions& actions) {
    for (const auto& [callers, place, start] : actions.forwards)
      for (const auto& caller : callers) caller->forward(*place);
    for (const auto& [callers, why] : actions.refusals)
      for (const auto& caller : callers) caller->refuse(why);
    starts.insert(starts.end(), actions.spawn.begin(), actions.spawn.end());
    pings.insert(pings.end(), actions.pings.begin(), actions.pings.end());
    signals.insert(signals.end(), actions.signals.begin(), actions.signals.end());
    shutdowns += actions.shutdowns.size();
  }
  template <class Event>
  void happens(const Event& event) {
    Actions actions;
    event(actions);
    take(actions);
  }
  void pass(std::chrono::milliseconds time) {
    now += time;
    happens([&](Actions& actions) { server.tick(now, actions); });
  }
  void spawned(std::int32_t pid) {
    happens([&](Actions& actions) { server.spawned(starts.back(), pid, actions); });
  }
  void dies(bool clean = false) {
    happens([&](Actions& actions) {
      server.died(starts.back(), clean, "ended with exit status 1", now, actions);
    });
  }
  std::string runs(std::uint64_t start, std::int32_t pid, bool local = true) {
    std::string why;
    happens([&](Actions& actions) {
      const auto taken = server.is_running(
          start, {.reference = std::to_string(pid), .pid = pid, .local = local}, now, actions);
      if (!taken) why = taken.error().why;
    });
    return why;
  }
  void pinged(Server::Pinged result) {
    happens([&](Actions& actions) { server.pinged(pings.back().start, result, now, actions); });
  }
  // A process that runs.
  void bring_up(std::int32_t pid) {
    request();
    spawned(pid);
    EXPECT_EQ(runs(starts.back(), pid), "");
  }

  Time now = Time() + 1h;
  Server server{one(), Limits(), 1};
  std::vector<std::uint64_t> starts;
  std::vector<Actions::Ping> pings;
  std::vector<Actions::Signal> signals;
  std::size_t shutdowns = 0;
};

TEST_F(ServerTest, StartsOnceForAllRequests) {
  std::vector<Call> calls;
  for (int i = 0; i < 1000; ++i) calls.push_back(request());
  EXPECT_EQ(starts.size(), 1u);
  spawned(7);
  EXPECT_EQ(runs(starts[0], 7), "");
  for (const Call& call : calls) EXPECT_EQ(call->forwards, 1);
  EXPECT_EQ(calls[0]->place, "7");
  EXPECT_EQ(server.waiting(), 0u);
}

TEST_F(ServerTest, PingsBeforeItForwards) {
  bring_up(7);
  const Call first = request(), second = request();
  EXPECT_EQ(first->forwards, 0);
  ASSERT_EQ(pings.size(), 1u);
  now += 1ms;
  const Call later = request();
  EXPECT_EQ(pings.size(), 1u) << "one ping at a time";
  pinged(Server::Pinged::alive);
  EXPECT_EQ(first->forwards + second->forwards, 2);
  EXPECT_EQ(later->forwards, 0) << "the ping began before the request came";
  ASSERT_EQ(pings.size(), 2u);
  pinged(Server::Pinged::unclear);
  EXPECT_EQ(later->forwards, 1);
}

TEST_F(ServerTest, WaitsForTheEndOfAProcessThatDoesNotAnswer) {
  bring_up(7);
  const Call call = request();
  pinged(Server::Pinged::gone);
  EXPECT_EQ(pings.size(), 1u);
  pass(20ms);
  EXPECT_EQ(pings.size(), 2u);
  dies();
  pinged(Server::Pinged::gone);
  EXPECT_EQ(starts.size(), 1u) << "a pause follows a failure";
  pass(100ms);
  EXPECT_EQ(starts.size(), 2u);
  EXPECT_EQ(runs(starts[1], 8), "");
  EXPECT_EQ(call->place, "8");
}

TEST_F(ServerTest, PausesGrowAndTheLimitEndsThem) {
  const Call first = request();
  dies();
  EXPECT_EQ(server.next(), now + 100ms);
  pass(99ms);
  EXPECT_EQ(starts.size(), 1u);
  pass(1ms);
  EXPECT_EQ(starts.size(), 2u);
  dies();
  EXPECT_EQ(server.next(), now + 200ms);
  pass(200ms);
  EXPECT_EQ(starts.size(), 3u);
  EXPECT_EQ(first->refusals, 0);
  dies();
  EXPECT_EQ(first->refusals, 1);
  EXPECT_EQ(
      first->why,
      "one has failed 3 times in a row and is not started again before `takt imr start one`; the last time "
      "it ended with exit status 1 before it took its place");
  EXPECT_EQ(server.phase(now), Phase::failed);
  pass(1h);
  EXPECT_EQ(request()->refusals, 1);
  EXPECT_EQ(starts.size(), 3u);
  happens([&](Actions& actions) { EXPECT_TRUE(server.start(now, actions)); });
  EXPECT_EQ(starts.size(), 4u);
  EXPECT_EQ(runs(starts[3], 9), "");
}

TEST_F(ServerTest, FailuresAreForgottenAfterAWhile) {
  bring_up(7);
  dies();
  EXPECT_EQ(server.in_a_row(), 1u);
  pass(100ms);
  bring_up(8);
  pass(10s);
  dies();
  EXPECT_EQ(server.in_a_row(), 1u);
}

TEST_F(ServerTest, RequestsWaitAsLongAsTheDefinitionSaysNow) {
  Definition definition = one();
  definition.longest_start = 1h;
  server.change(definition);
  const Call first = request();
  pass(500ms);
  server.change(one());
  const Call second = request();
  EXPECT_EQ(server.next(), now + 500ms);
  pass(500ms);
  EXPECT_EQ(first->why, "one did not come up within 1 s");
  EXPECT_EQ(second->refusals, 0);
  pass(500ms);
  EXPECT_EQ(second->refusals, 1);
}

TEST_F(ServerTest, KillsAStartThatTakesTooLong) {
  const Call call = request();
  spawned(7);
  pass(999ms);
  EXPECT_EQ(call->refusals, 0);
  pass(1ms);
  EXPECT_EQ(call->refusals, 1);
  EXPECT_EQ(call->why, "one did not come up within 1 s; the last time it did not take its place within 1 s");
  ASSERT_EQ(signals.size(), 1u);
  EXPECT_TRUE(signals[0].kill && signals[0].group && signals[0].pid == 7);
  EXPECT_EQ(runs(starts[0], 7), "the process was told to end");
  request();
  EXPECT_EQ(starts.size(), 1u) << "the first is not gone yet";
  dies();
  pass(100ms);
  EXPECT_EQ(starts.size(), 2u);
  EXPECT_EQ(server.in_a_row(), 1u) << "its end is no second failure";
}

TEST_F(ServerTest, RefusesASecondProcess) {
  bring_up(7);
  EXPECT_EQ(runs(0, 8), "process 7 has its place");
  EXPECT_EQ(runs(starts[0], 8), "process 7 of the same start has the place");
  EXPECT_EQ(runs(0, 7), "") << "it is the same";
  EXPECT_EQ(server.processes().size(), 1u);
}

// As of a script that starts the server again.
TEST_F(ServerTest, AStartMayHaveOneProcessAfterAnother) {
  request();
  spawned(7);
  EXPECT_EQ(runs(starts[0], 71), "");
  EXPECT_EQ(runs(starts[0], 72), "process 71 of the same start has the place");
  happens([&](Actions& actions) { server.lost(starts[0], now, actions); });
  EXPECT_EQ(server.phase(now), Phase::starting);
  const Call call = request();
  EXPECT_EQ(runs(starts[0], 72), "");
  EXPECT_EQ(call->place, "72");
  EXPECT_EQ(starts.size(), 1u);
  happens([&](Actions& actions) { server.lost(starts[0], now, actions); });
  pass(1s);
  ASSERT_EQ(signals.size(), 1u) << "no other process has come";
  EXPECT_TRUE(signals[0].kill);
}

TEST_F(ServerTest, AProcessThatServesNoMoreButStaysIsReplaced) {
  bring_up(7);
  request();
  for (int i = 0; i < 100; ++i) {
    pinged(Server::Pinged::gone);
    EXPECT_TRUE(signals.empty());
    pass(20ms);
    if (server.waiting() == 0) request();
  }
  pinged(Server::Pinged::gone);
  ASSERT_EQ(signals.size(), 1u);
  EXPECT_FALSE(signals[0].kill);
  EXPECT_EQ(server.last_failure(), "did not answer any more");
  pass(2s);
  ASSERT_EQ(signals.size(), 2u);
  EXPECT_TRUE(signals[1].kill);
  request();
  dies();
  EXPECT_EQ(starts.size(), 2u);
}

TEST_F(ServerTest, AProcessOfTheOwnersReplacesAStart) {
  const Call call = request();
  spawned(7);
  EXPECT_EQ(runs(0, 8), "");
  EXPECT_EQ(call->place, "8");
  ASSERT_EQ(signals.size(), 1u);
  EXPECT_FALSE(signals[0].kill);
  EXPECT_EQ(runs(starts[0], 7), "the process was told to end");
  dies();
  EXPECT_EQ(server.counts().failures, 0u);
}

TEST_F(ServerTest, AProcessElsewhereIsLostWhenItDoesNotAnswer) {
  EXPECT_EQ(runs(0, 8, false), "");
  EXPECT_EQ(runs(0, 9, false), "a process elsewhere has its place");
  const Call call = request();
  pinged(Server::Pinged::gone);
  EXPECT_EQ(starts.size(), 1u) << "it is started here, without a pause";
  EXPECT_EQ(runs(starts[0], 10), "");
  EXPECT_EQ(call->place, "10");
}

TEST_F(ServerTest, AProcessElsewhereThatCannotBeReachedLosesItsPlaceAfterAWhile) {
  EXPECT_EQ(runs(0, 8, false), "");
  const Call call = request();
  pinged(Server::Pinged::unreachable);
  EXPECT_EQ(call->forwards, 0);
  pass(20ms);
  ASSERT_EQ(pings.size(), 2u);
  pinged(Server::Pinged::alive);
  EXPECT_EQ(call->place, "8") << "the network had failed for a moment";
  Call later = request();
  for (int i = 0; i < 150; ++i) {
    pinged(Server::Pinged::unreachable);
    EXPECT_TRUE(starts.empty());
    pass(20ms);
    if (server.waiting() == 0) later = request();
  }
  pinged(Server::Pinged::unreachable);
  ASSERT_EQ(starts.size(), 1u) << "it is started here";
  EXPECT_EQ(runs(starts[0], 9), "");
  EXPECT_EQ(later->place, "9");
}

TEST_F(ServerTest, AProcessHereThatIsTooBusyForConnectionsKeepsItsClients) {
  bring_up(7);
  const Call call = request();
  pinged(Server::Pinged::unreachable);
  EXPECT_EQ(call->place, "7");
}

TEST_F(ServerTest, AProcessElsewhereThatWasAskedToEndTellsItsEnd) {
  runs(0, 8, false);
  happens([&](Actions& actions) { server.stop(now, actions); });
  EXPECT_EQ(shutdowns, 1u);
  EXPECT_EQ(server.phase(now), Phase::stopping);
  happens([&](Actions& actions) { server.is_ending(0, 8, now, actions); });
  EXPECT_EQ(server.phase(now), Phase::stopped);
}

TEST_F(ServerTest, StopsWhatRunsAndWhatStarts) {
  request();
  happens([&](Actions& actions) { server.stop(now, actions); });
  EXPECT_TRUE(signals.empty()) << "its number is not known yet";
  spawned(7);
  ASSERT_EQ(signals.size(), 1u);
  EXPECT_FALSE(signals[0].kill);
  pass(2s);
  ASSERT_EQ(signals.size(), 2u);
  EXPECT_TRUE(signals[1].kill);
  const Call call = request();
  dies();
  EXPECT_EQ(starts.size(), 2u) << "a request starts it again, once the old process is gone";
  EXPECT_EQ(call->refusals, 0);
}

TEST_F(ServerTest, KillsAProcessWhoseTimePassedBeforeItsNumberWasKnown) {
  request();
  pass(1s);
  EXPECT_TRUE(signals.empty());
  spawned(7);
  ASSERT_EQ(signals.size(), 1u);
  EXPECT_TRUE(signals[0].kill);
}

TEST_F(ServerTest, KillsAProcessThatSaysItEndsAndHangs) {
  bring_up(7);
  happens([&](Actions& actions) { server.is_ending(starts[0], 7, now, actions); });
  const Call call = request();
  pass(500ms);
  EXPECT_TRUE(signals.empty()) << "it may end by itself";
  happens([&](Actions& actions) { server.is_ending(starts[0], 7, now, actions); });
  pass(1500ms);
  ASSERT_EQ(signals.size(), 1u) << "saying it again gives it no more time";
  EXPECT_TRUE(signals[0].kill);
  EXPECT_EQ(signals[0].pid, 7);
  const Call later = request();
  dies();
  ASSERT_EQ(starts.size(), 2u);
  spawned(8);
  runs(starts[1], 8);
  EXPECT_EQ(later->place, "8");
}

TEST_F(ServerTest, WaitsForAProcessThatStopsWithoutBeingWoken) {
  bring_up(7);
  const Call call = request();
  pinged(Server::Pinged::gone);
  happens([&](Actions& actions) { server.stop(now, actions); });
  request();
  pass(30ms);
  EXPECT_GT(server.next(), now);
}

TEST_F(ServerTest, ManualServersStartByTheirOwnerOnly) {
  server.change(one(Mode::manual));
  EXPECT_EQ(request()->why, "one does not run, and requests do not start it; `takt imr start one` does");
  happens([&](Actions& actions) { EXPECT_TRUE(server.start(now, actions)); });
  const Call call = request();
  EXPECT_EQ(starts.size(), 1u);
  runs(starts[0], 7);
  EXPECT_EQ(call->forwards, 1);
}

TEST_F(ServerTest, AutomaticServersStartAgain) {
  server.change(one(Mode::automatic));
  happens([&](Actions& actions) { server.begin(now, actions); });
  ASSERT_EQ(starts.size(), 1u);
  spawned(7);
  runs(starts[0], 7);
  dies();
  pass(100ms);
  ASSERT_EQ(starts.size(), 2u);
  dies();
  pass(200ms);
  ASSERT_EQ(starts.size(), 3u) << "also if a start fails";
  runs(starts[2], 8);
  happens([&](Actions& actions) { server.stop(now, actions); });
  dies();
  pass(1h);
  EXPECT_EQ(starts.size(), 3u) << "its owner has stopped it";
}

TEST_F(ServerTest, AutomaticServersStartAgainAfterOneThatDidNotAnswer) {
  server.change(one(Mode::automatic));
  happens([&](Actions& actions) { server.begin(now, actions); });
  spawned(7);
  runs(starts[0], 7);
  request();
  pinged(Server::Pinged::gone);
  pass(2s);
  request();
  pinged(Server::Pinged::gone);
  ASSERT_EQ(signals.size(), 1u);
  pass(1s);
  EXPECT_EQ(server.waiting(), 0u) << "no request starts it";
  dies();
  EXPECT_EQ(starts.size(), 2u);
}

TEST_F(ServerTest, AutomaticServersThatAlwaysEndAtOncePauseLikeOthers) {
  server.change(one(Mode::automatic));
  happens([&](Actions& actions) { server.begin(now, actions); });
  for (const auto pause : {100ms, 200ms}) {
    const std::size_t before = starts.size();
    runs(starts.back(), 7);
    dies(true);
    EXPECT_EQ(starts.size(), before) << "although it has ended with success";
    EXPECT_EQ(server.next(), now + pause);
    pass(pause);
    EXPECT_EQ(starts.size(), before + 1);
  }
  runs(starts.back(), 7);
  dies(true);
  EXPECT_EQ(server.phase(now), Phase::failed);
}

TEST_F(ServerTest, AProcessThatSaysTwiceThatItRunsGetsNoSecondClient) {
  server.change(one(Mode::per_client));
  const Call first = request();
  runs(starts[0], 7);
  EXPECT_EQ(first->forwards, 1);
  const Call second = request();
  runs(starts[0], 7);
  EXPECT_EQ(second->forwards, 0);
}

TEST_F(ServerTest, EachClientHasAProcessOfItsOwn) {
  Definition definition = one(Mode::per_client);
  definition.most_processes = 2;
  server.change(definition);
  const Call first = request(), second = request(), third = request();
  ASSERT_EQ(starts.size(), 2u);
  runs(starts[1], 8);
  EXPECT_EQ(first->place, "8") << "the one that has waited longest";
  runs(starts[0], 7);
  EXPECT_EQ(second->place, "7");
  EXPECT_EQ(third->forwards, 0);
  EXPECT_EQ(runs(0, 9), "only the repository starts processes of mode per-client");
  happens([&](Actions& actions) { server.died(starts[0], true, "ended", now, actions); });
  ASSERT_EQ(starts.size(), 3u);
  runs(starts[2], 9);
  EXPECT_EQ(third->place, "9");
}

TEST_F(ServerTest, AProcessOfOneClientThatHasNoneEnds) {
  server.change(one(Mode::per_client));
  const Call late = request();
  dies();
  pass(100ms);
  spawned(7);
  pass(900ms);
  EXPECT_EQ(late->refusals, 1) << "before its process serves, since that had to wait for the pause";
  EXPECT_EQ(runs(starts[1], 7), "");
  ASSERT_EQ(signals.size(), 1u);
  EXPECT_EQ(signals[0].pid, 7);
  EXPECT_FALSE(signals[0].kill);
  dies();
  EXPECT_EQ(server.counts().failures, 1u);
  signals.clear();
  const Call first = request();
  spawned(8);
  EXPECT_EQ(runs(starts[2], 8), "");
  EXPECT_EQ(first->place, "8");
  EXPECT_TRUE(signals.empty());
  const Call second = request();
  happens([&](Actions& actions) { server.without_client(starts[2], now, actions); });
  EXPECT_EQ(second->place, "8") << "the first client had gone";
  happens([&](Actions& actions) { server.without_client(starts[2], now, actions); });
  ASSERT_EQ(signals.size(), 1u);
  EXPECT_EQ(signals[0].pid, 8);
  EXPECT_FALSE(signals[0].kill);
}

TEST_F(ServerTest, ProcessesOfOneClientKeepItAndGetNoOtherAfterAChangeOfTheMode) {
  server.change(one(Mode::per_client));
  std::vector<Call> calls;
  for (int i = 0; i < 5; ++i) {
    calls.push_back(request());
    spawned(10 + i);
    if (i < 4) runs(starts.back(), 10 + i);
  }
  const std::vector<std::uint64_t> first = starts;
  ASSERT_EQ(first.size(), 5u);
  server.change(one(Mode::automatic));
  happens([&](Actions& actions) { server.begin(now, actions); });
  ASSERT_EQ(starts.size(), 6u) << "none of them is the server's process";
  spawned(20);
  EXPECT_EQ(runs(first[4], 14), "");
  ASSERT_EQ(signals.size(), 1u) << "nobody needs the one that comes up now";
  EXPECT_EQ(signals[0].pid, 14);
  EXPECT_EQ(runs(starts[5], 20), "");
  EXPECT_EQ(calls[4]->place, "20");
  for (const std::uint64_t each : first)
    happens([&](Actions& actions) { server.died(each, each != first[0], "ended", now, actions); });
  EXPECT_EQ(server.counts().failures, 0u) << "their ends say nothing of the server";
  EXPECT_EQ(server.phase(now), Phase::running);
  EXPECT_EQ(starts.size(), 6u);
}

TEST_F(ServerTest, AProcessOfAllClientsIsNotGivenToOneAfterAChangeOfTheMode) {
  bring_up(7);
  Definition definition = one(Mode::per_client);
  definition.most_processes = 1;
  request();
  server.change(definition);
  pinged(Server::Pinged::alive);
  const Call call = request();
  ASSERT_EQ(starts.size(), 2u);
  spawned(8);
  EXPECT_EQ(runs(starts[1], 8), "");
  happens([&](Actions& actions) { server.died(starts[1], true, "ended", now, actions); });
  spawned(9);
  EXPECT_EQ(runs(starts[2], 9), "");
  EXPECT_EQ(call->place, "9") << "the first went to the request that waited longer";
  EXPECT_TRUE(signals.empty()) << "the process of all clients keeps them";
}

TEST_F(ServerTest, AProcessOfAllClientsThatDidNotAnswerIsNotPingedAfterAChangeOfTheMode) {
  for (const bool local : {true, false}) {
    EXPECT_EQ(runs(0, 7, local), "");
    request();
    pinged(local ? Server::Pinged::gone : Server::Pinged::unreachable);
    server.change(one(Mode::per_client));
    happens([&](Actions& actions) { server.begin(now, actions); });
    pass(500ms);
    EXPECT_GT(server.next(), now) << "the service would never sleep";
    pass(1s);  // the request has got its answer
    server.change(one());
    happens([&](Actions& actions) { server.is_ending(0, 7, now, actions); });
    pass(10s);
  }
}

TEST_F(ServerTest, EveryDeadlineIsInTheFuture) {
  // Otherwise the service would never sleep.
  for (const Mode mode : {Mode::normal, Mode::manual, Mode::per_client, Mode::automatic}) {
    server.change(one(mode));
    for (int i = 0; i < 30; ++i) {
      request();
      pass(50ms);
      EXPECT_GT(server.next(), now);
      if (i % 3 == 0 && !starts.empty()) dies(i % 2 == 0);
      pass(0ms);
      EXPECT_GT(server.next(), now);
      if (i % 5 == 0 && !starts.empty()) runs(starts.back(), i);
      pass(0ms);
      EXPECT_GT(server.next(), now);
    }
    happens([&](Actions& actions) { server.stop(now, actions); });
  }
}

}  // namespace
}  // namespace takt::imr
