// Calls of a thread with a run loop, which makes them itself if they are alone, and gets the outcomes of the
// others. Numbers in the names are those of the contract in docs/user/asynchronous.md.
#include <filesystem>
#include <fstream>
#include <future>

#include <takt/async/pending.h>
#include <takt/async/run_loop.h>
#include <takt/async/sent_scope.h>
#include <takt/async/stop_scope.h>
#include <takt/reference/messaging.h>
#include <takt/reference/quality.h>

#include "greeter.h"
#include "interceptors/probes.h"
#include "job.h"
#include "raw_giop_server.h"

namespace feature {
namespace {

using GreeterRef = IDL::traits<Async::Greeter>::ref_type;
using ServantRef = CORBA::servant_reference<GreeterServant>;

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

template <class Call>
std::string failure_of(const Call& call) {
  try {
    call();
  } catch (const CORBA::SystemException& failure) {
    return std::string(failure._name()) + " " + std::to_string(failure.minor() & 0xfffu) + " " +
           (failure.completed() == CORBA::COMPLETED_NO ? "NO" : "other");
  }
  return "nothing";
}

struct RunLoops : testing::Test, AsyncOrbs {
  ~RunLoops() override { servant->open(); }
  GreeterRef at(const Peer& server) {
    return takt::reference::make_stub<Async::Greeter>(pair.client->string_to_object(server.url())->_ref());
  }
};

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

TEST_F(RunLoops, C6_CallsEndWithTheirTime) {
  const auto task = [](GreeterRef greeter) -> takt::Task<> { co_await greeter->async_wait_at_gate(); };
  AsyncOrbs bounded({"-ORBRoundTripTimeout", "100ms"});
  EXPECT_THROW(takt::sync_wait(task(bounded.greeter)), CORBA::TIMEOUT);
  const auto two = [](GreeterRef greeter) -> takt::Task<> {
    auto first = greeter->async_wait_at_gate(), second = greeter->async_wait_at_gate();
    const auto one = co_await first.outcome();
    EXPECT_NE(one.template error_as<CORBA::TIMEOUT>(), nullptr);
    co_await second;
  };
  EXPECT_THROW(takt::sync_wait(two(bounded.greeter)), CORBA::TIMEOUT);
  bounded.servant->open();
  const auto scoped = [](GreeterRef greeter) -> takt::Task<> {
    auto call = [&] {
      const takt::DeadlineScope scope(100ms);
      return greeter->async_wait_at_gate();
    }();
    co_await call;
  };
  EXPECT_THROW(takt::sync_wait(scoped(greeter)), CORBA::TIMEOUT);
  const takt::DeadlineScope passed(-1ms);
  EXPECT_THROW(takt::sync_wait(task(greeter)), CORBA::TIMEOUT);
  EXPECT_TRUE(none_under_way());
}

TEST_F(RunLoops, C7_AForwardedCallKeepsItsArguments) {
  const Octs there = ior_octets(pair.client, greeter);
  const Peer server([&](Peer& peer, int fd, int) { forward_each(peer, fd, there); });
  const auto task = [](GreeterRef greeter, std::string who) -> takt::Task<std::string> {
    co_return std::get<0>(co_await greeter->async_greet(who, 3));
  };
  EXPECT_EQ(takt::sync_wait(task(at(server), "moved")), "hello moved");
  const std::string longer(100'000, 'x');
  EXPECT_EQ(takt::sync_wait(task(at(server), longer)), "hello " + longer);
}

TEST_F(RunLoops, C6_CallsWithPoliciesOfTheReferenceOrTheOrbLeaveAtOnce) {
  CORBA::Any time;
  time <<= TimeBase::TimeT{20'000'000};  // 2 s
  const auto policy = pair.client->create_policy(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, time);
  const auto task = [](GreeterRef greeter, ServantRef servant, int waiting) -> takt::Task<> {
    auto gate = greeter->async_wait_at_gate();
    EXPECT_TRUE(servant->has_waiting(waiting));  // its time passes there
    servant->open();
    co_await gate;
  };
  takt::sync_wait(task(IDL::traits<Async::Greeter>::narrow(
                           greeter->_set_policy_overrides({policy}, CORBA::SetOverrideType::SET_OVERRIDE)),
                       servant, 1));
  const auto manager =
      IDL::traits<CORBA::PolicyManager>::narrow(pair.client->resolve_initial_references("ORBPolicyManager"));
  manager->set_policy_overrides({policy}, CORBA::SetOverrideType::SET_OVERRIDE);
  takt::sync_wait(task(greeter, servant, 2));
  EXPECT_TRUE(none_under_way());
}

// Interceptors of the client, which forward a call when it ends.
struct InterceptedRunLoops : Intercepted {
  InterceptedRunLoops() {
    only_one();
    servers.clear();
  }
};

TEST_F(InterceptedRunLoops, C2_ACallThatIsForwardedAtItsEndStaysInItsLoop) {
  AsyncOrbs elsewhere, orbs;
  const auto there =
      orbs.pair.client->string_to_object(elsewhere.pair.client->object_to_string(elsewhere.greeter));
  int points = 0;
  on_client([&](const std::string& at, const ClientInfoRef&) {
    if (at == "receive_exception" && ++points == 1) throw PI::ForwardRequest(there);
  });
  takt::RunLoop loop;
  orbs.greeter->sendc_fail(orbs.handler());
  loop.run();
  EXPECT_EQ(orbs.outcomes.size(), 1u) << "run() has returned before the call was delivered";
  EXPECT_EQ(orbs.outcomes.one(), "fail: NO_RESOURCES 7 YES");
  EXPECT_EQ(orbs.outcomes.threads()[0], std::this_thread::get_id());
  EXPECT_EQ(elsewhere.servant->failures, 1);
  EXPECT_EQ(points, 2);
  EXPECT_TRUE(orbs.none_under_way());
}

TEST_F(RunLoops, C8_ACallOnAClosedConnectionIsMadeAgain) {
  const Peer server([](Peer& peer, int fd, int number) {
    for (Octs all = peer.receive(fd); !all.empty(); all = peer.receive(fd)) {
      if (number == 0) return send_octets(fd, close_message());
      for (const Octs& id : ids_in(all)) send_octets(fd, reply_to(id, 0, {9, 0, 0, 0}));
    }
  });
  const auto task = [](GreeterRef greeter) -> takt::Task<int> { co_return co_await greeter->async_twice(1); };
  EXPECT_EQ(takt::sync_wait(task(at(server))), 9);
  const Peer dying([](Peer& peer, int fd, int) { peer.receive(fd); });
  EXPECT_THROW(takt::sync_wait(task(at(dying))), CORBA::COMM_FAILURE);
}

TEST_F(RunLoops, C9_AFullOrbRefusesInsteadOfWaitingForItsLoop) {
  takt::use_async_settings(pair.client, {.most_calls = 2});
  takt::RunLoop loop;
  greeter->sendc_wait_at_gate(handler());
  greeter->sendc_wait_at_gate(handler());
  EXPECT_THROW(greeter->sendc_twice(handler(), 1), CORBA::TRANSIENT);
  servant->open();
  loop.run();
  EXPECT_EQ(outcomes.size(), 2u);
  greeter->sendc_twice(handler(), 1);
  loop.run();
  EXPECT_EQ(outcomes.size(), 3u);
}

TEST_F(RunLoops, C10_ADestroyedOrbEndsTheCallsOfLoops) {
  const auto task = [](GreeterRef greeter, bool two) -> takt::Task<> {
    auto first = greeter->async_wait_at_gate();
    if (two) {
      auto second = greeter->async_wait_at_gate();
      co_await second;
    }
    co_await first;
  };
  for (const bool two : {false, true}) {
    AsyncOrbs own;
    auto shuts_down = std::async(std::launch::async, [&] {
      EXPECT_TRUE(own.servant->has_waiting(two ? 2 : 1));
      own.pair.client->shutdown(false);
    });
    EXPECT_THROW(takt::sync_wait(task(own.greeter, two)), CORBA::BAD_INV_ORDER);
    own.servant->open();
  }
}

TEST_F(RunLoops, C13_CallsToObjectsOfThisProcessReturnBeforeTheServantHasRun) {
  const auto local = CORBA::make_reference<GreeterServant>();
  const auto here =
      IDL::traits<Async::Greeter>::narrow(pair.root->id_to_reference(pair.root->activate_object(local)));
  const auto task = [](GreeterRef greeter, ServantRef servant) -> takt::Task<int> {
    const auto thread = std::this_thread::get_id();
    auto gate = greeter->async_wait_at_gate();
    EXPECT_TRUE(servant->has_waiting(1));
    servant->open();
    co_await gate;
    EXPECT_EQ(std::this_thread::get_id(), thread);
    co_return co_await greeter->async_twice(3);
  };
  EXPECT_EQ(takt::sync_wait(task(here, local)), 6);
}

TEST_F(RunLoops, C15_AKeptCallThatIsCancelledIsNeverSent) {
  const auto task = [](GreeterRef greeter, bool by_other) -> takt::Task<> {
    auto call = greeter->async_twice(1);
    if (by_other)
      std::thread([&] { call.cancel(); }).join();
    else
      call.cancel();
    co_await call;
  };
  EXPECT_EQ(failure_of([&] { takt::sync_wait(task(greeter, false)); }), "TRANSIENT 3 NO");
  EXPECT_EQ(failure_of([&] { takt::sync_wait(task(greeter, true)); }), "TRANSIENT 3 NO");
  takt::RunLoop loop;
  auto waited = greeter->async_twice(1);
  waited.cancel();
  EXPECT_EQ(failure_of([&] { waited.get(); }), "TRANSIENT 3 NO");
  EXPECT_EQ(servant->calls, 0);
}

TEST_F(RunLoops, C15_AKeptCallThatIsCancelledAsItsCoroutineWaitsIsNeverSent) {
  takt::RunLoop loop;
  std::string outside, inside;
  const auto note = [](auto& call, std::string& to) -> Job {
    auto outcome = co_await call.outcome();
    to = failure_of([&] { outcome.value(); });
  };
  auto call = greeter->async_twice(1);
  note(call, outside);
  call.cancel();
  loop.run();
  EXPECT_EQ(outside, "TRANSIENT 3 NO");
  const auto task = [&]() -> takt::Task<> {
    auto awaited = greeter->async_twice(1);
    const auto cancels = [](auto& other) -> takt::Task<> {
      other.cancel();
      co_return;
    };
    loop.spawn(cancels(awaited));
    auto outcome = co_await awaited.outcome();
    inside = failure_of([&] { outcome.value(); });
  };
  loop.spawn(task());
  loop.run();
  EXPECT_EQ(inside, "TRANSIENT 3 NO");
  EXPECT_EQ(servant->calls, 0);
  EXPECT_TRUE(none_under_way());
}

TEST_F(RunLoops, C15_TokensCancelCallsOfLoops) {
  const auto task = [](GreeterRef greeter, ServantRef servant, std::stop_source stop,
                       int waiting) -> takt::Task<> {
    auto gate = greeter->async_wait_at_gate();
    gate.stopped_by(stop.get_token());
    EXPECT_TRUE(servant->has_waiting(waiting));
    stop.request_stop();
    co_await gate;
  };
  EXPECT_THROW(takt::sync_wait(task(greeter, servant, {}, 1)), CORBA::TRANSIENT);
  const auto scoped = [](GreeterRef greeter, ServantRef servant) -> takt::Task<bool> {
    std::stop_source stop;
    auto gate = [&] {
      const takt::StopScope scope(stop.get_token());
      return greeter->async_wait_at_gate();
    }();
    EXPECT_TRUE(servant->has_waiting(2));
    stop.request_stop();
    const auto outcome = co_await gate.outcome();
    co_return outcome.cancelled();
  };
  EXPECT_TRUE(takt::sync_wait(scoped(greeter, servant)));
}

TEST_F(RunLoops, C15_CallsEndOnceThoughTheyAreCancelledAtAnyMoment) {
  const auto task = [](GreeterRef greeter, int i) -> takt::Task<> {
    auto call = greeter->async_twice(i);
    std::jthread canceller([&] { call.cancel(); });
    if (i % 3 == 0) std::this_thread::sleep_for(std::chrono::microseconds(i % 50));
    if (i % 5 == 0) {
      auto second = greeter->async_twice(i);
      EXPECT_EQ(co_await second, 2 * i);
    }
    const auto outcome = co_await call.outcome();
    EXPECT_TRUE(outcome.has_value() || outcome.cancelled());
  };
  for (int i = 0; i < 300; ++i) takt::sync_wait(task(greeter, i));
  EXPECT_TRUE(none_under_way());
}

TEST_F(RunLoops, C16_ListenersHearOfTheCallsOfTheirScopeAlone) {
  const auto notice = std::make_shared<takt::SentNotice>();
  const auto task = [](GreeterRef greeter, std::shared_ptr<takt::SentNotice> notice) -> takt::Task<int> {
    auto kept = greeter->async_twice(1);
    auto told = [&] {
      const takt::SentScope scope(notice);  // sends the kept call
      EXPECT_EQ(notice->state(), takt::SentNotice::State::waits);
      return greeter->async_twice(2);
    }();
    EXPECT_EQ(notice->wait_for(10s), takt::SentNotice::State::sent);
    co_return co_await told + co_await kept;
  };
  EXPECT_EQ(takt::sync_wait(task(greeter, notice)), 6);
}

TEST_F(RunLoops, LongArgumentsAndResultsAreThoseOfTheCall) {
  const AsyncOrbs wide({"-ORBSendQueueSize", "64MiB"});
  const auto task = [](GreeterRef greeter, std::size_t size) -> takt::Task<std::size_t> {
    auto call = [&] { return greeter->async_echo(Async::Octets(size, 7)); }();  // the argument is gone
    const Async::Octets back = co_await call;
    EXPECT_EQ(back, Async::Octets(size, 7));
    auto first = greeter->async_echo(Async::Octets(size, 1));
    auto second = greeter->async_echo(Async::Octets(size, 2));
    EXPECT_EQ(co_await first, Async::Octets(size, 1));
    co_return (co_await second).size();
  };
  for (const std::size_t size : {0u, 50u, 3'000u, 100'000u, 3'000'000u})
    EXPECT_EQ(takt::sync_wait(task(wide.greeter, size)), size);
}

TEST_F(RunLoops, ArgumentsThatCannotBeSentThrowAtOnce) {
  AsyncOrbs limited({"-ORBMaxRequestSize", "64KiB"});
  const auto task = [](GreeterRef greeter) -> takt::Task<int> {
    EXPECT_THROW(static_cast<void>(greeter->async_echo(Async::Octets(100'000, 1))), CORBA::SystemException);
    co_return co_await greeter->async_twice(2);
  };
  EXPECT_EQ(takt::sync_wait(task(limited.greeter)), 4);
}

TEST_F(RunLoops, ALoopCannotRunInItself) {
  takt::RunLoop loop;
  const auto task = [&]() -> takt::Task<> {
    EXPECT_THROW(loop.run(), CORBA::BAD_INV_ORDER);
    co_await greeter->async_twice(1);
  };
  loop.spawn(task());
  loop.run();
}

TEST_F(RunLoops, AnInnerLoopServesTheCallsThatBeginInIt) {
  const auto inner = [](GreeterRef greeter) -> takt::Task<int> {
    co_return co_await greeter->async_twice(2);
  };
  const auto outer = [&](GreeterRef greeter) -> takt::Task<int> {
    auto kept = greeter->async_twice(1);
    const int twice = takt::sync_wait(inner(greeter));
    co_return twice + co_await kept + co_await greeter->async_twice(3);
  };
  EXPECT_EQ(takt::sync_wait(outer(greeter)), 4 + 2 + 6);
}

TEST_F(RunLoops, ACoroutineThatBeganOutsideGoesOnInRun) {
  takt::RunLoop loop;
  const auto job = [](GreeterRef greeter) -> Job {
    EXPECT_EQ(co_await greeter->async_twice(1), 2);
    EXPECT_EQ(co_await greeter->async_twice(2), 4);
  };
  auto ended = job(greeter).ended;
  EXPECT_EQ(ended.wait_for(0s), std::future_status::timeout);
  loop.run();
  EXPECT_EQ(ended.wait_for(0s), std::future_status::ready);
  ended.get();
}

// The coroutine that awaits it goes on in a thread of its own. The thread of the loop goes on later: when the
// coroutine waits again, or after some time.
struct OtherThread {
  std::jthread& thread;
  const bool until_it_waits;
  const std::chrono::milliseconds late;
  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> waiting) const {
    const OtherThread copy = *this;  // the coroutine may end meanwhile
    copy.thread = std::jthread([waiting] { waiting.resume(); });
    if (copy.until_it_waits)
      copy.thread.join();
    else
      std::this_thread::sleep_for(copy.late);
  }
  void await_resume() const {}
};

TEST_F(RunLoops, AKeptCallIsNotTouchedByAnotherThreadThatItsCoroutineGoesOnIn) {
  enum class Use { await, await_cancelled, get, future, ask, drop };
  std::jthread other;
  const auto task = [&](Use use, bool until_it_waits, std::chrono::milliseconds late) -> takt::Task<> {
    const auto thread = std::this_thread::get_id();
    {
      auto call = greeter->async_twice(2);
      if (use == Use::await_cancelled) call.cancel();
      co_await OtherThread{other, until_it_waits, late};
      EXPECT_NE(std::this_thread::get_id(), thread);
      if (use == Use::drop) co_return;
      if (use == Use::get) EXPECT_EQ(call.get(), 4);
      if (use == Use::future) EXPECT_EQ(call.future().get(), 4);
      if (use == Use::ask) call.is_ready();
      if (use == Use::get || use == Use::future) co_return;
      const auto outcome = co_await call.outcome();
      EXPECT_EQ(outcome.cancelled(), use == Use::await_cancelled);
    }
    if (until_it_waits)
      EXPECT_EQ(std::this_thread::get_id(), thread) << "it does not go on where its loop runs";
    EXPECT_EQ(co_await greeter->async_twice(3), 6);
  };
  for (const Use use : {Use::await, Use::await_cancelled, Use::get, Use::future, Use::ask, Use::drop}) {
    SCOPED_TRACE(static_cast<int>(use));
    servant->calls = 0;
    const bool awaits = use == Use::await || use == Use::await_cancelled;
    takt::sync_wait(task(use, awaits, 30ms));
    if (other.joinable()) other.join();
    EXPECT_TRUE(none_under_way());
    EXPECT_EQ(servant->calls, use == Use::await || use == Use::ask ? 2 : 1);
    for (int i = 0; i < 50; ++i) {
      takt::sync_wait(task(use, false, 0ms));
      other.join();
    }
  }
  EXPECT_TRUE(none_under_way());
}

TEST_F(RunLoops, PollersAreNotTheLoops) {
  takt::RunLoop loop;
  auto poller = greeter->sendp_twice(4);
  std::int32_t twice = 0;
  poller->twice(10'000, twice);
  EXPECT_EQ(twice, 8);
}

}  // namespace
}  // namespace feature
