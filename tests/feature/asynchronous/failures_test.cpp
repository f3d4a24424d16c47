// Asynchronous calls that end badly. Each ends once.
#include <algorithm>
#include <semaphore>

#include <takt/reference/messaging.h>
#include <takt/reference/quality.h>

#include "greeter.h"
#include "raw_giop_server.h"

namespace feature {
namespace {

struct FailingCalls : testing::Test, AsyncOrbs {
  IDL::traits<Async::Greeter>::ref_type at(const Peer& server) {
    return takt::reference::make_stub<Async::Greeter>(pair.client->string_to_object(server.url())->_ref());
  }
};

TEST_F(FailingCalls, C6_ThatTakeTooLongGetTimeout) {
  const auto current =
      IDL::traits<CORBA::PolicyCurrent>::narrow(pair.client->resolve_initial_references("PolicyCurrent"));
  CORBA::Any limit;
  limit <<= TimeBase::TimeT{3'000'000};  // 300 ms
  const auto policy = pair.client->create_policy(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, limit);
  const auto bounded = IDL::traits<Async::Greeter>::narrow(
      greeter->_set_policy_overrides({policy}, CORBA::SetOverrideType::ADD_OVERRIDE));
  bounded->sendc_wait_at_gate(handler());
  EXPECT_EQ(outcomes.one().substr(0, 22), "wait_at_gate: TIMEOUT ");
  servant->open();
  greeter->sendc_twice(handler(), 4);  // the late reply is dropped
  EXPECT_EQ(outcomes.await(2)[1], "twice 8");
}

TEST_F(FailingCalls, C6_EndInTimeInAnyOrderOfTheirDeadlines) {
  const auto call = [&](std::chrono::milliseconds limit, bool waits) {
    const takt::DeadlineScope scope(limit);
    waits ? greeter->sendc_wait_at_gate(handler()) : greeter->sendc_twice(handler(), 1);
  };
  call(15s, false);
  EXPECT_EQ(outcomes.one(), "twice 2");
  const auto begun = std::chrono::steady_clock::now();
  for (const auto limit : {15'000ms, 300ms, 200ms, 100ms, 400ms}) call(limit, true);
  const auto all = outcomes.await(5);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 10s);
  ASSERT_EQ(all.size(), 5u);
  for (std::size_t i = 1; i < all.size(); ++i) EXPECT_EQ(all[i].substr(0, 22), "wait_at_gate: TIMEOUT ");
  servant->open();
  EXPECT_EQ(outcomes.await(6)[5], "wait_at_gate");
}

TEST_F(FailingCalls, C6_ObeyTheOrbsRoundTripTimeout) {
  AsyncOrbs bounded({"-ORBRoundTripTimeout", "50ms"});
  for (int i = 0; i < 5; ++i) bounded.greeter->sendc_wait_at_gate(bounded.handler());
  for (const auto& outcome : bounded.outcomes.await(5))
    EXPECT_EQ(outcome.substr(0, 22), "wait_at_gate: TIMEOUT ");
  bounded.servant->open();
}

// The connection's watch ends them.
TEST_F(FailingCalls, C6_ObeyALongRoundTripTimeout) {
  AsyncOrbs bounded({"-ORBRoundTripTimeout", "1s"});
  const auto begun = std::chrono::steady_clock::now();
  for (int i = 0; i < 5; ++i) bounded.greeter->sendc_wait_at_gate(bounded.handler());
  auto pending = bounded.greeter->async_wait_at_gate();
  EXPECT_THROW(pending.get(), CORBA::TIMEOUT);
  for (const auto& outcome : bounded.outcomes.await(5))
    EXPECT_EQ(outcome.substr(0, 22), "wait_at_gate: TIMEOUT ");
  EXPECT_GE(std::chrono::steady_clock::now() - begun, 1s) << "never early";
  EXPECT_TRUE(bounded.none_under_way());
  bounded.servant->open();
  bounded.greeter->sendc_twice(bounded.handler(), 4);  // the late replies are dropped
  EXPECT_EQ(bounded.outcomes.await(6)[5], "twice 8");
}

TEST_F(FailingCalls, C6_ObeyADeadlineThatIsShorterThanTheRoundTripTimeout) {
  AsyncOrbs bounded({"-ORBRoundTripTimeout", "20s"});
  bounded.greeter->sendc_twice(bounded.handler(), 1);
  EXPECT_EQ(bounded.outcomes.one(), "twice 2");
  {
    const takt::DeadlineScope scope(1s);
    bounded.greeter->sendc_wait_at_gate(bounded.handler());
  }
  EXPECT_EQ(bounded.outcomes.await(2)[1].substr(0, 22), "wait_at_gate: TIMEOUT ");
  bounded.servant->open();
}

TEST_F(FailingCalls, C6_WhoseDeadlineHasPassedThrowAtOnce) {
  const takt::DeadlineScope passed(-1ms);
  EXPECT_THROW(greeter->sendc_twice(handler(), 1), CORBA::TIMEOUT);
  EXPECT_EQ(outcomes.size(), 0u);
  EXPECT_TRUE(none_under_way());
}

TEST_F(FailingCalls, C1_ToAServerThatIsNotThereThrow) {
  std::string url;
  {
    url = HostileServer([](int, int) {}).url();
  }
  const auto nobody = takt::reference::make_stub<Async::Greeter>(pair.client->string_to_object(url)->_ref());
  EXPECT_THROW(nobody->sendc_twice(handler(), 1), CORBA::TRANSIENT);
  EXPECT_TRUE(none_under_way());
}

TEST_F(FailingCalls, C8_OnALostConnectionGetCommFailure) {
  const Peer server([](Peer& peer, int fd, int) { peer.receive(fd); });
  at(server)->sendc_twice(handler(), 1);
  EXPECT_EQ(outcomes.one(), "twice: COMM_FAILURE 0 MAYBE");
}

TEST_F(FailingCalls, C8_OnAConnectionThatIsClosedInGoodOrderAreSentAgain) {
  const Peer server([](Peer& peer, int fd, int number) {
    Octs all = peer.receive(fd);
    if (number == 0) {
      while (ids_in(all).size() < 3) {
        const Octs more = peer.receive(fd);
        all.insert(all.end(), more.begin(), more.end());
      }
      return send_octets(fd, close_message());
    }
    for (int answered = 0; answered < 3 && !all.empty(); all = answered < 3 ? peer.receive(fd) : Octs())
      for (const Octs& id : ids_in(all)) {
        send_octets(fd, reply_to(id, 0, {9, 0, 0, 0}));
        ++answered;
      }
  });
  for (int i = 0; i < 3; ++i) at(server)->sendc_twice(handler(), i);
  EXPECT_EQ(outcomes.await(3), std::vector<std::string>(3, "twice 9"));
}

TEST_F(FailingCalls, C8_ToAServerThatAlwaysClosesEndWithTransient) {
  const Peer server([](Peer& peer, int fd, int) {
    peer.receive(fd);
    send_octets(fd, close_message());
  });
  at(server)->sendc_twice(handler(), 1);
  EXPECT_EQ(outcomes.one().substr(0, 6), "twice:");
  EXPECT_TRUE(none_under_way());
}

TEST_F(FailingCalls, C7_ThatAreForwardedGoOnWithTheSameHandler) {
  const Octs there = ior_octets(pair.client, greeter);
  const Peer server([&](Peer& peer, int fd, int) { forward_each(peer, fd, there); });
  const auto forwarded = at(server);
  forwarded->sendc_greet(handler(), "moved", 3);
  EXPECT_EQ(outcomes.one(), "greet hello moved -3 2");
  forwarded->sendc_refuse(handler(), "moved");
  EXPECT_EQ(outcomes.await(2)[1], "refuse: Refused moved wide 42");
}

TEST_F(FailingCalls, C7_ThatAreForwardedKeepLongArguments) {
  class Compares final : public Async::AMI_GreeterHandler {
   public:
    explicit Compares(Outcomes& outcomes) : outcomes_(outcomes) {}
    void echo(const Async::Octets& octets) override {
      outcomes_.add(octets == Async::Octets(100'000, 7) ? "the same" : "others");
    }

   private:
    Outcomes& outcomes_;
  };
  const Octs there = ior_octets(pair.client, greeter);
  const Peer server([&](Peer& peer, int fd, int) { forward_each(peer, fd, there); });
  at(server)->sendc_echo(CORBA::make_reference<Compares>(outcomes), Async::Octets(100'000, 7));
  EXPECT_EQ(outcomes.one(), "the same");
}

TEST_F(FailingCalls, C7_ThatAreForwardedInCirclesEnd) {
  Octs there;
  std::mutex mutex;
  const Peer server([&](Peer& peer, int fd, int) {
    for (Octs all = peer.receive(fd); !all.empty(); all = peer.receive(fd))
      for (const Octs& id : ids_in(all)) {
        std::lock_guard lock(mutex);
        send_octets(fd, reply_to(id, 3, there));
      }
  });
  {
    std::lock_guard lock(mutex);
    there = ior_octets(pair.client, at(server));
  }
  at(server)->sendc_twice(handler(), 1);
  EXPECT_EQ(outcomes.one(), "twice: TRANSIENT 2 NO");
}

TEST_F(FailingCalls, C7_ThatNeedAnotherAddressingModeGetIt) {
  std::atomic<int> asked{0};
  const Peer server([&](Peer& peer, int fd, int number) {
    for (Octs all = peer.receive(fd); !all.empty(); all = peer.receive(fd))
      for (const Octs& id : ids_in(all)) {
        ++asked;
        send_octets(fd, number == 0 ? reply_to(id, 5, {1, 0}) : reply_to(id, 0, {6, 0, 0, 0}));
        if (number == 0) return;
      }
  });
  at(server)->sendc_twice(handler(), 3);
  EXPECT_EQ(outcomes.one(), "twice 6");
  EXPECT_EQ(asked, 2);
}

// A thread waits for their replies, in the time that began with the call.
TEST_F(FailingCalls, C6_ThatNeedAnotherAddressingModeEndInTheirTime) {
  const Peer server([&](Peer& peer, int fd, int number) {
    for (Octs all = peer.receive(fd); !all.empty(); all = peer.receive(fd))
      for (const Octs& id : ids_in(all)) {
        std::this_thread::sleep_for(1500ms);
        send_octets(fd, number == 0 ? reply_to(id, 5, {1, 0}) : reply_to(id, 0, {6, 0, 0, 0}));
        if (number == 0) return;
      }
  });
  CORBA::Any limit;
  limit <<= TimeBase::TimeT{20'000'000};  // 2 s
  const auto policy = pair.client->create_policy(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, limit);
  const auto bounded = takt::reference::make_stub<Async::Greeter>(
      at(server)->_set_policy_overrides({policy}, CORBA::SetOverrideType::ADD_OVERRIDE)->_ref());
  bounded->sendc_twice(handler(), 3);
  EXPECT_EQ(outcomes.one().substr(0, 15), "twice: TIMEOUT ");
}

TEST_F(FailingCalls, C1_WithRepliesThatComeTwiceOrForNobodyEndOnce) {
  const Peer server([](Peer& peer, int fd, int) {
    for (Octs all = peer.receive(fd); !all.empty(); all = peer.receive(fd))
      for (const Octs& id : ids_in(all)) {
        Octs nobody = id;
        nobody[3] = 0x77;
        send_octets(fd, reply_to(nobody, 0, {5, 0, 0, 0}));
        for (int i = 0; i < 3; ++i) send_octets(fd, reply_to(id, 0, {5, 0, 0, 0}));
      }
  });
  const auto there = at(server);
  for (int i = 0; i < 20; ++i) {
    there->sendc_twice(handler(), i);
    outcomes.await(static_cast<std::size_t>(i) + 1);
  }
  EXPECT_EQ(outcomes.await(20), std::vector<std::string>(20, "twice 5"));
}

TEST_F(FailingCalls, C1_WithRepliesThatCannotBeReadGetMarshal) {
  const Peer server([](Peer& peer, int fd, int) {
    for (Octs all = peer.receive(fd); !all.empty(); all = peer.receive(fd))
      for (const Octs& id : ids_in(all)) send_octets(fd, reply_to(id, 0, {5, 0}));
  });
  at(server)->sendc_twice(handler(), 1);
  EXPECT_EQ(outcomes.one(), "twice: MARSHAL 0 YES");
}

TEST_F(FailingCalls, C1_WithAnExceptionThatTheOperationDoesNotDeclareGetUnknown) {
  MessageOctets id_text(0);
  id_text.text("IDL:Async/Unlisted:1.0");
  const Octs all_octets = id_text.finish();
  const Octs body(all_octets.begin() + 12, all_octets.end());
  const Peer server([&](Peer& peer, int fd, int) {
    for (Octs all = peer.receive(fd); !all.empty(); all = peer.receive(fd))
      for (const Octs& id : ids_in(all)) send_octets(fd, reply_to(id, 1, body));
  });
  at(server)->sendc_twice(handler(), 1);
  EXPECT_EQ(outcomes.one(), "twice: UNKNOWN 1 YES");
}

TEST_F(FailingCalls, C1_OnOctetsThatAreNotGiopEnd) {
  const Peer server([](Peer& peer, int fd, int) {
    peer.receive(fd);
    send_octets(fd, Octs(64, 0xff));
    peer.receive(fd);
  });
  for (int i = 0; i < 4; ++i) at(server)->sendc_twice(handler(), i);
  for (const auto& outcome : outcomes.await(4)) EXPECT_EQ(outcome.substr(0, 19), "twice: COMM_FAILURE");
}

TEST(DestroyedOrbs, C10_EndTheirCallsOnceEach) {
  AsyncOrbs orbs;
  constexpr int calls = 10'000;
  const HandlerRef handler = orbs.handler();
  const Orb client = make_orb({"-ORBMaxOutstandingRequests", "20000"}, "short");
  const auto greeter = IDL::traits<Async::Greeter>::narrow(
      client->string_to_object(orbs.pair.server->object_to_string(orbs.greeter)));
  for (int i = 0; i < calls; ++i) greeter->sendc_wait_at_gate(handler);
  EXPECT_TRUE(orbs.servant->has_waiting(8));
  client->destroy();
  const auto all = orbs.outcomes.await(calls);
  EXPECT_EQ(all.size(), static_cast<std::size_t>(calls));
  for (const auto& outcome : all) EXPECT_EQ(outcome.substr(0, 29), "wait_at_gate: BAD_INV_ORDER 4");
  EXPECT_THROW(greeter->sendc_twice(handler, 1), CORBA::BAD_INV_ORDER);
  orbs.servant->open();
  EXPECT_EQ(orbs.outcomes.size(), static_cast<std::size_t>(calls)) << "no reply ends a call again";
}

TEST(DestroyedOrbs, C10_WhoseLastReferenceIsThatOfACallEnd) {
  AsyncOrbs orbs;
  const std::string text = orbs.pair.server->object_to_string(orbs.greeter);
  for (const auto delivery :
       {takt::AsyncSettings::Delivery::reading_thread, takt::AsyncSettings::Delivery::thread})
    for (int round = 1; round <= 30; ++round) {
      Outcomes outcomes;
      Orb client = make_orb({}, "short");
      takt::use_async_settings(client, {.delivery = delivery});
      const HandlerRef handler = CORBA::make_reference<LocalHandler>(outcomes);
      IDL::traits<Async::Greeter>::narrow(client->string_to_object(text))->sendc_twice(handler, 1);
      if (round % 2 == 0) outcomes.await(1);
      client->destroy();
      client = nullptr;
      EXPECT_EQ(outcomes.await(1).size(), 1u);
    }
}

// Runs each outcome at once; the first post() returns only after `released`.
class HoldingExecutor final : public takt::Executor {
 public:
  void post(takt::Completion completion) override {
    completion();
    if (!holds_.exchange(false)) return;
    in_time_ = released.try_acquire_for(10s);
    returned.release();
  }
  std::binary_semaphore released{0}, returned{0};
  bool in_time() const { return in_time_; }

 private:
  std::atomic<bool> holds_{true};
  std::atomic<bool> in_time_{false};
};

TEST_F(FailingCalls, OfAConnectionWhoseThreadIsStillInAnExecutorDelayNoOtherConnection) {
  const Peer gone([](Peer& peer, int fd, int) { peer.receive(fd); });
  const auto executor = std::make_shared<HoldingExecutor>();
  takt::use_async_settings(pair.client,
                           {.delivery = takt::AsyncSettings::Delivery::executor, .executor = executor});
  std::thread([&] { at(gone)->sendc_twice(handler(), 1); }).join();
  EXPECT_TRUE(outcomes.one().starts_with("twice: COMM_FAILURE")) << outcomes.one();
  EXPECT_TRUE(none_under_way());
  greeter->sendc_twice(handler(), 2);  // begins another connection
  EXPECT_EQ(outcomes.await(2)[1], "twice 4");
  executor->released.release();
  EXPECT_TRUE(executor->returned.try_acquire_for(10s));
  EXPECT_TRUE(executor->in_time());
}

TEST_F(FailingCalls, C1_EndOnceEachWhenTheServerDiesAmongThem) {
  for (int round = 0; round < 10; ++round) {
    Outcomes here;
    const Peer server([&](Peer& peer, int fd, int number) {
      if (number > 3) return;
      for (int reads = 0; reads < 1 + number; ++reads) {
        const Octs all = peer.receive(fd, 50ms);
        for (const Octs& id : ids_in(all))
          if (id[0] % 4 != 0) send_octets(fd, reply_to(id, 0, {1, 0, 0, 0}));
      }
    });
    const auto there = at(server);
    const HandlerRef own = CORBA::make_reference<LocalHandler>(here);
    std::size_t sent = 0;
    for (int i = 0; i < 100; ++i) try {
        there->sendc_twice(own, i);
        ++sent;
      } catch (const CORBA::SystemException&) {
      }
    EXPECT_EQ(here.await(sent).size(), sent);
    EXPECT_TRUE(none_under_way());
    EXPECT_EQ(here.size(), sent);
  }
}

}  // namespace
}  // namespace feature
