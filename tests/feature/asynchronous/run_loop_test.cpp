// Calls of a thread with a run loop, which makes them itself if they are alone, and gets the outcomes of the
// others. Numbers in the names are those of the contract in docs/user/asynchronous.md.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <memory>

#include <takt/reference/messaging.h>
#include <takt/reference/quality.h>

#include "run_loops.h"

namespace feature {

// An argument whose encoding runs code of the program, as that of a custom value does.
struct Encoding {
  std::int32_t n;
  std::function<void()> run;
};

}  // namespace feature

template <>
struct takt::cdr::Codec<feature::Encoding> {
  static constexpr std::size_t min_size = 4;
  static void write(Encoder& encoder, const feature::Encoding& value) {
    if (value.run) value.run();
    encoder.put(value.n);
  }
  static bool read(Decoder& decoder, feature::Encoding& value) { return decoder.get(value.n); }
};

namespace feature {
namespace {

// Threads of this process that read for asynchronous calls.
int reading_threads() {
  int count = 0;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string name;
    std::ifstream(thread.path() / "comm") >> name;
    count += name == "takt-client-io";
  }
  return count;
}

takt::Task<std::string> converse(GreeterRef greeter) {
  const auto thread = std::this_thread::get_id();
  EXPECT_EQ(co_await greeter->async_twice(4), 8);
  const auto [text, n, numbers] = co_await greeter->async_greet("you", 3);
  EXPECT_EQ(n, -3);
  EXPECT_EQ(numbers, (Async::Longs{3, 4}));
  co_await greeter->async_set_name("another");
  EXPECT_EQ(co_await greeter->async_get_name(), "another");
  EXPECT_EQ(std::this_thread::get_id(), thread);
  co_return text;
}

TEST_F(RunLoops, C2_ALoneCallIsMadeByItsThreadAsASynchronousCall) {
  EXPECT_EQ(takt::sync_wait(converse(greeter)), "hello you");
  EXPECT_EQ(reading_threads(), 0);
  EXPECT_TRUE(none_under_way());
}

TEST_F(RunLoops, C2_CallsBegunTogetherAreUnderWayTogetherAndEndInTheirThread) {
  const auto task = [](GreeterRef greeter, ServantRef servant) -> takt::Task<> {
    const auto thread = std::this_thread::get_id();
    auto first = greeter->async_wait_at_gate();
    auto second = greeter->async_wait_at_gate();
    auto third = greeter->async_twice(1);
    EXPECT_TRUE(servant->has_waiting(2));
    servant->open();
    co_await second;
    EXPECT_EQ(std::this_thread::get_id(), thread);
    co_await first;
    EXPECT_EQ(co_await third, 2);
    EXPECT_EQ(co_await greeter->async_twice(8), 16);
    EXPECT_EQ(std::this_thread::get_id(), thread);
  };
  takt::sync_wait(task(greeter, servant));
  EXPECT_TRUE(none_under_way());
}

TEST_F(RunLoops, TasksTakeTurns) {
  takt::RunLoop loop;
  int done = 0;
  const auto task = [&](int n) -> takt::Task<> {
    for (int i = 0; i < 20; ++i) EXPECT_EQ(co_await greeter->async_twice(n + i), 2 * (n + i));
    co_await greeter->async_wait_at_gate();
    ++done;
  };
  for (int n = 0; n < 4; ++n) loop.spawn(task(n));
  auto opens = std::async(std::launch::async, [&] {
    EXPECT_TRUE(servant->has_waiting(4));
    servant->open();
  });
  loop.run();
  EXPECT_EQ(done, 4);
  EXPECT_TRUE(none_under_way());
}

TEST_F(RunLoops, ATaskThatHasEndedIsDestroyedBeforeOthersGoOn) {
  struct Alive {
    explicit Alive(int& count) : count_(count) { ++count_; }
    Alive(Alive&& from) noexcept : count_(from.count_) { ++count_; }
    ~Alive() { --count_; }
    int& count_;
  };
  takt::RunLoop loop;
  int alive = 0, most = 0;
  std::function<takt::Task<>(Alive, int)> task = [&](Alive, int left) -> takt::Task<> {
    most = std::max(most, alive);
    co_await greeter->async_twice(left);
    if (left > 0) loop.spawn(task(Alive(alive), left - 1));
  };
  loop.spawn(task(Alive(alive), 100));
  loop.run();
  EXPECT_EQ(alive, 0);
  EXPECT_LE(most, 8) << "as many tasks have begun in turn";
}

TEST_F(RunLoops, ExceptionsLeaveTasksAndTheLoop) {
  const auto task = [](GreeterRef greeter, bool system) -> takt::Task<int> {
    if (system) co_await greeter->async_fail();
    co_await greeter->async_refuse("because");
    co_return 1;
  };
  EXPECT_THROW(takt::sync_wait(task(greeter, false)), Async::Refused);
  EXPECT_THROW(takt::sync_wait(task(greeter, true)), CORBA::NO_RESOURCES);
  const auto outcome = [](GreeterRef greeter) -> takt::Task<std::string> {
    const auto ended = co_await greeter->async_refuse("r").outcome();
    const auto* const refused = ended.template error_as<Async::Refused>();
    co_return refused ? refused->why() : "";
  };
  EXPECT_EQ(takt::sync_wait(outcome(greeter)), "r");
  takt::RunLoop loop;
  int done = 0;
  const auto bad = [&]() -> takt::Task<> { co_await greeter->async_fail(); };
  const auto good = [&]() -> takt::Task<> {
    for (int i = 0; i < 5; ++i) done += co_await greeter->async_twice(1);
  };
  loop.spawn(bad());
  loop.spawn(good());
  EXPECT_THROW(loop.run(), CORBA::NO_RESOURCES);
  EXPECT_EQ(done, 10);
}

// A coroutine type that lets exceptions leave resume().
struct Rethrowing {
  struct promise_type {
    Rethrowing get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { throw; }
  };
  std::coroutine_handle<promise_type> frame;
};

TEST_F(RunLoops, ExceptionsOfCoroutinesOfOtherTypesLeaveTheLoopToo) {
  takt::RunLoop loop;
  const auto fails = [this]() -> Rethrowing { co_await greeter->async_fail(); };
  const Rethrowing job = fails();
  EXPECT_THROW(loop.run(), CORBA::NO_RESOURCES);
  job.frame.destroy();
  greeter->sendc_twice(handler(), 1);
  loop.run();
  EXPECT_EQ(outcomes.size(), 1u) << "it goes on";
}

TEST_F(RunLoops, ASynchronousCallLetsTheKeptCallGoFirst) {
  const auto task = [](GreeterRef greeter, ServantRef servant) -> takt::Task<> {
    auto gate = greeter->async_wait_at_gate();
    EXPECT_EQ(greeter->twice(1), 2);
    EXPECT_TRUE(servant->has_waiting(1));
    servant->open();
    co_await gate;
  };
  takt::sync_wait(task(greeter, servant));
}

TEST_F(RunLoops, AOnewayToAnotherServerLetsTheKeptCallGoFirst) {
  AsyncOrbs other;
  const auto task = [](GreeterRef greeter, GreeterRef other, ServantRef servant) -> takt::Task<> {
    auto gate = greeter->async_wait_at_gate();
    other->fire();
    EXPECT_TRUE(servant->has_waiting(1));
    servant->open();
    co_await gate;
  };
  takt::sync_wait(task(greeter, other.greeter, servant));
}

TEST_F(RunLoops, AChangeOfTheThreadsPoliciesLetsTheKeptCallGoFirst) {
  const auto task = [](GreeterRef greeter, ServantRef servant) -> takt::Task<> {
    auto gate = greeter->async_wait_at_gate();
    {
      const takt::DeadlineScope late(-1ms);  // is of later calls
      EXPECT_TRUE(servant->has_waiting(1));
    }
    servant->open();
    co_await gate;
  };
  takt::sync_wait(task(greeter, servant));
}

TEST_F(RunLoops, AskingWhetherACallIsReadySendsIt) {
  const auto task = [](GreeterRef greeter, ServantRef servant) -> takt::Task<> {
    auto gate = greeter->async_wait_at_gate();
    EXPECT_FALSE(gate.is_ready());
    EXPECT_TRUE(servant->has_waiting(1));
    servant->open();
    co_await gate;
    EXPECT_TRUE(gate.is_ready());
  };
  takt::sync_wait(task(greeter, servant));
}

TEST_F(RunLoops, ThreadsMayWaitForTheirOwnCalls) {
  takt::RunLoop loop;
  auto call = greeter->async_twice(5);
  EXPECT_EQ(call.get(), 10);
  auto refused = greeter->async_refuse("r");
  EXPECT_THROW(refused.get(), Async::Refused);
  auto first = greeter->async_twice(1), second = greeter->async_twice(2);
  EXPECT_EQ(second.get(), 4);
  EXPECT_EQ(first.get_outcome().value(), 2);
  std::future<std::int32_t> kept = greeter->async_twice(6).future();
  auto sent = greeter->async_twice(7);
  auto also = greeter->async_twice(8);
  EXPECT_EQ(kept.get(), 12);
  EXPECT_EQ(sent.future().get(), 14);
  EXPECT_EQ(also.future().get(), 16);
  loop.run();
  EXPECT_TRUE(none_under_way());
}

TEST_F(RunLoops, DroppedCallsAreSent) {
  {
    takt::RunLoop loop;
    {
      auto dropped = greeter->async_twice(1);
    }
    {
      auto first = greeter->async_twice(1), second = greeter->async_twice(2);
    }
    loop.run();
  }
  EXPECT_TRUE(none_under_way());
  EXPECT_EQ(servant->calls, 3);
}

TEST_F(RunLoops, C1_C5_HandlersRunInTheLoopAndBeginFurtherCalls) {
  class Chain final : public Async::AMI_GreeterHandler {
   public:
    explicit Chain(GreeterRef greeter) : greeter_(std::move(greeter)) {}
    void twice(std::int32_t n) override {
      EXPECT_EQ(std::this_thread::get_id(), thread);
      EXPECT_EQ(n, 2 * ended);
      if (++ended < 100) greeter_->sendc_twice(self, ended);
    }
    HandlerRef self;
    const std::thread::id thread = std::this_thread::get_id();
    int ended = 0;

   private:
    GreeterRef greeter_;
  };
  const auto chain = CORBA::make_reference<Chain>(greeter);
  takt::RunLoop loop;
  chain->self = chain;
  greeter->sendc_twice(chain->self, 0);
  loop.run();
  EXPECT_EQ(chain->ended, 100);
  EXPECT_EQ(reading_threads(), 0) << "each call was alone";
  chain->self = nullptr;
  for (int i = 0; i < 1000; ++i) greeter->sendc_twice(handler(), i);
  greeter->sendc_refuse(handler(), "last");
  loop.run();
  EXPECT_EQ(outcomes.size(), 1001u);
  for (const auto thread : outcomes.threads()) ASSERT_EQ(thread, std::this_thread::get_id());
}

TEST_F(RunLoops, C11_SurviveHandlersThatThrow) {
  class Thrower final : public Async::AMI_GreeterHandler {
   public:
    void twice(std::int32_t) override { throw std::runtime_error("of the application"); }
    void refuse_excep(Holder) override { throw 1; }
  };
  takt::RunLoop loop;
  greeter->sendc_twice(CORBA::make_reference<Thrower>(), 0);
  loop.run();
  greeter->sendc_refuse(CORBA::make_reference<Thrower>(), "r");
  loop.run();
  greeter->sendc_twice(handler(), 3);
  loop.run();
  EXPECT_EQ(outcomes.one(), "twice 6");
}

TEST_F(RunLoops, C11_AHandlerMayThrowAfterItHasBegunCallsOnOtherTargets) {
  class Thrower final : public Async::AMI_GreeterHandler {
   public:
    void twice(std::int32_t) override {
      for (GreeterRef& other : others) std::exchange(other, nullptr)->sendc_twice(to, 4);
      throw std::runtime_error("of the application");
    }
    std::vector<GreeterRef> others;
    HandlerRef to;
  };
  const auto copy = [&] {
    return takt::reference::make_stub<Async::Greeter>(
        pair.client->string_to_object(pair.client->object_to_string(greeter))->_ref());
  };
  takt::RunLoop loop;
  for (int i = 0; i < 3; ++i) {
    const auto thrower = CORBA::make_reference<Thrower>();
    thrower->others = {copy(), copy()};
    thrower->to = handler();
    copy()->sendc_twice(thrower, 0);
    loop.run();
  }
  EXPECT_EQ(outcomes.size(), 6u);
  EXPECT_TRUE(none_under_way());
}

TEST_F(RunLoops, C3_HandlersMayMakeSynchronousCalls) {
  class Caller final : public Async::AMI_GreeterHandler {
   public:
    explicit Caller(GreeterRef greeter) : greeter_(std::move(greeter)) {}
    void greet(const std::string& text, std::int32_t, const Async::Longs&) override {
      got = text + std::to_string(greeter_->twice(4));
    }
    void refuse_excep(Holder) override { got = "refused" + std::to_string(greeter_->twice(5)); }
    std::string got;

   private:
    GreeterRef greeter_;
  };
  const auto caller = CORBA::make_reference<Caller>(greeter);
  takt::RunLoop loop;
  greeter->sendc_greet(caller, "a", 1);
  loop.run();
  EXPECT_EQ(caller->got, "hello a8");
  greeter->sendc_refuse(caller, "a");
  loop.run();
  EXPECT_EQ(caller->got, "refused10");
}

using Twice = takt::Operation<"twice", std::int32_t(takt::In<Encoding>)>;

TEST_F(RunLoops, C1_ArgumentsMayBeginCallsOfTheLoop) {
  AsyncOrbs others;
  const auto copy_of = [](const AsyncOrbs& orbs) {
    return takt::reference::make_stub<Async::Greeter>(
        orbs.pair.client->string_to_object(orbs.pair.client->object_to_string(orbs.greeter))->_ref());
  };
  using Call = decltype(greeter->async_twice(2));
  for (const AsyncOrbs* const to :
       {static_cast<const AsyncOrbs*>(this), static_cast<const AsyncOrbs*>(&others)}) {
    std::unique_ptr<Call> nested;
    const auto begin = [&] { nested.reset(new auto(copy_of(*to)->async_twice(2))); };
    const auto task = [&](GreeterRef own) -> takt::Task<> {
      takt::async::Pending<Twice> call(*own, Encoding{1, begin});
      const std::weak_ptr<const void> target = own->_ref();
      own = nullptr;
      EXPECT_FALSE(target.expired()) << "the call has no object";
      EXPECT_EQ(co_await call, 2);
      EXPECT_EQ(co_await *nested, 4);
    };
    takt::sync_wait(task(copy_of(*this)));
    EXPECT_THROW(takt::sync_wait([&](GreeterRef own) -> takt::Task<> {
                   co_await takt::async::Pending<Twice>(*own,
                                                        Encoding{1, [] { throw CORBA::NO_PERMISSION(); }});
                 }(copy_of(*this))),
                 CORBA::NO_PERMISSION);
    takt::RunLoop loop;
    begin();
    EXPECT_EQ(
        takt::async::Pending<Twice>(*copy_of(*this), Encoding{3, [&] { EXPECT_EQ(nested->get(), 4); }}).get(),
        6);
  }
  const auto sends = [&] { greeter->sendc_twice(handler(), 4); };
  takt::RunLoop loop;
  EXPECT_EQ(takt::async::Pending<Twice>(*greeter, Encoding{5, sends}).get(), 10);
  loop.run();
  EXPECT_EQ(outcomes.size(), 1u);
  EXPECT_EQ(servant->calls + others.servant->calls, 10);
  EXPECT_TRUE(none_under_way());
}

TEST_F(RunLoops, ALoopThatDoesNotRunHoldsNoObject) {
  takt::RunLoop loop;
  const auto expect_let_go = [&](const auto& use) {
    GreeterRef own = takt::reference::make_stub<Async::Greeter>(
        pair.client->string_to_object(pair.client->object_to_string(greeter))->_ref());
    const std::weak_ptr<const void> target = own->_ref();
    use(*own);
    own = nullptr;
    EXPECT_TRUE(target.expired());
  };
  expect_let_go([](Async::Greeter& own) { EXPECT_EQ(own.async_twice(1).get(), 2); });
  expect_let_go([](Async::Greeter& own) { EXPECT_EQ(own.async_twice(1).get_outcome().value(), 2); });
  expect_let_go([&](Async::Greeter& own) {
    auto call = own.async_twice(1);
    EXPECT_EQ(greeter->twice(2), 4);  // sends it
    EXPECT_EQ(call.get(), 2);
  });
  expect_let_go([](Async::Greeter& own) {
    auto call = own.async_twice(1);
    std::thread([&] { EXPECT_EQ(call.get(), 2); }).join();
    EXPECT_EQ(own.async_twice(2).get(), 4);
  });
  expect_let_go([&](Async::Greeter& own) {
    own.sendc_twice(handler(), 1);
    loop.run();
  });
  EXPECT_EQ(outcomes.size(), 1u);
}

TEST_F(RunLoops, C1_CallsOfALoopThatEndsAreDeliveredByTheOrb) {
  {
    takt::RunLoop loop;
    greeter->sendc_twice(handler(), 1);
    greeter->sendc_twice(handler(), 2);
    greeter->sendc_wait_at_gate(handler());
    ASSERT_TRUE(servant->has_waiting(1));
  }
  servant->open();
  EXPECT_EQ(outcomes.await(3).size(), 3u);
  for (const auto thread : outcomes.threads()) EXPECT_NE(thread, std::this_thread::get_id());
  EXPECT_TRUE(none_under_way());
}

TEST_F(RunLoops, TasksThatHaveNotEndedAreDestroyedWithTheLoop) {
  struct Note {
    explicit Note(bool& was) : was_(was) {}
    ~Note() { was_ = true; }
    bool& was_;
  };
  bool destroyed = false, begun = false;
  {
    takt::RunLoop loop;
    const auto task = [&]() -> takt::Task<> {
      const Note note(destroyed);
      begun = true;
      co_await greeter->async_wait_at_gate();
    };
    const auto bad = [&]() -> takt::Task<> { co_await greeter->async_twice(1); };
    loop.spawn(task());
    EXPECT_FALSE(begun);
    loop.spawn(bad());
  }
  EXPECT_FALSE(begun);
  EXPECT_FALSE(destroyed) << "it had not begun";
}

}  // namespace
}  // namespace feature
