// Batches of requests that keep all threads of a pool busy (docs/design/0034).
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "gate.h"
#include "orbs.h"
#include "raw_peer.h"

namespace feature {
namespace {

// Counts the requests that are served before the one with 5.
class Counting final : public EchoServant {
 public:
  std::uint8_t cube(std::uint8_t x) override {
    if (x == 5)
      before_lone = served.load();
    else
      ++served;
    return 0;
  }
  void nothing() override { gate.wait(); }
  std::atomic<int> served{0}, before_lone{-1};
  Gate gate;
};

TEST(LeaderFollowersOfThree, LetALoneRequestPassTheBatchesOfAllThreads) {
  constexpr int threads = 3, size = 1500;
  ServerAndClient orbs({"-ORBServerConcurrency", "leader-followers", "-ORBServerThreads", "3"});
  const auto servant = CORBA::make_reference<Counting>();
  const Place place(orbs.client->object_to_string(orbs.publish<Calls::Echo>(servant)));
  const auto cube = [&](std::uint8_t x) { return request(7, place.key, "cube", {}, true).raw({x}).finish(); };
  const auto receive = [](RawPeer& peer, int count) {
    for (int i = 0; i < count; ++i) ASSERT_GE(peer.receive_message().size(), 12u);
  };
  RawPeer lone(place.port);
  std::vector<std::unique_ptr<RawPeer>> batches;
  for (int i = 0; i < threads; ++i) batches.push_back(std::make_unique<RawPeer>(place.port));
  Octets batch;
  for (int i = 0; i < size; ++i) std::ranges::copy(cube(2), std::back_inserter(batch));
  for (int i = 0; i < 3; ++i)  // reads become as long as they can
    for (auto& peer : batches) {
      ASSERT_TRUE(peer->send(batch));
      ASSERT_NO_FATAL_FAILURE(receive(*peer, size));
    }
  servant->served = 0;
  const Octets gate = request(7, place.key, "nothing").finish();
  Octets all = gate;
  std::ranges::copy(batch, std::back_inserter(all));
  for (auto& peer : batches) ASSERT_TRUE(peer->send(all));
  ASSERT_TRUE(servant->gate.entered_by(threads));
  ASSERT_TRUE(lone.send(cube(5)));
  servant->gate.open();
  ASSERT_NO_FATAL_FAILURE(receive(lone, 1));
  for (auto& peer : batches) ASSERT_NO_FATAL_FAILURE(receive(*peer, size + 1));
  EXPECT_EQ(servant->served, threads * size);
  EXPECT_LT(servant->before_lone, size / 4);
}

// Sends a lone request while batches of many connections take turns, and counts the batches that are served
// before it. For one thread.
class InTurns final : public EchoServant {
 public:
  std::uint8_t cube(std::uint8_t x) override {
    if (x == 5) {
      done = true;
      return 0;
    }
    if (++served == after) lone->send(sent);
    if (served > after && !done) between.insert(x);
    for (const auto end = std::chrono::steady_clock::now() + 10us; std::chrono::steady_clock::now() < end;) {
    }
    return 0;
  }
  void nothing() override { gate.wait(); }
  static constexpr int after = 1200;  // each batch has been interrupted by then
  RawPeer* lone = nullptr;
  Octets sent;
  int served = 0;
  bool done = false;
  std::set<std::uint8_t> between;
  Gate gate;
};

struct OneThreadForMany : testing::TestWithParam<std::vector<std::string>> {};
INSTANTIATE_TEST_SUITE_P(, OneThreadForMany,
                         testing::Values(std::vector<std::string>{"-ORBServerConcurrency", "reactive"},
                                         std::vector<std::string>{"-ORBServerConcurrency", "leader-followers",
                                                                  "-ORBServerThreads", "1"}));

TEST_P(OneThreadForMany, ServesALoneRequestBeforeMostOfTheirInterruptedBatches) {
  constexpr int connections = 24, size = 100;
  auto options = GetParam();
  options.insert(options.end(), {"-ORBMaxQueuedRequests", "1000"});
  ServerAndClient orbs(std::move(options));
  const auto servant = CORBA::make_reference<InTurns>();
  const Place place(orbs.client->object_to_string(orbs.publish<Calls::Echo>(servant)));
  const auto cube = [&](std::uint8_t x) { return request(7, place.key, "cube", {}, true).raw({x}).finish(); };
  RawPeer lone(place.port), first(place.port);
  servant->lone = &lone;
  servant->sent = cube(5);
  ASSERT_TRUE(first.send(request(7, place.key, "nothing").finish()));
  ASSERT_TRUE(servant->gate.entered_by(1));
  std::vector<std::unique_ptr<RawPeer>> batches;
  for (int i = 0; i < connections; ++i) {
    batches.push_back(std::make_unique<RawPeer>(place.port));
    Octets batch;
    for (int j = 0; j < size; ++j)
      std::ranges::copy(cube(static_cast<std::uint8_t>(10 + i)), std::back_inserter(batch));
    ASSERT_TRUE(batches.back()->send(batch));
  }
  servant->gate.open();
  ASSERT_GE(lone.receive_message().size(), 12u);
  for (auto& peer : batches)
    for (int i = 0; i < size; ++i) ASSERT_GE(peer->receive_message().size(), 12u);
  EXPECT_EQ(servant->served, connections * size);
  EXPECT_LE(servant->between.size(), 5u);
}

}  // namespace
}  // namespace feature
