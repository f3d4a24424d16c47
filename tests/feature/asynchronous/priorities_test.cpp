// The priorities and policies of the threads that run handlers.
#include <sched.h>

#include <functional>
#include <utility>

#include <takt/async/sent_scope.h>
#include <takt/async/stop_scope.h>
#include <takt/reference/messaging.h>

#include "greeter.h"
#include "job.h"
#include "real_time/own_priority.h"

namespace feature {
namespace {

using Delivery = takt::AsyncSettings::Delivery;

template <class Interface>
CORBA::object_reference<Interface> initial(const Orb& orb, const char* name) {
  return IDL::traits<Interface>::narrow(orb->resolve_initial_references(name));
}

// Records the RT-CORBA priority of each upcall.
class Urgent final : public GreeterServant {
 public:
  std::int32_t twice(std::int32_t n) override {
    seen.add(std::to_string(real_time::own_priority(current).corba));
    return 2 * n;
  }
  CORBA::object_reference<RTCORBA::Current> current;
  Outcomes seen;
};

// Runs a function of the program for each outcome.
class Running final : public LocalHandler {
 public:
  Running(Outcomes& outcomes, std::function<std::string()> run)
      : LocalHandler(outcomes), outcomes_(outcomes), run_(std::move(run)) {}
  void twice(std::int32_t) override { outcomes_.add(run_()); }

 private:
  Outcomes& outcomes_;
  const std::function<std::string()> run_;
};

class Handlers : public testing::TestWithParam<Delivery> {
 protected:
  Handlers()
      : pair({"-ORBPriorityMapping", "direct"}, {"-ORBPriorityMapping", "direct"}),
        current(initial<RTCORBA::Current>(pair.client, "RTCurrent")),
        greeter(pair.publish<Async::Greeter>(
            servant, pair.make_poa({initial<RTCORBA::RTORB>(pair.server, "RTORB")
                                        ->create_priority_model_policy(
                                            RTCORBA::PriorityModel::CLIENT_PROPAGATED, 5)}))) {
    servant->current = initial<RTCORBA::Current>(pair.server, "RTCurrent");
    takt::use_async_settings(pair.client, {.delivery = GetParam()});
  }

  // Calls from a thread of that priority; -1: none. Returns what `run` has returned in the handler.
  std::string in_handler(std::int16_t priority, std::function<std::string()> run) {
    std::thread([&] {
      if (priority >= 0) current->the_priority(priority);
      greeter->sendc_twice(CORBA::make_reference<Running>(outcomes, std::move(run)), 1);
    }).join();
    return outcomes.await(++handled).back();
  }
  // Runs the coroutine from a thread of that priority until it ends.
  void run_at_20(Job (*job)(IDL::traits<Async::Greeter>::ref_type)) {
    std::thread([&] {
      current->the_priority(20);
      job(greeter).ended.get();
    }).join();
  }
  // The RT-CORBA priority, and the native one with what is lent to the thread; 0: an ordinary thread.
  std::string present() const {
    sched_param native{};
    ::sched_getparam(0, &native);
    return std::to_string(real_time::own_priority(current).corba) + " " +
           std::to_string(native.sched_priority);
  }
  std::function<std::string()> looks() {
    return [this] { return present(); };
  }
  std::function<std::string()> sets(std::int16_t priority) {
    return [this, priority] { return current->the_priority(priority), present(); };
  }

  std::function<std::string()> cancels_at_5();

  CORBA::servant_reference<Urgent> servant = CORBA::make_reference<Urgent>();
  OrbPair pair;
  CORBA::object_reference<RTCORBA::Current> current;
  IDL::traits<Async::Greeter>::ref_type greeter;
  Outcomes outcomes;
  std::size_t handled = 0;
};

TEST_P(Handlers, C4_ThatSetAPriorityLeaveItToNoOther) {
  REQUIRE_REAL_TIME();
  const std::string without = in_handler(-1, looks());
  EXPECT_EQ(without.substr(0, 3), "-1 ");
  EXPECT_EQ(in_handler(-1, sets(40)), "40 40");
  EXPECT_EQ(in_handler(-1, looks()), without) << "a call without a priority";
  EXPECT_EQ(in_handler(20, looks()), "20 20");
  EXPECT_EQ(in_handler(20, sets(2)).substr(0, 2), "2 ");
  EXPECT_EQ(in_handler(20, looks()), "20 20") << "a more urgent call";
  EXPECT_EQ(in_handler(-1, looks()), without);
}

// In a POA without a priority model.
TEST_P(Handlers, C13_LocalServantsThatSetAPriorityLeaveItToNoOther) {
  REQUIRE_REAL_TIME();
  class Sets final : public GreeterServant {
   public:
    std::int32_t twice(std::int32_t n) override {
      sched_param native{};
      ::sched_getparam(0, &native);
      seen.add(std::to_string(real_time::own_priority(current).corba) + " " +
               std::to_string(native.sched_priority));
      current->the_priority(40);
      return n;
    }
    CORBA::object_reference<RTCORBA::Current> current;
    Outcomes seen;
  };
  const auto sets = CORBA::make_reference<Sets>();
  sets->current = initial<RTCORBA::Current>(pair.server, "RTCurrent");
  const auto local =
      IDL::traits<Async::Greeter>::narrow(pair.root->id_to_reference(pair.root->activate_object(sets)));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(local->async_twice(i).get(), i);
  EXPECT_EQ(sets->seen.await(3), (std::vector<std::string>{"-1 0", "-1 0", "-1 0"}));
}

TEST_P(Handlers, C4_ThatGetTheOutcomeOfAPollerHaveThePriorityOfItsCall) {
  REQUIRE_REAL_TIME();
  std::thread([&] {
    current->the_priority(20);
    const auto poller = greeter->sendp_twice(1);
    ASSERT_TRUE(poller->is_ready(20'000));
    poller->associated_handler(CORBA::make_reference<Running>(outcomes, looks()));
  }).join();
  EXPECT_EQ(outcomes.one(), "20 20");
}

Job twice_in_a_row(IDL::traits<Async::Greeter>::ref_type greeter) {
  co_await greeter->async_twice(1);
  co_await greeter->async_twice(2);
}

TEST_P(Handlers, C4_GiveThePriorityOfTheirCallToTheCallsThatTheyMake) {
  run_at_20(twice_in_a_row);
  EXPECT_EQ(servant->seen.await(2), (std::vector<std::string>{"20", "20"}));
}

TEST_P(Handlers, C4_ThatSetPoliciesLeaveThemToNoOther) {
  const auto policies = initial<CORBA::PolicyCurrent>(pair.client, "PolicyCurrent");
  const auto count = [&] { return std::to_string(policies->get_policy_overrides({}).size()); };
  const auto set = [&] {
    policies->set_policy_overrides(
        {CORBA::make_reference<Messaging::RelativeRoundtripTimeoutPolicy>(600'000'000)},
        CORBA::SetOverrideType::SET_OVERRIDE);
    return count();
  };
  EXPECT_EQ(in_handler(-1, set), "1");
  EXPECT_EQ(in_handler(-1, count), "0");
}

Job one_after_the_other_has_left(IDL::traits<Async::Greeter>::ref_type greeter) {
  const auto notice = std::make_shared<takt::SentNotice>();
  auto first = [&] {
    const takt::SentScope scope(notice);
    return greeter->async_twice(1);
  }();
  co_await *notice;
  co_await greeter->async_twice(2);
  co_await first;
}

TEST_P(Handlers, C16_ACoroutineGoesOnAtThePriorityOfTheCallThatHasLeft) {
  run_at_20(one_after_the_other_has_left);
  EXPECT_EQ(servant->seen.await(2), (std::vector<std::string>{"20", "20"}));
}

// Call it in the thread that reads, which then cannot send the request.
std::function<std::string()> Handlers::cancels_at_5() {
  return [this] {
    std::stop_source stop;
    std::thread([&] {
      current->the_priority(5);
      const takt::StopScope stops(stop.get_token());
      const takt::SentScope tells(std::make_shared<takt::SentNotice>());
      greeter->sendc_twice(nullptr, 1);
    }).join();
    stop.request_stop();
    return present();
  };
}

TEST_P(Handlers, C4_ThatCancelCallsOfOtherPrioritiesGoOnAtTheirOwn) {
  REQUIRE_REAL_TIME();
  EXPECT_EQ(in_handler(20, cancels_at_5()), "20 20");
}

TEST_P(Handlers, C16_ListenersThatCancelCallsGoOnAtThePriorityOfTheirs) {
  REQUIRE_REAL_TIME();
  struct Cancels final : takt::SentListener {
    Cancels(Outcomes& to, std::function<std::string()> run) : outcomes(to), cancels(std::move(run)) {}
    void sent() noexcept override { outcomes.add(cancels()); }
    void not_sent() noexcept override { outcomes.add("not sent"); }
    Outcomes& outcomes;
    const std::function<std::string()> cancels;
  };
  std::thread([&] {
    current->the_priority(20);
    const takt::SentScope tells(std::make_shared<Cancels>(outcomes, cancels_at_5()));
    greeter->sendc_twice(nullptr, 1);
  }).join();
  EXPECT_EQ(outcomes.one(), "20 20");
}

INSTANTIATE_TEST_SUITE_P(Of, Handlers, testing::Values(Delivery::thread, Delivery::reading_thread),
                         [](const auto& each) {
                           return each.param == Delivery::thread ? "AThread" : "TheReadingThread";
                         });

}  // namespace
}  // namespace feature
