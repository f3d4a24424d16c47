// Limits of the calls under way.
#include <pthread.h>

#include <future>
#include <latch>

#include "greeter.h"

namespace feature {
namespace {

using WhenFull = takt::AsyncSettings::WhenFull;

TEST(AsyncLimits, C9_RefuseFurtherCallsWithTransient) {
  AsyncOrbs orbs;
  takt::use_async_settings(orbs.pair.client, {.most_calls = 3, .when_full = WhenFull::refuse});
  for (int i = 0; i < 3; ++i) orbs.greeter->sendc_wait_at_gate(orbs.handler());
  EXPECT_THROW(orbs.greeter->sendc_wait_at_gate(orbs.handler()), CORBA::TRANSIENT);
  EXPECT_EQ(takt::async_calls_under_way(orbs.pair.client), 3u);
  orbs.servant->open();
  EXPECT_EQ(orbs.outcomes.await(3).size(), 3u);
  EXPECT_TRUE(orbs.none_under_way());
  orbs.greeter->sendc_twice(orbs.handler(), 1);
  EXPECT_EQ(orbs.outcomes.await(4)[3], "twice 2");
}

TEST(AsyncLimits, C9_MayBeOptions) {
  AsyncOrbs orbs({"-ORBMaxAsynchronousCalls", "3", "-ORBAsynchronousCallsFull", "refuse"});
  for (int i = 0; i < 3; ++i) orbs.greeter->sendc_wait_at_gate(orbs.handler());
  EXPECT_THROW(orbs.greeter->sendc_wait_at_gate(orbs.handler()), CORBA::TRANSIENT);
  takt::use_async_settings(orbs.pair.client, {.most_calls = 4});
  orbs.greeter->sendc_wait_at_gate(orbs.handler());
  orbs.servant->open();
  EXPECT_EQ(orbs.outcomes.await(4).size(), 4u);
}

TEST(RequestLimit, ALongerRequestIsNotSent) {
  AsyncOrbs orbs({"-ORBMaxRequestSize", "10000"});
  const auto octets = [](std::size_t count) { return Async::Octets(count); };
  EXPECT_EQ(orbs.greeter->echo(octets(9000)).size(), 9000u);
  const auto refused = [](const auto& call) {
    try {
      call();
    } catch (const CORBA::MARSHAL& marshal) {
      EXPECT_EQ(marshal.completed(), CORBA::COMPLETED_NO);
      return std::string(marshal.what());
    }
    return std::string();
  };
  const auto calls = orbs.servant->calls.load();
  for (const std::size_t count : {10'000, 10'000'000})
    for (const std::string& text :
         {refused([&] { static_cast<void>(orbs.greeter->echo(octets(count))); }),
          refused([&] { orbs.greeter->sendc_echo(orbs.handler(), octets(count)); })})
      EXPECT_NE(text.find(" octets, and -ORBMaxRequestSize allows 10000"), std::string::npos) << text;
  EXPECT_TRUE(orbs.none_under_way());
  EXPECT_EQ(orbs.greeter->twice(1), 2) << "the connection is as it was";
  EXPECT_EQ(orbs.servant->calls.load(), calls + 1);
}

TEST(ReplyLimit, ALongerReplyIsMarshal) {
  const auto octets = [](std::size_t count) { return Async::Octets(count); };
  for (const char* const concurrency : {"thread-per-connection", "worker-pool", "reactive"}) {
    SCOPED_TRACE(concurrency);
    Outcomes outcomes;
    const auto servant = CORBA::make_reference<GreeterServant>();
    OrbPair pair({"-ORBServerConcurrency", concurrency, "-ORBMaxReplySize", "10000"});
    const auto greeter = pair.publish<Async::Greeter>(servant);
    EXPECT_EQ(greeter->echo(octets(9'000)).size(), 9'000u);
    for (const std::size_t count : {10'000, 1'000'000}) {
      try {
        static_cast<void>(greeter->echo(octets(count)));
        ADD_FAILURE() << count;
      } catch (const CORBA::MARSHAL& refused) {
        EXPECT_EQ(refused.completed(), CORBA::COMPLETED_YES);
      }
    }
    EXPECT_EQ(greeter->twice(1), 2) << "the connection is as it was";
    // Calls within the process have no limit.
    const auto here = IDL::traits<Async::Greeter>::narrow(pair.root->servant_to_reference(servant));
    here->sendc_echo(CORBA::make_reference<LocalHandler>(outcomes), octets(20'000));
    EXPECT_EQ(outcomes.await(1).front(), "echo 20000");
  }
}

TEST(AsyncLimits, C2_WhoDeliversMayBeAnOption) {
  class NamingItsThread final : public LocalHandler {
   public:
    explicit NamingItsThread(Outcomes& all) : LocalHandler(all), all_(all) {}
    void twice(std::int32_t) override {
      char name[16] = {};
      ::pthread_getname_np(::pthread_self(), name, sizeof name);
      all_.add(name);
    }

   private:
    Outcomes& all_;
  };
  const auto thread_of = [](const char* delivery) {
    AsyncOrbs orbs({"-ORBAsynchronousDelivery", delivery});
    orbs.greeter->sendc_twice(CORBA::make_reference<NamingItsThread>(orbs.outcomes), 1);
    return orbs.outcomes.one();
  };
  EXPECT_EQ(thread_of("thread"), "takt-callbacks");
  EXPECT_EQ(thread_of("reading-thread"), "takt-client-io");
}

TEST(AsyncLimits, C9_LetFurtherCallsWait) {
  AsyncOrbs orbs;
  takt::use_async_settings(orbs.pair.client, {.most_calls = 3});
  for (int i = 0; i < 3; ++i) orbs.greeter->sendc_wait_at_gate(orbs.handler());
  std::atomic<bool> returned{false};
  std::thread fourth([&] {
    orbs.greeter->sendc_twice(orbs.handler(), 2);
    returned = true;
  });
  EXPECT_TRUE(orbs.servant->has_waiting(3));
  EXPECT_FALSE(returned);
  orbs.servant->open();
  fourth.join();
  EXPECT_EQ(orbs.outcomes.await(4).size(), 4u);
}

TEST(AsyncLimits, C9_LetCallsWaitNoLongerThanTheyMayLast) {
  AsyncOrbs orbs({"-ORBRoundTripTimeout", "20s"});
  takt::use_async_settings(orbs.pair.client, {.most_calls = 1});
  orbs.greeter->sendc_wait_at_gate(orbs.handler());
  const takt::DeadlineScope soon(50ms);
  EXPECT_THROW(orbs.greeter->sendc_twice(orbs.handler(), 1), CORBA::TRANSIENT);
  orbs.servant->open();
  EXPECT_EQ(orbs.outcomes.one(), "wait_at_gate");
}

TEST(AsyncLimits, C10_EndTheWaitForRoomWithTheOrb) {
  AsyncOrbs orbs;
  takt::use_async_settings(orbs.pair.client, {.most_calls = 1});
  class Busy : public LocalHandler {
   public:
    using LocalHandler::LocalHandler;
    void twice(std::int32_t) override {
      begun.count_down();
      over.wait();
    }
    std::latch begun{1}, over{1};
  };
  const auto busy = CORBA::make_reference<Busy>(orbs.outcomes);
  orbs.greeter->sendc_twice(HandlerRef(busy), 1);
  busy->begun.wait();
  auto waits = std::async(std::launch::async, [&] { orbs.greeter->sendc_twice(orbs.handler(), 2); });
  EXPECT_EQ(waits.wait_for(30ms), std::future_status::timeout);
  orbs.pair.client->shutdown(true);
  EXPECT_EQ(waits.wait_for(10s), std::future_status::ready) << "though the handler still runs";
  busy->over.count_down();
  EXPECT_THROW(waits.get(), CORBA::BAD_INV_ORDER);
}

TEST(AsyncLimits, C9_OfConnectionsApplyToo) {
  AsyncOrbs orbs({"-ORBMaxOutstandingRequests", "2"});
  takt::use_async_settings(orbs.pair.client, {.when_full = WhenFull::refuse});
  for (int i = 0; i < 2; ++i) orbs.greeter->sendc_wait_at_gate(orbs.handler());
  EXPECT_THROW(orbs.greeter->sendc_wait_at_gate(orbs.handler()), CORBA::TRANSIENT);
  takt::use_async_settings(orbs.pair.client, {});
  std::thread waits([&] { orbs.greeter->sendc_twice(orbs.handler(), 2); });
  orbs.servant->open();
  waits.join();
  EXPECT_EQ(orbs.outcomes.await(3).size(), 3u);
}

TEST(AsyncLimits, C9_MakeHandlersGetTransientInsteadOfWaitingForThemselves) {
  class Greedy final : public LocalHandler {
   public:
    Greedy(Outcomes& outcomes, Async::Greeter& greeter)
        : LocalHandler(outcomes), greeter_(greeter), all_(outcomes) {}
    void twice(std::int32_t) override {
      try {
        greeter_.sendc_twice(nullptr, 1);
        greeter_.sendc_twice(nullptr, 1);
        all_.add("sent");
      } catch (const CORBA::TRANSIENT&) {
        all_.add("TRANSIENT");
      }
    }

   private:
    Async::Greeter& greeter_;
    Outcomes& all_;
  };
  AsyncOrbs orbs;
  takt::use_async_settings(orbs.pair.client, {.most_calls = 1});
  orbs.greeter->sendc_twice(CORBA::make_reference<Greedy>(orbs.outcomes, *orbs.greeter), 1);
  EXPECT_EQ(orbs.outcomes.one(), "TRANSIENT");
}

}  // namespace
}  // namespace feature
