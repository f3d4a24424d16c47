// How long a batch of requests may keep a thread.
#include "base/fair_turn.h"

#include <gtest/gtest.h>

#include <thread>

namespace takt {
namespace {

struct Turn final : FairTurn {
  bool others_wait() override {
    ++looks;
    return others;
  }
  // The number of requests until the turn is over, or `most`.
  unsigned requests(unsigned most, std::chrono::microseconds each = {}) {
    begin();
    for (unsigned served = 1; served <= most; ++served) {
      if (each.count() != 0) std::this_thread::sleep_for(each);
      if (is_over()) return served;
    }
    return most;
  }
  bool others = false;
  unsigned looks = 0;
};

TEST(FairTurn, EndsOnlyForOthersAndLooksForThemSeldom) {
  Turn turn;
  EXPECT_EQ(turn.requests(10'000), 10'000u);
  EXPECT_GT(turn.looks, 10'000 / FairTurn::most_requests - 1);
  turn.others = true;
  EXPECT_LE(turn.requests(10'000), FairTurn::most_requests);
}

TEST(FairTurn, LooksAfterEachOfLongRequests) {
  Turn turn;
  turn.requests(64, std::chrono::microseconds(100));
  turn.looks = 0;
  turn.requests(8, std::chrono::microseconds(100));
  EXPECT_EQ(turn.looks, 8u);
  turn.others = true;
  EXPECT_EQ(turn.requests(8), 1u);
}

}  // namespace
}  // namespace takt
