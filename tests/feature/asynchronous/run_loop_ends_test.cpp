// How calls of a thread with a run loop end: with their time, after a forward, cancelled, with their loop or
// ORB, or in another thread. Numbers in the names are those of the contract in docs/user/asynchronous.md.
#include <future>

#include <takt/async/sent_scope.h>
#include <takt/async/stop_scope.h>
#include <takt/reference/messaging.h>
#include <takt/reference/quality.h>

#include "../../eventually.h"
#include "interceptors/probes.h"
#include "job.h"
#include "run_loops.h"

namespace feature {
namespace {

using takt::test::eventually;

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
  for (std::size_t length = 0; length < 40; ++length) {
    const std::string who(length, 'w');
    EXPECT_EQ(takt::sync_wait(task(at(server), who)), "hello " + who) << length;
  }
  const std::string longer(100'000, 'x');
  EXPECT_EQ(takt::sync_wait(task(at(server), longer)), "hello " + longer);
}

TEST_F(RunLoops, C6_CallsWithPoliciesOfTheReferenceOrTheOrbLeaveAtOnce) {
  CORBA::Any time;
  time <<= TimeBase::TimeT{20'000'000};  // 2 s
  const auto policy = pair.client->create_policy(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, time);
  const auto task = [](GreeterRef greeter, ServantRef servant, int waiting) -> takt::Task<> {
    auto gate = greeter->async_wait_at_gate();
    EXPECT_TRUE(servant->has_waiting(waiting));  // the time of the call passes there
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

TEST_F(RunLoops, C10_AnOrbThatIsShutDownBeginsNoCall) {
  const auto task = [](GreeterRef greeter) -> takt::Task<int> { co_return co_await greeter->async_twice(1); };
  EXPECT_EQ(takt::sync_wait(task(greeter)), 2);
  pair.client->shutdown(false);
  takt::RunLoop loop;
  EXPECT_EQ(failure_of([&] { greeter->sendc_twice(handler(), 1); }), "BAD_INV_ORDER 4 NO");
  EXPECT_EQ(failure_of([&] { static_cast<void>(greeter->async_twice(1)); }), "BAD_INV_ORDER 4 NO");
  EXPECT_EQ(failure_of([&] { greeter->twice(1); }), "BAD_INV_ORDER 4 NO");
  loop.run();
  EXPECT_EQ(outcomes.size(), 0u);
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

TEST_F(RunLoops, AnotherThreadNeedsNoTurnOfTheLoopToUseAKeptCall) {
  takt::RunLoop loop;
  const auto in_another_thread = [](const auto& use) {
    auto done = std::async(std::launch::async, use);
    if (done.wait_for(20s) == std::future_status::ready) return done.get();
    ADD_FAILURE() << "it waits for the loop's thread, which waits for it";
    std::abort();
  };
  {
    auto call = greeter->async_twice(1);
    in_another_thread([&] { EXPECT_EQ(call.get(), 2); });
  }
  {
    auto call = greeter->async_twice(2);
    in_another_thread([&] { EXPECT_EQ(call.future().get(), 4); });
  }
  {
    auto call = greeter->async_twice(3);
    in_another_thread([&] {
      EXPECT_TRUE(eventually([&] { return call.is_ready(); }));
      EXPECT_EQ(call.get(), 6);
    });
  }
  {
    std::stop_source stop;
    auto gate = greeter->async_wait_at_gate();
    in_another_thread([&] {
      gate.stopped_by(stop.get_token());
      EXPECT_TRUE(servant->has_waiting(1));
      stop.request_stop();
      EXPECT_TRUE(gate.get_outcome().cancelled());
    });
    servant->open();
  }
  {
    servant->calls = 0;
    auto* const call = new auto(greeter->async_twice(4));
    in_another_thread([&] { delete call; });
  }
  EXPECT_EQ(greeter->twice(5), 10);  // on the connection that the calls have not used
  auto kept = greeter->async_twice(6);
  loop.spawn([](auto& call) -> takt::Task<> { EXPECT_EQ(co_await call, 12); }(kept));
  loop.run();
  EXPECT_TRUE(none_under_way());
  EXPECT_EQ(servant->calls, 3);
}

TEST_F(RunLoops, ACallOutlivesTheReferenceThatBeganIt) {
  AsyncOrbs others;
  const auto task = [](GreeterRef own, GreeterRef other) -> takt::Task<> {
    auto call = own->async_twice(1);
    own = nullptr;
    EXPECT_EQ(co_await call, 2);
    auto first = other->async_twice(2);
    other = nullptr;
    auto second = first.future();
    EXPECT_EQ(second.get(), 4);
  };
  const auto copy_of = [](const AsyncOrbs& orbs) {
    return takt::reference::make_stub<Async::Greeter>(
        orbs.pair.client->string_to_object(orbs.pair.client->object_to_string(orbs.greeter))->_ref());
  };
  for (int i = 0; i < 3; ++i) takt::sync_wait(task(copy_of(*this), copy_of(others)));
  takt::RunLoop loop;
  GreeterRef reference = copy_of(*this);
  auto call = reference->async_twice(3);
  reference = nullptr;
  std::jthread([&] { EXPECT_EQ(call.get(), 6); }).join();
  EXPECT_TRUE(none_under_way());
}

TEST_F(RunLoops, AKeptCallThatAnotherThreadTakesIsSentOnce) {
  servant->calls = 0;
  constexpr int count = 500;
  for (int i = 0; i < count; ++i) {
    std::jthread other;
    std::atomic<bool> begun{false};
    {
      takt::RunLoop loop;
      auto call = greeter->async_twice(i);
      other = std::jthread([&, i] {
        begun = true;
        EXPECT_EQ(call.get(), 2 * i);
      });
      while (!begun) std::this_thread::yield();
      if (i % 3 == 0) loop.run();
      if (i % 3 == 1) greeter->fire();
      other.join();
    }
  }
  EXPECT_EQ(servant->calls, count);
  EXPECT_TRUE(none_under_way());
}

TEST_F(RunLoops, ACallOfAnOuterLoopThatAnInnerOneAwaitsEndsThere) {
  const auto thread = std::this_thread::get_id();
  const auto await_it = [&](auto& call) -> takt::Task<> {
    co_await call;
    EXPECT_EQ(std::this_thread::get_id(), thread);
  };
  takt::RunLoop outer;
  auto kept = greeter->async_twice(6);
  takt::sync_wait(await_it(kept));
  auto gate = greeter->async_wait_at_gate();
  auto sent = greeter->async_twice(7), after = greeter->async_twice(8);
  greeter->sendc_twice(handler(), 1);
  takt::sync_wait(await_it(sent));  // the outcome may be there already, or come later
  auto opens = std::async(std::launch::async, [&] {
    EXPECT_TRUE(servant->has_waiting(1));
    std::this_thread::sleep_for(20ms);
    servant->open();
  });
  takt::sync_wait(await_it(gate));
  EXPECT_EQ(outcomes.size(), 0u) << "the handler belongs to the outer loop";
  outer.spawn(await_it(after));
  outer.run();
  EXPECT_EQ(outcomes.size(), 1u);
  EXPECT_TRUE(none_under_way());
}

TEST_F(RunLoops, GetInAnotherThreadDoesNotWaitForTheLoop) {
  takt::RunLoop loop;
  auto first = greeter->async_twice(1), second = greeter->async_twice(2);  // both are sent
  std::thread([&] { EXPECT_EQ(first.get(), 2); }).join();
  std::thread([&] { EXPECT_EQ(second.future().get(), 4); }).join();
  auto gate = greeter->async_wait_at_gate();
  auto last = greeter->async_twice(3);
  std::thread other([&] {
    EXPECT_TRUE(servant->has_waiting(1));
    std::this_thread::sleep_for(20ms);
    last.get();
    auto opens = std::async(std::launch::async, [&] {
      std::this_thread::sleep_for(20ms);
      servant->open();
    });
    gate.get();
  });
  loop.run();  // ends when the calls have ended, or were taken away
  other.join();
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
