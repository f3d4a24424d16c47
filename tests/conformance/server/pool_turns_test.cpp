// Batches of requests that keep all threads of a pool busy (docs/design/0034).
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
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

}  // namespace
}  // namespace feature
