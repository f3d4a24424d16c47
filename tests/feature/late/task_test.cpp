// Servants whose methods are coroutines (takt-idl --tasks).
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <coroutine>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include <takt/async/run_loop.h>

#include "later_desk.h"

namespace late {
namespace {

using takt::Task;

// Goes on in the executor's thread.
struct OnExecutor {
  Executor& executor;

  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> waiting) const {
    executor.post([waiting] { waiting.resume(); });
  }
  void await_resume() const {}
};

// Keeps coroutines until a test resumes or destroys them.
struct Until {
  std::atomic<void*>& kept;

  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> waiting) const {
    kept = waiting.address();
    kept.notify_all();
  }
  void await_resume() const {}
};

class TaskDesk : public CORBA::task_traits<Late::Desk>::base_type {
 public:
  ~TaskDesk() override { ++destroyed; }
  Task<std::int32_t> count() override {
    co_await OnExecutor{executor()};
    co_return count_;
  }
  Task<void> count(std::int32_t value) override {
    co_await OnExecutor{executor()};
    count_ = value;
  }
  Task<std::string> title() override { co_return "at once"; }
  Task<std::string> greet(std::string name) override {
    if (name == "throw") throw Late::NoRoom(3);
    if (name == "keep") co_await Until{kept};
    co_await OnExecutor{executor()};
    if (name == "late") throw Late::NoRoom(4);
    if (name == "unlisted") throw Late::Unlisted("late");
    if (name == "inner") co_return "from " + co_await inner(name);
    if (name == "inner throws") co_return co_await inner_throws();
    co_return "hello, " + name;
  }
  Task<std::tuple<std::int32_t, std::string, Late::Point>> swap(std::int32_t a, std::string b) override {
    co_await OnExecutor{executor()};
    co_return std::tuple(a + 1, b + "!", Late::Point(a, 2.5));
  }
  Task<Late::Octets> echo(Late::Octets data) override {
    co_await OnExecutor{executor()};
    co_return data;
  }
  Task<CORBA::object_reference<CORBA::Object>> find(std::string name) override {
    if (name == "no task") return {};
    if (name == "no coroutine") throw CORBA::NO_PERMISSION(6, CORBA::COMPLETED_NO);
    return find_here();
  }
  Task<void> rest() override { co_return; }
  Task<void> note(std::string text) override {
    co_await OnExecutor{executor()};
    notes.push_back(text);
    throw std::runtime_error("a oneway's exception goes nowhere");
  }

  // Shared by all, because tasks may outlive their servant's test.
  static Executor& executor() {
    static Executor only;
    return only;
  }
  std::atomic<void*> kept{nullptr};
  std::vector<std::string> notes;
  static inline std::atomic<int> destroyed{0};

 private:
  Task<std::string> inner(std::string name) {
    co_await OnExecutor{executor()};
    co_return "the " + name + " task";
  }
  Task<std::string> inner_throws() {
    co_await OnExecutor{executor()};
    throw Late::NoRoom(5);
  }
  Task<CORBA::object_reference<CORBA::Object>> find_here() {
    co_await OnExecutor{executor()};
    co_return CORBA::object_reference<CORBA::Object>();
  }
  std::int32_t count_ = 0;  // used by the executor
};

class Tasks : public testing::TestWithParam<const char*> {
 protected:
  Tasks() : orbs({"-ORBServerConcurrency", GetParam()}) { desk = orbs.publish<Late::Desk>(servant); }
  std::int32_t rooms_of(const char* name) {
    try {
      desk->greet(name);
    } catch (const Late::NoRoom& exception) {
      return exception.rooms();
    }
    return -1;
  }
  std::coroutine_handle<> take_kept() {
    servant->kept.wait(nullptr);
    return std::coroutine_handle<>::from_address(servant->kept.exchange(nullptr));
  }
  CORBA::servant_reference<TaskDesk> servant = CORBA::make_reference<TaskDesk>();
  feature::OrbPair orbs;
  IDL::traits<Late::Desk>::ref_type desk;
};

TEST_P(Tasks, AnswerWithTheirResults) {
  EXPECT_EQ(desk->greet("world"), "hello, world");
  EXPECT_EQ(desk->greet("inner"), "from the inner task");
  EXPECT_EQ(desk->title(), "at once");
  desk->count(4);
  EXPECT_EQ(desk->count(), 4);
  std::string text = "b";
  Late::Point point;
  EXPECT_EQ(desk->swap(4, text, point), 5);
  EXPECT_EQ(text, "b!");
  EXPECT_EQ(point, Late::Point(4, 2.5));
  const Late::Octets octets(70'000, 3);
  EXPECT_EQ(desk->echo(octets), octets);
  EXPECT_EQ(desk->find("nothing"), nullptr);
  desk->rest();
}

TEST_P(Tasks, AnswerWithTheirExceptions) {
  EXPECT_EQ(rooms_of("throw"), 3);
  EXPECT_EQ(rooms_of("late"), 4);
  EXPECT_EQ(rooms_of("inner throws"), 5);
  EXPECT_THROW(desk->greet("unlisted"), CORBA::UNKNOWN);
  EXPECT_THROW(desk->find("no task"), CORBA::INTERNAL);
  EXPECT_THROW(desk->find("no coroutine"), CORBA::NO_PERMISSION);
  desk->note("and then");
  EXPECT_EQ(desk->greet("again"), "hello, again");
  EXPECT_EQ(servant->notes, std::vector<std::string>{"and then"});
}

TEST_P(Tasks, OutliveTheirObject) {
  const auto poa = orbs.make_poa({});
  auto shortlived = CORBA::make_reference<TaskDesk>();
  const auto there = orbs.publish<Late::Desk>(shortlived, poa);
  std::atomic<void*>& kept = shortlived->kept;
  std::thread resuming([&] {
    kept.wait(nullptr);
    poa->destroy(true, true);
    const auto waiting = std::coroutine_handle<>::from_address(kept.load());
    const int before = TaskDesk::destroyed;
    shortlived = nullptr;
    EXPECT_EQ(TaskDesk::destroyed, before) << "the task needs its servant";
    waiting.resume();
  });
  EXPECT_EQ(there->greet("keep"), "hello, keep");
  resuming.join();
}

TEST_P(Tasks, AnswerNoResponseIfDestroyed) {
  std::thread destroying([this] { take_kept().destroy(); });
  EXPECT_THROW(desk->greet("keep"), CORBA::NO_RESPONSE);
  destroying.join();
  EXPECT_EQ(desk->greet("again"), "hello, again");
}

TEST_P(Tasks, OfManyCallersMix) {
  std::atomic<int> good{0};
  std::vector<std::thread> callers;
  for (int i = 0; i < 8; ++i)
    callers.emplace_back([&, i] {
      for (int call = 0; call < 50; ++call) {
        const std::string name = std::to_string(i) + "." + std::to_string(call);
        if (desk->greet(name) == "hello, " + name) ++good;
      }
    });
  for (auto& caller : callers) caller.join();
  EXPECT_EQ(good, 400);
}

INSTANTIATE_TEST_SUITE_P(Each, Tasks,
                         testing::Values("thread-per-connection", "reactive", "leader-followers",
                                         "worker-pool"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

Task<> ended() { co_return; }
Task<> awaits_twice() {
  Task<> once = ended();
  co_await once;
  co_await once;
}

TEST(TasksToAwait, AreBadInvOrderIfTheyAreEmptyOrWereAwaitedBefore) {
  EXPECT_THROW(takt::sync_wait(Task<>()), CORBA::BAD_INV_ORDER);
  EXPECT_THROW(takt::sync_wait(Task<std::string>()), CORBA::BAD_INV_ORDER);
  Task<> moved = ended();
  takt::sync_wait(std::move(moved));
  EXPECT_THROW(takt::sync_wait(std::move(moved)), CORBA::BAD_INV_ORDER);
  EXPECT_THROW(takt::sync_wait(awaits_twice()), CORBA::BAD_INV_ORDER);
}

}  // namespace
}  // namespace late
