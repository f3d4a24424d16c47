// Pollers of asynchronous calls, and sets of them.
#include <future>
#include <thread>

#include <takt/dynamic/request.h>

#include "../../eventually.h"
#include "greeter.h"

namespace feature {
namespace {

using takt::test::eventually;

constexpr std::uint32_t long_time = 20'000;  // ms

struct Polled : testing::Test, AsyncOrbs {
  // Makes a call whose outcome waits for the gate, and waits until it is there.
  auto at_gate() {
    auto poller = greeter->sendp_wait_at_gate();
    EXPECT_TRUE(servant->has_waiting(1));
    return poller;
  }
};

template <class Failure>
std::string text_of(const Failure& failure) {
  return std::string(failure._name()) + " " + std::to_string(failure.minor() & 0xfffu);
}
template <class Call>
std::string raised(const Call& call) {
  try {
    call();
  } catch (const CORBA::SystemException& failure) {
    return text_of(failure);
  }
  return "nothing";
}

TEST_F(Polled, CallsGiveResultsAndOutValuesToWhoWaits) {
  const auto poller = greeter->sendp_greet("world", 5);
  std::string text;
  std::int32_t n = 0;
  Async::Longs numbers;
  poller->greet(long_time, text, n, numbers);
  EXPECT_EQ(text, "hello world");
  EXPECT_EQ(n, -5);
  EXPECT_EQ(numbers, (Async::Longs{5, 6}));
}

TEST_F(Polled, AttributesAndInheritedOperationsHaveOperationsOfTheirOwn) {
  greeter->sendp_set_name("second")->set_name(long_time);
  std::string name;
  greeter->sendp_get_name()->get_name(long_time, name);
  EXPECT_EQ(name, "second");
  std::int32_t twice = 0, count = 0;
  const auto poller = greeter->sendp_twice(21);
  EXPECT_EQ(poller->operation_name(), "twice");
  poller->twice(long_time, twice);
  EXPECT_EQ(twice, 42);
  const auto counts = greeter->sendp_get_count();
  EXPECT_EQ(counts->operation_name(), "_get_count");
  counts->get_count(long_time, count);
  EXPECT_EQ(count, 1);
}

TEST_F(Polled, CallsThrowTypedExceptions) {
  const auto refused = greeter->sendp_refuse("because");
  try {
    refused->refuse(long_time);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Async::Refused& exception) {
    EXPECT_EQ(exception.why(), "because");
  }
  EXPECT_FALSE(refused->is_from_poller());
  EXPECT_EQ(raised([&] { greeter->sendp_fail()->fail(long_time); }), "NO_RESOURCES 7");
}

TEST_F(Polled, CallsWithoutAnOutcomeSayWhetherTheyWereWaitedFor) {
  const auto poller = at_gate();
  EXPECT_EQ(raised([&] { static_cast<void>(poller->is_from_poller()); }), "BAD_INV_ORDER 22");
  EXPECT_FALSE(poller->is_ready(0));
  EXPECT_FALSE(poller->is_ready(20));
  EXPECT_EQ(raised([&] { poller->wait_at_gate(0); }), "NO_RESPONSE 1");
  EXPECT_EQ(raised([&] { poller->wait_at_gate(20); }), "TIMEOUT 1");
  EXPECT_TRUE(poller->is_from_poller());
  servant->open();
  EXPECT_TRUE(poller->is_ready(CORBA::Pollable::_for_ever));
  EXPECT_EQ(raised([&] { poller->wait_at_gate(0); }), "nothing");
}

TEST_F(Polled, OutcomesAreTakenOnce) {
  const auto poller = greeter->sendp_twice(1);
  std::int32_t result = 0;
  poller->twice(long_time, result);
  EXPECT_EQ(raised([&] { static_cast<void>(poller->is_from_poller()); }), "BAD_INV_ORDER 22");
  EXPECT_EQ(raised([&] { poller->twice(0, result); }), "OBJECT_NOT_EXIST 5");
  EXPECT_TRUE(poller->is_from_poller());
}

TEST_F(Polled, OperationsThatWereNotCalledAreRefused) {
  const auto poller = greeter->sendp_greet("world", 5);
  EXPECT_EQ(raised([&] { poller->refuse(0); }), "BAD_OPERATION 0");
  std::int32_t result = 0;
  EXPECT_EQ(raised([&] { poller->twice(0, result); }), "BAD_OPERATION 0") << "inherited";
  EXPECT_TRUE(poller->is_ready(long_time)) << "the call itself goes on";
}

TEST_F(Polled, CallsKnowTheirTarget) {
  const auto poller = greeter->sendp_twice(1);
  EXPECT_TRUE(greeter->_is_equivalent(poller->operation_target()));
}

TEST_F(Polled, OutcomesOfDroppedPollersAreDropped) {
  static_cast<void>(at_gate());
  servant->open();
  EXPECT_TRUE(none_under_way());
}

TEST_F(Polled, CallsEndWithTheirTimeAndWithTheirOrb) {
  const auto poller = at_gate();
  pair.client->shutdown(false);
  EXPECT_EQ(raised([&] { poller->wait_at_gate(long_time); }), "BAD_INV_ORDER 4");
  EXPECT_FALSE(poller->is_from_poller());
  servant->open();
}

TEST_F(Polled, CallsMayGoToAHandlerBeforeTheyEnd) {
  const auto poller = at_gate();
  EXPECT_FALSE(poller->associated_handler());
  const auto gets = handler();
  poller->associated_handler(gets);
  EXPECT_EQ(poller->associated_handler(), gets);
  servant->open();
  EXPECT_EQ(outcomes.one(), "wait_at_gate");
  EXPECT_EQ(raised([&] { poller->wait_at_gate(0); }), "OBJECT_NOT_EXIST 5");
  EXPECT_EQ(raised([&] { poller->associated_handler(gets); }), "OBJECT_NOT_EXIST 5");
}

TEST_F(Polled, OutcomesThatAreThereMayGoToAHandler) {
  const auto poller = greeter->sendp_refuse("because");
  ASSERT_TRUE(poller->is_ready(long_time));
  poller->associated_handler(handler());
  EXPECT_EQ(outcomes.one(), "refuse: Refused because wide 42");
}

TEST_F(Polled, CallsMayLeaveTheirHandler) {
  const auto poller = at_gate();
  poller->associated_handler(handler());
  poller->associated_handler(nullptr);
  servant->open();
  poller->wait_at_gate(long_time);
  EXPECT_EQ(outcomes.size(), 0u);
}

TEST_F(Polled, HandlersOfOtherInterfacesAreRefused) {
  struct Other : Async::AMI_ClashesHandler {};
  const auto poller = greeter->sendp_twice(1);
  EXPECT_EQ(raised([&] { poller->associated_handler(CORBA::make_reference<Other>()); }), "BAD_PARAM 0");
}

TEST_F(Polled, SetsGiveWhatIsReadyFirst) {
  const auto waits = at_gate();
  const auto set = waits->create_pollable_set();
  const auto ready = greeter->sendp_twice(1);
  set->add_pollable(ready);
  EXPECT_EQ(set->number_left(), 2);
  EXPECT_EQ(set->get_ready_pollable(long_time), CORBA::valuetype_reference<CORBA::Pollable>(ready));
  EXPECT_EQ(set->number_left(), 1);
  EXPECT_EQ(raised([&] { static_cast<void>(set->get_ready_pollable(0)); }), "NO_RESPONSE 1");
  EXPECT_EQ(raised([&] { static_cast<void>(set->get_ready_pollable(20)); }), "TIMEOUT 1");
  auto later = std::async(std::launch::async, [&] { return set->get_ready_pollable(long_time); });
  servant->open();
  EXPECT_EQ(later.get(), CORBA::valuetype_reference<CORBA::Pollable>(waits));
  EXPECT_THROW(static_cast<void>(set->get_ready_pollable(0)), CORBA::PollableSet::NoPossiblePollable);
}

TEST_F(Polled, CallsAreInOneSetAtMost) {
  const auto poller = greeter->sendp_twice(1);
  const auto set = poller->create_pollable_set();
  EXPECT_EQ(raised([&] { set->add_pollable(poller); }), "BAD_PARAM 43");
  EXPECT_EQ(raised([&] { static_cast<void>(poller->create_pollable_set()); }), "BAD_PARAM 43");
  EXPECT_EQ(raised([&] { set->add_pollable(nullptr); }), "BAD_PARAM 0");
  set->remove(poller);
  EXPECT_THROW(set->remove(poller), CORBA::PollableSet::UnknownPollable);
  EXPECT_THROW(set->remove(nullptr), CORBA::PollableSet::UnknownPollable);
  EXPECT_EQ(poller->create_pollable_set()->number_left(), 1);
  EXPECT_EQ(poller->create_pollable_set()->number_left(), 1)
      << "a set that is destroyed releases what it has";
}

TEST_F(Polled, RepliesOfDynamicRequestsAreReadyUntilTheyAreTaken) {
  const auto waits = at_gate();
  const auto set = waits->create_pollable_set();
  const auto replies = set->create_dii_pollable();
  EXPECT_EQ(raised([&] { static_cast<void>(replies->_copy_value()); }), "MARSHAL 0");
  set->add_pollable(replies);
  EXPECT_EQ(raised([&] { static_cast<void>(replies->create_pollable_set()); }), "BAD_PARAM 43");
  auto later = std::async(std::launch::async, [&] { return set->get_ready_pollable(long_time); });
  auto request = greeter->_request("no such operation");
  request->send_deferred();
  EXPECT_EQ(later.get(), CORBA::valuetype_reference<CORBA::Pollable>(replies));
  EXPECT_TRUE(replies->is_ready(0));
  EXPECT_THROW(request->get_response(), CORBA::BAD_OPERATION);
  EXPECT_FALSE(replies->is_ready(0));
  {
    const auto forgotten = greeter->_request("no such operation");
    forgotten->send_deferred();
    EXPECT_TRUE(replies->is_ready(long_time));
  }
  for (int i = 0; i != 20000 && replies->is_ready(0);
       ++i)  // until the thread that made the call drops the request
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_FALSE(replies->is_ready(0));
  set->add_pollable(replies);
  set->remove(replies);
  servant->open();
}

TEST_F(Polled, SetsThatBecomeEmptyWakeWhoWaits) {
  const auto waits = at_gate();
  const auto set = waits->create_pollable_set();
  auto later = std::async(std::launch::async, [&] { return set->get_ready_pollable(long_time); });
  set->remove(waits);
  EXPECT_THROW(later.get(), CORBA::PollableSet::NoPossiblePollable);
  servant->open();
}

TEST_F(Polled, SetsServeManyCallsAndSeveralThreads) {
  auto first = greeter->sendp_twice(0);
  const auto set = first->create_pollable_set();
  std::atomic<int> taken{0};
  constexpr int calls = 300;
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 3; ++thread)
    threads.emplace_back([&] {
      while (taken < calls) {
        try {
          const auto ready = set->get_ready_pollable(50);
          const auto poller = IDL::traits<Async::AMI_BasePoller>::narrow(ready);
          std::int32_t result = -1;
          poller->twice(0, result);
          EXPECT_EQ(result % 2, 0);
          ++taken;
        } catch (const CORBA::TIMEOUT&) {
        } catch (const CORBA::PollableSet::NoPossiblePollable&) {
          std::this_thread::yield();
        }
      }
    });
  for (int i = 1; i < calls; ++i) set->add_pollable(greeter->sendp_twice(i));
  threads.clear();
  EXPECT_EQ(taken, calls);
  EXPECT_EQ(set->number_left(), 0);
}

TEST_F(Polled, CallsEndThoughTheirServerGoesMeanwhile) {
  std::atomic<int> right{0}, raised_by_calls{0}, wrong{0};
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 3; ++thread)
    threads.emplace_back([&] {
      for (int i = 0; i < 300; ++i) try {
          const auto poller = greeter->sendp_twice(i);
          if (i % 7 == 0) continue;  // drops it
          std::int32_t result = -1;
          if (!poller->is_ready(long_time)) ++wrong;
          poller->twice(0, result);
          ++(result == 2 * i ? right : wrong);
        } catch (const CORBA::SystemException&) {
          ++raised_by_calls;
        }
    });
  EXPECT_TRUE(eventually([&] { return right >= 100; }));
  pair.server->shutdown(false);
  threads.clear();
  EXPECT_GE(right, 100);
  EXPECT_EQ(wrong, 0);
  EXPECT_LE(right + raised_by_calls, 900);
  EXPECT_TRUE(none_under_way());
}

TEST_F(Polled, PollersStayInTheirProcess) {
  const auto poller = greeter->sendp_twice(1);
  EXPECT_EQ(raised([&] { static_cast<void>(poller->_copy_value()); }), "MARSHAL 0");
}

TEST_F(Polled, NamesThatClashAreChanged) {
  using Clashes = Async::Clashes;
  using Poller = IDL::traits<Async::AMI_ClashesPoller>::ref_type;
  Poller (Clashes::*op)() = &Clashes::sendp_ami_op;
  Poller (Clashes::*other)() = &Clashes::sendp_sendp_op;
  void (Async::AMI_ClashesPoller::*ready)(std::uint32_t, bool&) = &Async::AMI_ClashesPoller::ami_is_ready;
  EXPECT_TRUE(op && other && ready);
}

}  // namespace
}  // namespace feature
