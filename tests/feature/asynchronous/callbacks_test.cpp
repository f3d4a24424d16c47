// Asynchronous calls whose handlers get their outcomes. Numbers in the names are those of the contract in
// docs/user/asynchronous.md.
#include <algorithm>
#include <cstdlib>
#include <latch>

#include <takt/async/pending.h>

#include "greeter.h"

namespace feature {
namespace {

struct AsynchronousCalls : testing::Test, AsyncOrbs {};

TEST_F(AsynchronousCalls, GiveTheirResultsToAHandlerWithoutAPoa) {
  greeter->sendc_greet(handler(), "world", 5);
  EXPECT_EQ(outcomes.one(), "greet hello world -5 2");
}

TEST_F(AsynchronousCalls, OfAttributesAndInheritedOperationsHaveNamesOfTheirOwn) {
  const auto own = handler();
  greeter->sendc_set_name(own, "second");
  EXPECT_EQ(outcomes.one(), "set_name");
  greeter->sendc_get_name(own);
  EXPECT_EQ(outcomes.await(2)[1], "get_name second");
  greeter->sendc_twice(own, 21);
  EXPECT_EQ(outcomes.await(3)[2], "twice 42");
  greeter->sendc_get_count(own);
  EXPECT_EQ(outcomes.await(4)[3], "get_count 1");
}

TEST_F(AsynchronousCalls, RaiseTypedUserExceptionsFromTheHolder) {
  greeter->sendc_refuse(handler(), "because");
  EXPECT_EQ(outcomes.one(), "refuse: Refused because wide 42");
}

TEST_F(AsynchronousCalls, RaiseTheServersSystemExceptionFromTheHolder) {
  greeter->sendc_fail(handler());
  EXPECT_EQ(outcomes.one(), "fail: NO_RESOURCES 7 YES");
}

TEST_F(AsynchronousCalls, TakeReferencesAndLongOctets) {
  greeter->sendc_self(handler(), greeter);
  EXPECT_EQ(outcomes.one(), "self");
  greeter->sendc_echo(handler(), Async::Octets(3'000'000, 7));
  EXPECT_EQ(outcomes.await(2)[1], "echo 3000000");
}

TEST_F(AsynchronousCalls, C12_WithANilHandlerAreMadeAndDropped) {
  greeter->sendc_twice(nullptr, 1);
  greeter->sendc_fail(nullptr);
  greeter->sendc_get_count(handler());
  EXPECT_TRUE(none_under_way());
  EXPECT_EQ(servant->calls, 1);
  EXPECT_EQ(outcomes.await(1).size(), 1u);
}

TEST_F(AsynchronousCalls, AreUnderWayTogetherOnOneConnection) {
  for (int i = 0; i < 6; ++i) greeter->sendc_wait_at_gate(handler());
  EXPECT_TRUE(servant->has_waiting(6));
  EXPECT_EQ(outcomes.size(), 0u);
  EXPECT_EQ(takt::async_calls_under_way(pair.client), 6u);
  servant->open();
  EXPECT_EQ(outcomes.await(6), std::vector<std::string>(6, "wait_at_gate"));
}

TEST_F(AsynchronousCalls, C1_EndOnceEachWhenTenThousandAreMadeByEightThreads) {
  takt::use_async_settings(pair.client, {.most_calls = 100});
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&] {
      const auto own = handler();
      for (int i = 0; i < 1250; ++i)
        i % 5 == 0 ? greeter->sendc_refuse(own, "x") : greeter->sendc_twice(own, i);
    });
  for (auto& thread : threads) thread.join();
  const auto all = outcomes.await(10000);
  EXPECT_EQ(all.size(), 10000u);
  EXPECT_EQ(std::ranges::count(all, "refuse: Refused x wide 42"), 2000);
  EXPECT_EQ(std::ranges::count(all, "twice 2"), 8);
  EXPECT_TRUE(none_under_way());
  EXPECT_EQ(outcomes.size(), 10000u);
}

TEST_F(AsynchronousCalls, MayBeMadeByHandlers) {
  class Chain final : public LocalHandler {
   public:
    Chain(Outcomes& outcomes, Async::Greeter& greeter)
        : LocalHandler(outcomes), greeter_(greeter), all_(outcomes) {}
    void twice(std::int32_t n) override {
      if (n > 1000) return all_.add("end " + std::to_string(greeter_.twice(n)));  // a synchronous call
      greeter_.sendc_twice(self, n);
    }
    HandlerRef self;

   private:
    Async::Greeter& greeter_;
    Outcomes& all_;
  };
  const auto chain = CORBA::make_reference<Chain>(outcomes, *greeter);
  chain->self = chain;
  greeter->sendc_twice(chain, 1);
  EXPECT_EQ(outcomes.one(), "end 2048");
  chain->self = nullptr;
}

TEST_F(AsynchronousCalls, GoToHandlersThatAreServants) {
  const auto handlers = root_poa(pair.client);
  handlers->the_POAManager()->activate();
  const auto servant_of_handler = CORBA::make_reference<HandlerServant>(outcomes);
  const auto own = CORBA::amic_traits<Async::Greeter>::replyhandler_traits::narrow(
      handlers->id_to_reference(handlers->activate_object(servant_of_handler)));
  greeter->sendc_greet(own, "you", 1);
  EXPECT_EQ(outcomes.one(), "greet hello you -1 2");
  greeter->sendc_refuse(own, "so");
  EXPECT_EQ(outcomes.await(2)[1], "refuse: Refused so wide 42");
}

TEST_F(AsynchronousCalls, GoToHandlersInAnotherOrbWithTypedExceptions) {
  const auto remote =
      pair.publish<Async::AMI_GreeterHandler>(CORBA::make_reference<HandlerServant>(outcomes));
  greeter->sendc_greet(remote, "far", 1);
  EXPECT_EQ(outcomes.one(), "greet hello far -1 2");
  greeter->sendc_refuse(remote, "far");
  EXPECT_EQ(outcomes.await(2)[1], "refuse: Refused far wide 42");
  greeter->sendc_fail(remote);
  EXPECT_EQ(outcomes.await(3)[2], "fail: NO_RESOURCES 7 YES");
}

TEST_F(AsynchronousCalls, C13_ToObjectsOfTheProcessReturnBeforeTheServantHasRun) {
  const auto local = IDL::traits<Async::Greeter>::narrow(
      pair.server->string_to_object(pair.server->object_to_string(greeter)));
  local->sendc_wait_at_gate(handler());
  EXPECT_TRUE(servant->has_waiting(1));
  EXPECT_EQ(outcomes.size(), 0u);
  servant->open();
  EXPECT_EQ(outcomes.one(), "wait_at_gate");
  local->sendc_greet(handler(), "me", 2);
  EXPECT_EQ(outcomes.await(2)[1], "greet hello me -2 2");
  local->sendc_refuse(handler(), "me");
  EXPECT_EQ(outcomes.await(3)[2], "refuse: Refused me wide 42");
  local->sendc_fail(handler());
  EXPECT_EQ(outcomes.await(4)[3], "fail: NO_RESOURCES 7 YES");
}

TEST_F(AsynchronousCalls, C13_ToObjectsOfTheProcessMayWaitForEachOther) {
  struct Nested : GreeterServant {
    std::int32_t twice(std::int32_t n) override {
      if (n == 0) return 0;
      all_begun.wait();
      return here->async_twice(0).get() + 1;
    }
    IDL::traits<Async::Greeter>::ref_type here;
    std::latch all_begun{1};
  };
  const auto nested = CORBA::make_reference<Nested>();
  nested->here =
      IDL::traits<Async::Greeter>::narrow(pair.root->id_to_reference(pair.root->activate_object(nested)));
  constexpr int calls = 80;  // more than there are threads at first
  for (int i = 0; i < calls; ++i) nested->here->sendc_twice(handler(), 1);
  nested->all_begun.count_down();
  const auto all = outcomes.await(calls);
  EXPECT_EQ(std::ranges::count(all, "twice 1"), calls);
  if (all.size() != calls) std::quick_exit(1);  // the others would wait for ever
  nested->here = nullptr;
}

TEST_F(AsynchronousCalls, OnALocalObjectThrow) {
  const HandlerRef local = handler();
  class Fake final : public Async::Greeter {};
  const auto fake = std::make_shared<Fake>();
  EXPECT_THROW(fake->sendc_twice(local, 1), CORBA::NO_IMPLEMENT);
  EXPECT_EQ(outcomes.size(), 0u);
}

TEST(AsynchronousNames, ThatWouldClashGetAmi) {
  void (Async::Clashes::*op)(IDL::traits<Async::AMI_ClashesHandler>::ref_type) =
      &Async::Clashes::sendc_ami_op;
  void (Async::Clashes::*other)(IDL::traits<Async::AMI_ClashesHandler>::ref_type) =
      &Async::Clashes::sendc_op_excep;
  void (Async::Clashes::*third)(IDL::traits<Async::AMI_ClashesHandler>::ref_type) =
      &Async::Clashes::sendc_sendc_op;
  void (Async::AMI_ClashesHandler::*exception)(Holder) = &Async::AMI_ClashesHandler::op_ami_excep;
  void (Async::AMI_ClashesHandler::*of_other)(Holder) = &Async::AMI_ClashesHandler::op_excep_excep;
  void (Async::AMI_ClashesHandler::*reply)() = &Async::AMI_ClashesHandler::op_excep;
  takt::async::Pending<Async::Clashes::_operations::op> (Async::Clashes::*start)() =
      &Async::Clashes::async_ami_op;
  EXPECT_TRUE(op && other && third && exception && of_other && reply && start);
}

}  // namespace
}  // namespace feature
