// A late answer allocates nothing in the steady state.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <coroutine>
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

// Suspends each task until its own thread resumes it.
class InTurn : public CORBA::task_traits<Late::Counter>::base_type {
 public:
  ~InTurn() override {
    next_ = this;
    next_.notify_all();
    resuming_.join();
  }
  takt::Task<std::int32_t> count() override {
    co_await Turn{*this};
    co_return ++last_;
  }
  takt::Task<void> count(std::int32_t) override { co_return; }
  takt::Task<std::string> title() override { co_return "t"; }

 private:
  struct Turn {
    InTurn& all;
    bool await_ready() const { return false; }
    void await_suspend(std::coroutine_handle<> waiting) const {
      all.next_ = waiting.address();
      all.next_.notify_all();
    }
    void await_resume() const {}
  };
  void resume() {
    for (;;) {
      next_.wait(nullptr);
      void* const frame = next_.exchange(nullptr);
      if (frame == this) return;
      std::coroutine_handle<>::from_address(frame).resume();
    }
  }
  std::int32_t last_ = 0;
  std::atomic<void*> next_{nullptr};  // `this`: the end
  std::thread resuming_{[this] { resume(); }};
};

class LateCosts : public testing::TestWithParam<const char*> {};

template <class Servant>
std::size_t allocations_of_1000_calls(const char* concurrency) {
  const feature::OrbPair orbs({"-ORBServerConcurrency", concurrency});
  const auto servant = CORBA::make_reference<Servant>();
  const auto counter = orbs.publish<Late::Counter>(servant);
  std::int32_t last = 0;
  for (int i = 0; i < 100; ++i) {
    last = counter->count();
    counter->count(i);
  }
  const std::size_t before = takt::allocations();
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(counter->count(), ++last);
    counter->count(i);
  }
  return takt::allocations() - before;
}

// Sweeps of connections allocate now and then.
constexpr std::size_t of_sweeps = 20;

TEST_P(LateCosts, AreNoAllocationOnceWarm) {
  EXPECT_LT(allocations_of_1000_calls<OneByOne>(GetParam()), of_sweeps);
}
TEST_P(LateCosts, OfTasksAreNoAllocationOnceWarm) {
  EXPECT_LT(allocations_of_1000_calls<InTurn>(GetParam()), of_sweeps);
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
