// A late answer allocates nothing in the steady state.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>

#include "allocations.h"
#include "later_desk.h"

namespace late {
namespace {

// Gets one handler at a time, and answers in its own thread.
class OneByOne : public CORBA::amh_traits<Late::Counter>::base_type {
 public:
  using CounterHandler = CORBA::amh_traits<Late::Counter>::response_handler_ref_type;

  ~OneByOne() override {
    state_ = over;
    state_.notify_all();
    answering_.join();
  }
  void count(CounterHandler handler) override {
    handler_ = std::move(handler);
    state_ = full;
    state_.notify_all();
  }
  void count(CounterHandler handler, std::int32_t) override { handler->set_count(); }
  void title(CounterHandler handler) override { handler->get_title("t"); }

 private:
  enum State : int { empty, full, over };
  void answer() {
    for (std::int32_t number = 1;; ++number) {
      state_.wait(empty);
      if (state_ == over) return;
      const CounterHandler handler = std::move(handler_);
      state_ = empty;
      handler->get_count(number);
    }
  }
  CounterHandler handler_;
  std::atomic<int> state_{empty};
  std::thread answering_{[this] { answer(); }};
};

class LateCosts : public testing::TestWithParam<const char*> {};

TEST_P(LateCosts, AreNoAllocationOnceWarm) {
  const feature::OrbPair orbs({"-ORBServerConcurrency", GetParam()});
  const auto servant = CORBA::make_reference<OneByOne>();
  const auto counter = orbs.publish<Late::Counter>(servant);
  std::int32_t last = 0;
  for (int i = 0; i < 100; ++i) {
    last = counter->count();
    counter->count(i);
  }
  const std::size_t before = takt::allocations();
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(counter->count(), ++last);
    counter->count(i);
  }
  // Sweeps of connections allocate now and then.
  EXPECT_LT(takt::allocations() - before, 20u);
}

INSTANTIATE_TEST_SUITE_P(Each, LateCosts,
                         testing::Values("thread-per-connection", "reactive", "leader-followers",
                                         "worker-pool"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace late
