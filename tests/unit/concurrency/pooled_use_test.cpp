// Which thread of a pool uses a connection, and when a sweep may.
#include "concurrency/strategy/pooled_use.h"

#include <gtest/gtest.h>

#include <semaphore>
#include <stdexcept>
#include <thread>

namespace takt::server {
namespace {

using namespace std::chrono_literals;
using State = PooledUse::State;
using Clock = PooledUse::Clock;

bool sweeps(PooledUse& use) {
  bool swept = false;
  use.act_if_unused([&] { swept = true; });
  return swept;
}

TEST(PooledUse, SweepsUseAConnectionThatIsIdleAndWasNotUsedSinceTheLastLook) {
  PooledUse use;
  EXPECT_TRUE(sweeps(use));
  use.take();
  EXPECT_FALSE(sweeps(use)) << "a thread uses it";
  use.look(Clock::now());
  EXPECT_FALSE(sweeps(use)) << "it still does";
  use.leave(State::idle);
  EXPECT_TRUE(sweeps(use));
  use.take();
  use.leave(State::idle);
  EXPECT_FALSE(sweeps(use)) << "it was used since the last look";
  for (const State state : {State::mid_message, State::writing}) {
    use.take();
    use.leave(state);
    use.look(Clock::now());
    EXPECT_FALSE(sweeps(use));
  }
}

TEST(PooledUse, IsUnusedSinceTheLastLookThatFoundItInUse) {
  PooledUse use;
  const auto begin = Clock::now() + 1s;
  use.take();
  EXPECT_EQ(use.look(begin).state, State::served);
  EXPECT_EQ(use.look(begin + 1s).used_at, begin + 1s) << "one upcall takes that long";
  use.leave_to_same_thread(State::writing);
  EXPECT_EQ(use.look(begin + 2s).state, State::writing);
  EXPECT_EQ(use.look(begin + 3s).used_at, begin + 1s);
  use.take();
  use.leave(State::idle);
  EXPECT_EQ(use.look(begin + 4s).used_at, begin + 4s) << "a thread has used it meanwhile";
  EXPECT_EQ(use.look(begin + 5s).used_at, begin + 4s);
}

TEST(PooledUse, ASweepThatFailsLeavesTheConnection) {
  PooledUse use;
  EXPECT_THROW(use.act_if_unused([] { throw std::runtime_error("no memory"); }), std::runtime_error);
  use.take();  // would wait for ever
  EXPECT_EQ(use.state(), State::served);
}

TEST(PooledUse, NoThreadUsesAConnectionDuringASweep) {
  constexpr int rounds = 3'000;
  PooledUse use;
  std::binary_semaphore poll(1);  // gives the connection to one thread at a time
  std::atomic<bool> used{false};
  std::atomic<int> together{0}, taken{0};
  const auto use_it = [&] {
    if (used.exchange(true)) ++together;
    used = false;
  };
  const auto serve = [&] {
    for (int i = 0; i < rounds; ++i) {
      poll.acquire();
      use.take();
      use_it();
      use.leave(State::idle);
      ++taken;
      poll.release();
      if (i % 64 == 0) std::this_thread::yield();
    }
  };
  std::thread first(serve), second(serve);
  int swept = 0;
  while (taken < 2 * rounds || swept == 0) {
    use.look(Clock::now());
    use.act_if_unused([&] {
      use_it();
      ++swept;
    });
  }
  first.join();
  second.join();
  EXPECT_EQ(together, 0);
}

}  // namespace
}  // namespace takt::server
