// More requests than a server's threads can serve: some wait, and the others are refused at once with
// TRANSIENT.
#include <algorithm>
#include <memory>
#include <vector>

#include "gate.h"
#include "hostile_fixture.h"
#include "strategy.h"

namespace feature {
namespace {

constexpr int waiting = 3, senders = 12;
const std::string transient = "IDL:omg.org/CORBA/TRANSIENT:1.0";

class Overload : public testing::TestWithParam<Strategy> {
 protected:
  void start(std::vector<std::string> options) {
    std::ranges::copy(GetParam().options, std::back_inserter(options));
    orbs = std::make_unique<ServerAndClient>(std::move(options));
    place = std::make_unique<Place>(orbs->ior);
  }
  int threads() const { return GetParam().options.back() == "1" ? 1 : 2; }
  std::unique_ptr<RawPeer> connect() const {
    auto peer = std::make_unique<RawPeer>(*place);
    EXPECT_TRUE(peer->send(request(1, place->key, "nothing").finish()));
    EXPECT_EQ(type_of(peer->receive_message()), reply_type);
    return peer;
  }
  Octets key_of(const CORBA::servant_reference<Keeper>& keeper) const {
    return Place(orbs->client->object_to_string(orbs->publish<Calls::Echo>(keeper))).key;
  }
  // Occupies all threads with upcalls that end when the gate opens.
  void keep_all_busy(const CORBA::servant_reference<Keeper>& keeper) {
    const Octets key = key_of(keeper);
    for (int i = 0; i < threads(); ++i) {
      busy.push_back(connect());
      ASSERT_TRUE(busy.back()->send(request(2, key, "nothing").finish()));
      ASSERT_TRUE(keeper->gate.entered_by(i + 1));
    }
  }

  std::unique_ptr<ServerAndClient> orbs;
  std::unique_ptr<Place> place;
  std::vector<std::unique_ptr<RawPeer>> busy;
};

TEST_P(Overload, RequestsBeyondThoseThatMayWaitAreToTryAgain) {
  start({"-ORBMaxQueuedRequests", std::to_string(waiting)});
  const auto first = CORBA::make_reference<Keeper>(), second = CORBA::make_reference<Keeper>();
  const Octets key = key_of(second);
  std::vector<std::unique_ptr<RawPeer>> peers;
  for (int i = 0; i < senders; ++i) peers.push_back(connect());
  ASSERT_NO_FATAL_FAILURE(keep_all_busy(first));
  for (auto& peer : peers) ASSERT_TRUE(peer->send(request(2, key, "nothing").finish()));
  first->gate.open();
  ASSERT_TRUE(second->gate.entered_by(threads()));
  int refused = 0;  // while the upcalls are in progress
  for (auto& peer : peers)
    if (exception_of(peer->receive_message(500ms)) == transient) {
      ++refused;
      peer = nullptr;
    }
  EXPECT_GE(refused, senders - threads() - waiting);
  EXPECT_LE(refused, senders - waiting);
  second->gate.open();
  for (auto& peer : peers)
    if (peer) {
      const Octets reply = peer->receive_message();
      EXPECT_EQ(type_of(reply), reply_type);
      EXPECT_EQ(exception_of(reply), "");
    }
  for (auto& peer : busy) EXPECT_EQ(type_of(peer->receive_message()), reply_type);
  EXPECT_EQ(orbs->echo->cube(3), 27) << "and it goes on";
}

// A oneway's client would not see a refusal.
TEST_P(Overload, OnewaysWait) {
  start({});
  const auto first = CORBA::make_reference<Keeper>(), second = CORBA::make_reference<Keeper>();
  second->gate.open();
  const Octets key = key_of(second);
  constexpr int peers_count = 40, each = 10;
  std::vector<std::unique_ptr<RawPeer>> peers;
  for (int i = 0; i < peers_count; ++i) peers.push_back(connect());
  ASSERT_NO_FATAL_FAILURE(keep_all_busy(first));
  for (auto& peer : peers)
    for (std::uint32_t id = 2; id < 2 + each; ++id) {
      Octets oneway = request(id, key, "nothing").finish();
      oneway[16] = 0;  // no response expected
      ASSERT_TRUE(peer->send(oneway));
    }
  first->gate.open();
  EXPECT_TRUE(second->gate.entered_by(peers_count * each));
}

INSTANTIATE_TEST_SUITE_P(
    Servers, Overload,
    testing::Values(
        Strategy{"LeaderFollowersOfOne",
                 {"-ORBServerConcurrency", "leader-followers", "-ORBServerThreads", "1"}},
        Strategy{"LeaderFollowersOfTwo",
                 {"-ORBServerConcurrency", "leader-followers", "-ORBServerThreads", "2"}},
        Strategy{"WorkerPoolOfOne", {"-ORBServerConcurrency", "worker-pool", "-ORBServerThreads", "1"}},
        Strategy{"WorkerPoolOfTwo", {"-ORBServerConcurrency", "worker-pool", "-ORBServerThreads", "2"}},
        Strategy{"ThreadingFramework",
                 {"-ORBServerConcurrency", "threading-framework", "-ORBServerThreads", "2"}}),
    [](const auto& given) { return std::string(given.param.name); });

}  // namespace
}  // namespace feature
