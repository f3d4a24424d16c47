// Counts the allocations of asynchronous calls in the steady state, in all threads of client and server.
#include <coroutine>
#include <cstdlib>
#include <new>

#include <takt/async/pending.h>
#include <takt/async/run_loop.h>

#include "greeter.h"

namespace {
std::atomic<long> allocations{0};
}

void* operator new(std::size_t bytes) {
  ++allocations;
  if (void* const memory = std::malloc(bytes)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace feature {
namespace {

class Counting final : public Async::AMI_GreeterHandler {
 public:
  void twice(std::int32_t) override { ++calls; }
  std::atomic<int> calls{0};
};

struct Forever {
  struct promise_type {
    Forever get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
};

struct Allocations : testing::Test {
  Outcomes unused;
  OrbPair pair;
  IDL::traits<Async::Greeter>::ref_type greeter =
      pair.publish<Async::Greeter>(CORBA::make_reference<GreeterServant>());
};

// Each round has as many calls under way as the one before, and at some time finds all memory that it needs.
template <class Round>
bool a_round_allocates_nothing(const Round& round) {
  for (int i = 0; i < 50; ++i) {
    const long before = allocations;
    round();
    if (allocations == before) return true;
  }
  return false;
}

TEST_F(Allocations, OfCallbacksAreNoneInTheSteadyState) {
  const auto counting = CORBA::make_reference<Counting>();
  EXPECT_TRUE(a_round_allocates_nothing([&] {
    counting->calls = 0;
    for (int i = 0; i < 200; ++i) greeter->sendc_twice(counting, i);
    while (counting->calls < 200) std::this_thread::yield();
  }));
}

TEST_F(Allocations, OfAwaitsAreNoneInTheSteadyState) {
  std::atomic<int> rounds{0}, wanted{1000000};
  std::atomic<bool> over{false};
  const auto loop = [&]() -> Forever {
    for (; rounds < wanted; ++rounds) co_await greeter->async_twice(rounds);
    over = true;
  };
  loop();
  EXPECT_TRUE(a_round_allocates_nothing([&] {
    const int before = rounds;
    while (rounds < before + 50) std::this_thread::yield();
  }));
  wanted = 0;
  while (!over) std::this_thread::yield();
}

TEST_F(Allocations, OfCallsInARunLoopAreNoneInTheSteadyState) {
  takt::RunLoop loop;
  const auto counting = CORBA::make_reference<Counting>();
  const auto calls = [&]() -> takt::Task<> {
    for (int i = 0; i < 50; ++i) co_await greeter->async_twice(i);
  };
  for (int tasks = 0; tasks < 3; ++tasks)
    EXPECT_TRUE(a_round_allocates_nothing([&] {
      for (int i = 0; i < tasks; ++i) loop.spawn(calls());
      if (tasks == 0) greeter->sendc_twice(counting, 1);
      loop.run();
    })) << tasks;
}

TEST_F(Allocations, AreCounted) {
  const long before = allocations;
  std::vector<int> some(1000, 1);
  EXPECT_EQ(some[999], 1);
  EXPECT_EQ(allocations, before + 1);
}

}  // namespace
}  // namespace feature
