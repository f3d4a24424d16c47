// The threads that deliver the outcomes of asynchronous calls.
#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <coroutine>
#include <functional>
#include <future>
#include <optional>
#include <stop_token>
#include <utility>

#include <takt/async/stop_scope.h>
#include <takt/reference/quality.h>

#include "greeter.h"

namespace feature {
namespace {

using Delivery = takt::AsyncSettings::Delivery;

struct Deliveries : testing::Test, AsyncOrbs {
  void deliver_by(Delivery delivery, std::shared_ptr<takt::Executor> executor = nullptr) {
    takt::use_async_settings(pair.client, {.delivery = delivery, .executor = std::move(executor)});
  }
};

class Queue final : public takt::Executor {
 public:
  void post(takt::Completion completion) override {
    std::lock_guard lock(mutex_);
    if (stopped) throw std::runtime_error("stopped");
    waiting_.push_back(std::move(completion));
    changed_.notify_all();
  }
  std::size_t await(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, 20s, [&] { return waiting_.size() >= count; });
    return waiting_.size();
  }
  void run_all() {
    std::vector<takt::Completion> taken;
    {
      std::lock_guard lock(mutex_);
      taken.swap(waiting_);
    }
    for (auto& completion : taken) completion();
  }
  void drop_all() {
    std::lock_guard lock(mutex_);
    waiting_.clear();
  }
  std::atomic<bool> stopped{false};

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<takt::Completion> waiting_;
};

TEST_F(Deliveries, C2_AreOfOneThreadOfTheOrbUnlessChosenOtherwise) {
  for (int i = 0; i < 100; ++i) greeter->sendc_twice(handler(), i);
  EXPECT_EQ(outcomes.await(100).size(), 100u);
  const auto threads = outcomes.threads();
  EXPECT_EQ(std::ranges::count(threads, threads[0]), 100);
  EXPECT_NE(threads[0], std::this_thread::get_id());
}

TEST_F(Deliveries, C2_OfAnExecutorRunInItsThreads) {
  const auto queue = std::make_shared<Queue>();
  deliver_by(Delivery::executor, queue);
  for (int i = 0; i < 3; ++i) greeter->sendc_twice(handler(), i);
  greeter->sendc_refuse(handler(), "q");
  EXPECT_EQ(queue->await(4), 4u);
  EXPECT_EQ(outcomes.size(), 0u);
  queue->run_all();
  EXPECT_EQ(outcomes.await(4).size(), 4u);
  EXPECT_EQ(outcomes.threads()[0], std::this_thread::get_id());
}

TEST_F(Deliveries, C1_ThatAnExecutorDropsOrRefusesAreOfTheOrbsThread) {
  const auto queue = std::make_shared<Queue>();
  deliver_by(Delivery::executor, queue);
  greeter->sendc_twice(handler(), 1);
  EXPECT_EQ(queue->await(1), 1u);
  queue->drop_all();
  EXPECT_EQ(outcomes.one(), "twice 2");
  queue->stopped = true;
  greeter->sendc_twice(handler(), 2);
  EXPECT_EQ(outcomes.await(2)[1], "twice 4");
  EXPECT_NE(outcomes.threads()[1], std::this_thread::get_id());
}

TEST(ExecutorsOfDestroyedOrbs, C10_ThatOnlyTheOrbKeepsGoWithIt) {
  Outcomes outcomes;
  std::weak_ptr<Queue> queue;
  {
    AsyncOrbs orbs;
    const auto kept = std::make_shared<Queue>();
    queue = kept;
    takt::use_async_settings(orbs.pair.client, {.delivery = Delivery::executor, .executor = kept});
    orbs.greeter->sendc_twice(HandlerRef(CORBA::make_reference<LocalHandler>(outcomes)), 1);
    EXPECT_EQ(kept->await(1), 1u);
  }
  EXPECT_TRUE(queue.expired());
  EXPECT_EQ(outcomes.one(), "twice 2") << "a thread of the ORB delivers what the executor has not run";
}

TEST(ExecutorsOfDestroyedOrbs, C10_ThatTheProgramKeepsGetTheLastOutcomes) {
  Outcomes outcomes;
  const auto queue = std::make_shared<Queue>();
  {
    AsyncOrbs orbs;
    takt::use_async_settings(orbs.pair.client, {.delivery = Delivery::executor, .executor = queue});
    orbs.greeter->sendc_wait_at_gate(HandlerRef(CORBA::make_reference<LocalHandler>(outcomes)));
    EXPECT_TRUE(orbs.servant->has_waiting(1));
    orbs.pair.client->shutdown(true);
    EXPECT_EQ(queue->await(1), 1u);
    orbs.servant->open();
  }
  EXPECT_EQ(outcomes.size(), 0u);
  queue->run_all();
  EXPECT_EQ(outcomes.one(), "wait_at_gate: BAD_INV_ORDER 4 MAYBE");
  EXPECT_EQ(outcomes.threads()[0], std::this_thread::get_id());
}

// The handler of a call that the program cancels is the end of its ORB.
TEST(ExecutorsOfDestroyedOrbs, C10_HaveTheirOrbUntilTheyHaveTakenItsLastCall) {
  struct Factory final : CORBA::ValueFactoryBase {
    CORBA::valuetype_reference<CORBA::ValueBase> create_for_unmarshal() override { return nullptr; }
  };
  class AtOnce final : public takt::Executor {
   public:
    void post(takt::Completion completion) override {
      completion();
      has_orb = !of_orb.expired();
    }
    std::weak_ptr<Factory> of_orb;
    bool has_orb = false;
  };
  class Ends : public LocalHandler {
   public:
    using LocalHandler::LocalHandler;
    void wait_at_gate_excep(Holder) override {
      greeter = nullptr;
      std::exchange(orb, nullptr)->destroy();
    }
    CORBA::object_reference<CORBA::ORB> orb;
    IDL::traits<Async::Greeter>::ref_type greeter;
  };
  AsyncOrbs orbs;
  const auto executor = std::make_shared<AtOnce>();
  const auto ends = CORBA::make_reference<Ends>(orbs.outcomes);
  ends->orb = make_orb({}, "client");
  auto factory = std::make_shared<Factory>();
  executor->of_orb = factory;
  ends->orb->register_value_factory("IDL:X:1.0", std::move(factory));
  std::stop_source stop;
  takt::use_async_settings(ends->orb, {.delivery = Delivery::executor, .executor = executor});
  ends->greeter = takt::reference::make_stub<Async::Greeter>(
      ends->orb->string_to_object(orbs.pair.server->object_to_string(orbs.greeter))->_ref());
  {
    const takt::StopScope scope(stop.get_token());
    ends->greeter->sendc_wait_at_gate(HandlerRef(ends));
  }
  stop.request_stop();
  EXPECT_TRUE(executor->has_orb);
  orbs.servant->open();
}

// Tells which thread has destroyed it.
class Own final : public takt::Executor {
 public:
  ~Own() override {
    queue.run_all();
    ended.set_value(std::this_thread::get_id());
  }
  void post(takt::Completion completion) override { queue.post(std::move(completion)); }
  Queue queue;
  std::promise<std::thread::id> ended;
};

TEST(ExecutorsOfDestroyedOrbs, C10_MayEndInTheirOwnThread) {
  AsyncOrbs orbs;
  class Ends : public LocalHandler {
   public:
    using LocalHandler::LocalHandler;
    void twice(std::int32_t) override { orb->shutdown(true); }
    CORBA::object_reference<CORBA::ORB> orb;
  };
  const auto ends = CORBA::make_reference<Ends>(orbs.outcomes);
  ends->orb = orbs.pair.client;
  auto own = std::make_shared<Own>();
  Queue& queue = own->queue;
  auto ended = own->ended.get_future();
  takt::use_async_settings(orbs.pair.client, {.delivery = Delivery::executor, .executor = std::move(own)});
  orbs.greeter->sendc_twice(HandlerRef(ends), 1);
  EXPECT_EQ(queue.await(1), 1u);
  queue.run_all();
  EXPECT_NE(ended.get(), std::this_thread::get_id()) << "it might wait for the thread that delivers";
  ends->orb = nullptr;
}

TEST_F(Deliveries, C2_MayReplaceTheExecutorThatRunsThem) {
  class Replaces : public LocalHandler {
   public:
    using LocalHandler::LocalHandler;
    void twice(std::int32_t) override { takt::use_async_settings(orb, {}); }
    CORBA::object_reference<CORBA::ORB> orb;
  };
  const auto replaces = CORBA::make_reference<Replaces>(outcomes);
  replaces->orb = pair.client;
  auto own = std::make_shared<Own>();
  Queue& queue = own->queue;
  auto ended = own->ended.get_future();
  deliver_by(Delivery::executor, std::move(own));
  greeter->sendc_twice(HandlerRef(replaces), 1);
  EXPECT_EQ(queue.await(1), 1u);
  queue.run_all();
  EXPECT_NE(ended.get(), std::this_thread::get_id()) << "it might wait for the thread that delivers";
  replaces->orb = nullptr;
}

TEST_F(Deliveries, C1_OfAnExecutorThatStopsAmongThemComeOnceEach) {
  const auto queue = std::make_shared<Queue>();
  deliver_by(Delivery::executor, queue);
  constexpr std::size_t calls = 2000;
  const HandlerRef all = handler();
  std::thread loop([&] {
    while (outcomes.size() < calls / 2) queue->run_all();
    queue->stopped = true;
    queue->drop_all();
  });
  for (std::size_t i = 0; i < calls; ++i) greeter->sendc_twice(all, 1);
  loop.join();
  EXPECT_EQ(outcomes.await(calls).size(), calls);
  EXPECT_TRUE(none_under_way());
  EXPECT_EQ(outcomes.size(), calls);
}

using GreeterRef = IDL::traits<Async::Greeter>::ref_type;

// Each outcome begins a call of the next object, until `left` is 0; a call that was released is used again
// for it.
class Relay final : public LocalHandler {
 public:
  Relay(Outcomes& outcomes, std::vector<GreeterRef> targets)
      : RecordingHandler(outcomes), targets_(std::move(targets)) {}
  void send(const HandlerRef& self, std::int32_t n) {
    targets_[static_cast<std::size_t>(n) % targets_.size()]->sendc_twice(self, n);
  }
  void twice(std::int32_t doubled) override {
    const std::int32_t n = doubled / 2;
    if (n >= last) return LocalHandler::twice(doubled);
    sum += n;
    send(self, n + 1);
  }
  static constexpr std::int32_t last = 40;
  std::atomic<int> sum{0};
  HandlerRef self;

 private:
  const std::vector<GreeterRef> targets_;
};

TEST_F(Deliveries, C1_ThatBeginCallsOfOtherObjectsWhileManyAreHandedOn) {
  deliver_by(Delivery::reading_thread);
  const auto other = CORBA::make_reference<GreeterServant>();
  const auto relay =
      CORBA::make_reference<Relay>(outcomes, std::vector{greeter, pair.publish<Async::Greeter>(other)});
  relay->self = relay;
  constexpr int chains = 300;
  for (int i = 0; i < chains; ++i) relay->send(relay, 0);
  EXPECT_EQ(outcomes.await(chains), std::vector<std::string>(chains, "twice 80"));
  EXPECT_TRUE(none_under_way());
  EXPECT_EQ(relay->sum, chains * Relay::last * (Relay::last - 1) / 2);
  EXPECT_EQ(servant->calls, chains * (Relay::last / 2 + 1));
  EXPECT_EQ(other->calls, chains * Relay::last / 2);
  relay->self = nullptr;
}

// The coroutine's frame holds the call. An event loop may destroy it before, after or instead of resuming it.
TEST_F(Deliveries, C1_ToCoroutinesThatTheExecutorsThreadHasDestroyedAreDropped) {
  struct Waiting {
    struct promise_type {
      Waiting get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
      std::suspend_never initial_suspend() { return {}; }
      std::suspend_always final_suspend() noexcept { return {}; }
      void return_void() {}
      void unhandled_exception() { ADD_FAILURE() << "the call has failed"; }
    };
    std::coroutine_handle<promise_type> frame;
  };
  const auto queue = std::make_shared<Queue>();
  deliver_by(Delivery::executor, queue);
  const auto job = [](auto called, int& resumed) -> Waiting {
    EXPECT_EQ(co_await called->async_twice(2), 4);
    ++resumed;
  };
  int resumed = 0;
  for (std::size_t round = 0; round < 300; ++round) {
    const Waiting waiting = job(greeter, resumed);
    if (round % 3 != 0) queue->await(1);
    if (round % 3 == 2) queue->run_all();
    waiting.frame.destroy();
    queue->await(round % 3 == 2 ? 0 : 1);
    queue->run_all();
  }
  EXPECT_TRUE(none_under_way());
  EXPECT_EQ(resumed, 100);
}

TEST_F(Deliveries, C2_OfTheReadingThreadDoNotLetCallsOfHandlersWaitForThatThread) {
  class Calling final : public LocalHandler {
   public:
    Calling(Outcomes& outcomes, Async::Greeter& greeter)
        : LocalHandler(outcomes), greeter_(greeter), all_(outcomes) {}
    void twice(std::int32_t n) override {
      all_.add("twice " + std::to_string(greeter_.twice(n)));  // waits for a reply, by another connection
    }

   private:
    Async::Greeter& greeter_;
    Outcomes& all_;
  };
  deliver_by(Delivery::reading_thread);
  const auto calling = CORBA::make_reference<Calling>(outcomes, *greeter);
  for (int i = 0; i < 10; ++i) greeter->sendc_twice(calling, i);
  auto all = outcomes.await(10);
  std::ranges::sort(all);
  std::vector<std::string> expected;  // in any order (C5)
  for (int i = 0; i < 10; ++i) expected.push_back("twice " + std::to_string(4 * i));
  std::ranges::sort(expected);
  EXPECT_EQ(all, expected);
}

TEST_F(Deliveries, C3_NeverRunInAnotherCallThatWaits) {
  greeter->sendc_twice(handler(), 1);
  for (int i = 0; i < 50; ++i) {
    greeter->sendc_twice(handler(), i);
    greeter->twice(i);
  }
  outcomes.await(51);
  for (const auto& thread : outcomes.threads()) EXPECT_NE(thread, std::this_thread::get_id());
}

TEST_F(Deliveries, C11_SurviveHandlersThatThrow) {
  class Throwing final : public LocalHandler {
   public:
    using LocalHandler::LocalHandler;
    void twice(std::int32_t n) override {
      LocalHandler::twice(n);
      if (n % 4 == 0) throw std::runtime_error("from a handler");
      throw n;
    }
  };
  const auto throwing = CORBA::make_reference<Throwing>(outcomes);
  for (int i = 0; i < 10; ++i) greeter->sendc_twice(throwing, i);
  EXPECT_EQ(outcomes.await(10).size(), 10u);
}

TEST_F(Deliveries, ToADeadRemoteHandlerEndTheCall) {
  HandlerRef dead;
  {
    OrbPair other;
    dead = IDL::traits<Async::AMI_GreeterHandler>::narrow(
        pair.client->string_to_object(other.server->object_to_string(
            other.publish<Async::AMI_GreeterHandler>(CORBA::make_reference<HandlerServant>(outcomes)))));
  }
  greeter->sendc_twice(dead, 1);
  EXPECT_TRUE(none_under_way());
  greeter->sendc_twice(handler(), 2);
  EXPECT_EQ(outcomes.one(), "twice 4");
}

TEST_F(Deliveries, C5_OfOnePriorityComeInTheOrderOfTheReplies) {
  OrbPair in_order;  // one thread serves the connection
  const auto there = in_order.publish<Async::Greeter>(CORBA::make_reference<GreeterServant>());
  std::vector<std::string> expected;
  for (int i = 0; i < 500; ++i) {
    there->sendc_twice(handler(), i);
    expected.push_back("twice " + std::to_string(2 * i));
  }
  EXPECT_EQ(outcomes.await(500), expected);
}

TEST_F(Deliveries, C4_DoNotHaveTheCallersDeadline) {
  class Late final : public LocalHandler {
   public:
    Late(Outcomes& outcomes, Async::Greeter& greeter)
        : LocalHandler(outcomes), greeter_(greeter), all_(outcomes) {}
    void wait_at_gate_excep(Holder holder) override {
      all_.add(raised_by(holder).substr(0, 8) + std::to_string(greeter_.twice(1)));
    }

   private:
    Async::Greeter& greeter_;
    Outcomes& all_;
  };
  {
    const takt::DeadlineScope scope(300ms);
    greeter->sendc_wait_at_gate(CORBA::make_reference<Late>(outcomes, *greeter));
  }
  EXPECT_EQ(outcomes.one(), "TIMEOUT 2");
  servant->open();
}

// Records the priority of the thread that runs it, as the system has it, and makes further calls.
class Looking final : public LocalHandler {
 public:
  Looking(Outcomes& outcomes, Async::Greeter& greeter)
      : LocalHandler(outcomes), outcomes_(outcomes), greeter_(greeter) {}
  void twice(std::int32_t n) override {
    sched_param parameters{};
    ::sched_getparam(0, &parameters);
    if (n > 2) greeter_.sendc_twice(CORBA::make_reference<Looking>(outcomes_, greeter_), n / 2 - 1);
    outcomes_.add(std::to_string(parameters.sched_priority));
  }

 private:
  Outcomes& outcomes_;
  Async::Greeter& greeter_;
};

TEST_F(Deliveries, WhileReadingAreAsUrgentAsTheirCallsAndSoAreTheCallsThatTheyMake) {
  deliver_by(Delivery::reading_thread);
  const auto call = [&](std::int32_t n) {
    greeter->sendc_twice(CORBA::make_reference<Looking>(outcomes, *greeter), n);
  };
  call(1);  // makes the connection, whose thread is ordinary
  EXPECT_EQ(outcomes.await(1).back(), "0");
  bool is_permitted = false;
  std::thread([&] {
    const sched_param urgent{.sched_priority = 30};
    is_permitted = ::pthread_setschedparam(::pthread_self(), SCHED_FIFO, &urgent) == 0;
    if (is_permitted) call(3);
  }).join();
  if (!is_permitted) GTEST_SKIP() << "SCHED_FIFO needs CAP_SYS_NICE";
  EXPECT_EQ(outcomes.await(4), (std::vector<std::string>{"0", "30", "30", "30"}));
  call(1);
  EXPECT_EQ(outcomes.await(5).back(), "0");
}

// The thread that keeps the time runs above all that wait for it.
TEST(DeliveriesOfLateCalls, C4_AreAsUrgentAsTheirCallsAndNotAsTheThreadThatKeepsTheTime) {
  AsyncOrbs orbs({"-ORBRoundTripTimeout", "0"});
  takt::use_async_settings(orbs.pair.client, {.delivery = Delivery::reading_thread});
  orbs.greeter->sendc_twice(orbs.handler(), 1);  // makes the connection, whose thread is ordinary
  EXPECT_EQ(orbs.outcomes.await(1).size(), 1u);
  bool is_permitted = false;
  std::thread([&] {
    const sched_param urgent{.sched_priority = 30};
    is_permitted = ::pthread_setschedparam(::pthread_self(), SCHED_FIFO, &urgent) == 0;
    const takt::DeadlineScope scope(20s);  // the first, so that the thread that keeps it begins
    orbs.greeter->sendc_twice(orbs.handler(), 1);
  }).join();
  EXPECT_EQ(orbs.outcomes.await(2).size(), 2u);
  if (!is_permitted) GTEST_SKIP() << "SCHED_FIFO needs CAP_SYS_NICE";
  takt::use_async_settings(orbs.pair.client, {});
  class Looks final : public LocalHandler {
   public:
    explicit Looks(Outcomes& all) : LocalHandler(all), all_(all) {}
    void wait_at_gate_excep(Holder holder) override {
      sched_param parameters{};
      ::sched_getparam(0, &parameters);
      all_.add(raised_by(holder).substr(0, 8) + std::to_string(parameters.sched_priority));
    }

   private:
    Outcomes& all_;
  };
  {
    const takt::DeadlineScope scope(100ms);
    orbs.greeter->sendc_wait_at_gate(CORBA::make_reference<Looks>(orbs.outcomes));
  }
  EXPECT_EQ(orbs.outcomes.await(3).back(), "TIMEOUT 0");
  orbs.servant->open();
}

TEST(AsyncSettings, AreRefusedForNilAndForNoCallsAtAll) {
  EXPECT_THROW(takt::use_async_settings(nullptr, {}), CORBA::BAD_PARAM);
  const auto orb = make_orb({}, "settings");
  EXPECT_THROW(takt::use_async_settings(orb, {.most_calls = 0}), CORBA::BAD_PARAM);
  orb->destroy();
  EXPECT_THROW(takt::use_async_settings(orb, {}), CORBA::OBJECT_NOT_EXIST);
}

}  // namespace
}  // namespace feature
