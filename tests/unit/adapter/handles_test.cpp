// Requests by the handle of their number.
#include <gtest/gtest.h>

#include <thread>

#include "adapters.h"
#include "giop/lite/operation_handle.h"

namespace takt::adapter {

using namespace PortableServer;
using giop::lite::OperationHandle;

namespace {

// Tells where its operation is, as generated skeletons do.
class NumberedServant : public virtual NumberServant {
 public:
  using NumberServant::NumberServant;
  bool _dispatch(server::ServerCall& call) override {
    ++by_name;
    return NumberServant::_dispatch(call);
  }
  bool _dispatch_searching(server::ServerCall& call, OperationSearch search) override {
    if (search != OperationSearch::find) return _dispatch(call);
    ++asked;
    const auto dispatch = [](void* self, server::ServerCall& found) {
      auto& servant = *static_cast<NumberedServant*>(self);
      ++servant.at_once;
      return servant.NumberServant::_dispatch(found);
    };
    call.found() = {dispatch, this};
    return true;
  }

  int asked = 0, at_once = 0, by_name = 0;
};

struct Handles : testing::Test {
  Answer call(ByteView key, const std::string& operation = "number") { return call(handle, key, operation); }
  Answer call(OperationHandle& by, ByteView key, const std::string& operation = "number") {
    GatherBuffer reply;
    server::ServerCall request({.request_id = 7, .object_key = key, .operation = operation}, {}, 0, {},
                               reply);
    orb.core->adapter.dispatch_by_handle(request, by);
    return read_answer(reply);
  }
  CORBA::object_reference<POA> user_ids(const std::string& name, CORBA::PolicyList more = {}) {
    more.push_back(orb.root->create_id_assignment_policy(IdAssignmentPolicyValue::USER_ID));
    return orb.child(name, more);
  }

  Adapters orb;
  OperationHandle handle;
};

}  // namespace

TEST_F(Handles, OneLeadsToServantAndOperationFromTheSecondRequestOn) {
  const auto servant = CORBA::make_reference<NumberedServant>(5u);
  const auto key = key_of(orb.root->servant_to_reference(servant));
  for (int i = 0; i < 4; ++i) EXPECT_EQ(call(key).value, 5u);
  EXPECT_EQ(servant->asked, 1);
  EXPECT_EQ(servant->by_name, 1);
  EXPECT_EQ(servant->at_once, 3);
}

TEST_F(Handles, ServantsWithoutASkeletonServeByName) {
  const auto key = key_of(orb.root->servant_to_reference(number_servant(5)));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(call(key).value, 5u);
  EXPECT_NE(handle.object, nullptr);
  OperationHandle other;
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(call(other, key, "nothing").is("BAD_OPERATION"));
  OperationHandle built_in;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(call(built_in, key, "_non_existent").status, Answer::result);
}

TEST_F(Handles, KeysOfEveryLookupAreRemembered) {
  for (const Lookup lookup : {Lookup::linear, Lookup::dynamic, Lookup::active, Lookup::delayered}) {
    LookupStrategies strategies;
    strategies.adapter = strategies.servant = lookup;
    const auto poa =
        user_ids("by " + std::to_string(static_cast<int>(lookup)), {create_lookup_policy(strategies)});
    const auto servant = CORBA::make_reference<NumberedServant>(5u);
    poa->activate_object_with_id({'a'}, servant);
    const auto key = key_of(poa->id_to_reference({'a'}));
    OperationHandle one;
    for (int i = 0; i < 3; ++i) EXPECT_EQ(call(one, key).value, 5u);
    EXPECT_EQ(servant->at_once, 2) << static_cast<int>(lookup);
  }
}

TEST_F(Handles, AnAdapterWithItsOwnSearchOfOperationsIsAskedEachTime) {
  LookupStrategies strategies;
  strategies.operation = Lookup::linear;
  const auto poa = orb.child("linear", {create_lookup_policy(strategies)});
  const auto servant = CORBA::make_reference<NumberedServant>(5u);
  const auto key = key_of(poa->id_to_reference(poa->activate_object(servant)));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(call(key).value, 5u);
  EXPECT_EQ(servant->asked, 0);
  EXPECT_EQ(handle.object, nullptr);
}

TEST_F(Handles, ADeactivatedObjectIsGone) {
  const auto id = orb.root->activate_object(number_servant(5));
  const auto key = key_of(orb.root->id_to_reference(id));
  EXPECT_EQ(call(key).value, 5u);
  orb.root->deactivate_object(id);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(call(key).is("OBJECT_NOT_EXIST"));
  // Others use the slot again.
  for (std::uint32_t i = 0; i < 3; ++i) orb.root->activate_object(number_servant(6));
  EXPECT_TRUE(call(key).is("OBJECT_NOT_EXIST"));
}

TEST_F(Handles, AReplacedServantIsCalledAtOnce) {
  const auto poa = user_ids("named");
  poa->activate_object_with_id({'a'}, number_servant(1));
  const auto key = key_of(poa->id_to_reference({'a'}));
  EXPECT_EQ(call(key).value, 1u);
  for (std::uint32_t next = 2; next < 6; ++next) {
    poa->deactivate_object({'a'});
    if (next % 2 == 0)
      poa->activate_object_with_id({'b', static_cast<std::uint8_t>(next)}, number_servant(99));
    poa->activate_object_with_id({'a'}, number_servant(next));
    EXPECT_EQ(call(key).value, next);
    EXPECT_EQ(call(key).value, next);
  }
}

TEST_F(Handles, AnAdapterThatIsDestroyedAndMadeAnewIsNotMistakenForTheFirst) {
  for (const auto lifespan : {LifespanPolicyValue::TRANSIENT, LifespanPolicyValue::PERSISTENT}) {
    handle = {};
    const auto make = [&] { return user_ids("again", {orb.root->create_lifespan_policy(lifespan)}); };
    const auto first = make();
    first->activate_object_with_id({'a'}, number_servant(1));
    const auto key = key_of(first->id_to_reference({'a'}));
    EXPECT_EQ(call(key).value, 1u);
    first->destroy(true, true);
    EXPECT_TRUE(call(key).is("OBJECT_NOT_EXIST"));
    const auto second = make();
    second->activate_object_with_id({'a'}, number_servant(2));
    for (int i = 0; i < 2; ++i) {
      const Answer answer = call(key);
      if (lifespan == LifespanPolicyValue::PERSISTENT)
        EXPECT_EQ(answer.value, 2u);
      else
        EXPECT_TRUE(answer.is("OBJECT_NOT_EXIST"));
    }
    second->destroy(true, true);
  }
}

TEST_F(Handles, DefaultServantsServeOnlyWhatIsNotActive) {
  const auto poa =
      user_ids("default",
               {orb.root->create_request_processing_policy(RequestProcessingPolicyValue::USE_DEFAULT_SERVANT),
                orb.root->create_id_uniqueness_policy(IdUniquenessPolicyValue::MULTIPLE_ID)});
  const auto key = key_of(poa->create_reference_with_id({'a'}, "IDL:Test/Number:1.0"));
  EXPECT_TRUE(call(key).is("OBJ_ADAPTER"));
  poa->set_servant(number_servant(1));
  EXPECT_EQ(call(key).value, 1u);
  poa->set_servant(number_servant(2));
  EXPECT_EQ(call(key).value, 2u);
  EXPECT_EQ(handle.object, nullptr);
  poa->activate_object_with_id({'a'}, number_servant(3));
  EXPECT_EQ(call(key).value, 3u);
  EXPECT_EQ(call(key).value, 3u);
  poa->deactivate_object({'a'});
  EXPECT_EQ(call(key).value, 2u);
}

namespace {

// Incarnates servants with rising numbers.
struct RisingActivator : ServantActivator {
  CORBA::servant_reference<Servant> incarnate(const ObjectId&, CORBA::object_reference<POA>) override {
    return number_servant(++incarnated);
  }
  void etherealize(const ObjectId&, CORBA::object_reference<POA>, CORBA::servant_reference<Servant>, bool,
                   bool) override {
    ++etherealized;
  }
  std::uint32_t incarnated = 0;
  std::atomic<std::uint32_t> etherealized = 0;
};
struct RisingLocator : ServantLocator {
  CORBA::servant_reference<Servant> preinvoke(const ObjectId&, CORBA::object_reference<POA>,
                                              const std::string&, Cookie&) override {
    return number_servant(++located);
  }
  void postinvoke(const ObjectId&, CORBA::object_reference<POA>, const std::string&, Cookie,
                  CORBA::servant_reference<Servant>) override {}
  std::uint32_t located = 0;
};

}  // namespace

TEST_F(Handles, AnActivatorIncarnatesAgainAfterADeactivation) {
  const auto poa = user_ids(
      "activated",
      {orb.root->create_request_processing_policy(RequestProcessingPolicyValue::USE_SERVANT_MANAGER)});
  const auto activator = CORBA::make_reference<RisingActivator>();
  poa->set_servant_manager(activator);
  const auto key = key_of(poa->create_reference_with_id({'a'}, "IDL:Test/Number:1.0"));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(call(key).value, 1u);
  poa->deactivate_object({'a'});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(call(key).value, 2u);
  EXPECT_EQ(activator->etherealized, 1u);
}

TEST_F(Handles, ALocatorIsAskedEachTime) {
  const auto poa =
      user_ids("located",
               {orb.root->create_request_processing_policy(RequestProcessingPolicyValue::USE_SERVANT_MANAGER),
                orb.root->create_servant_retention_policy(ServantRetentionPolicyValue::NON_RETAIN)});
  poa->set_servant_manager(CORBA::make_reference<RisingLocator>());
  const auto key = key_of(poa->create_reference_with_id({'a'}, "IDL:Test/Number:1.0"));
  for (std::uint32_t i = 1; i < 4; ++i) EXPECT_EQ(call(key).value, i);
}

TEST_F(Handles, AnObjectIsEtherealizedAfterTheCallThatAHandleLedToIt) {
  const auto poa = user_ids(
      "etherealized",
      {orb.root->create_request_processing_policy(RequestProcessingPolicyValue::USE_SERVANT_MANAGER)});
  const auto activator = CORBA::make_reference<RisingActivator>();
  poa->set_servant_manager(activator);
  bool gone = false;
  auto servant = number_servant(1, [&] {
    poa->deactivate_object({'a'});
    EXPECT_EQ(activator->etherealized, 0u) << "a call is in it";
    EXPECT_FALSE(gone);
  });
  servant->gone = &gone;
  poa->activate_object_with_id({'a'}, servant);
  servant = nullptr;
  const auto key = key_of(poa->id_to_reference({'a'}));
  OperationHandle number, run;
  EXPECT_EQ(call(number, key).value, 1u);
  // An upcall that deactivates its object leaves no handle that holds.
  EXPECT_EQ(call(run, key, "run").status, Answer::result);
  EXPECT_EQ(activator->etherealized, 1u);
  EXPECT_TRUE(gone);
  EXPECT_EQ(call(number, key).value, 1u) << "incarnated";
  EXPECT_EQ(activator->incarnated, 1u);
}

TEST_F(Handles, AHandleIsNotMadeForAnObjectThatIsDeactivatedMeanwhile) {
  // The servant deactivates its object while it is asked where its operation is.
  struct Leaving : NumberedServant {
    using NumberedServant::NumberedServant;
    bool _dispatch_searching(server::ServerCall& call, OperationSearch search) override {
      if (search == OperationSearch::find) leave();
      return NumberedServant::_dispatch_searching(call, search);
    }
    std::function<void()> leave;
  };
  const auto servant = CORBA::make_reference<Leaving>(1u);
  const auto id = orb.root->activate_object(servant);
  servant->leave = [&] { orb.root->deactivate_object(id); };
  const auto key = key_of(orb.root->id_to_reference(id));
  EXPECT_EQ(call(key).value, 1u);
  EXPECT_EQ(handle.object, nullptr);
  orb.root->activate_object(number_servant(2));  // in the same slot, in the next generation
  EXPECT_TRUE(call(key).is("OBJECT_NOT_EXIST"));
}

TEST_F(Handles, AManagerThatDiscardsOrHoldsIsObeyed) {
  const auto poa = orb.root->create_POA("managed", nullptr, {});
  const auto key = key_of(poa->id_to_reference(poa->activate_object(number_servant(5))));
  poa->the_POAManager()->activate();
  EXPECT_EQ(call(key).value, 5u);
  poa->the_POAManager()->discard_requests(false);
  EXPECT_TRUE(call(key).is("TRANSIENT"));
  poa->the_POAManager()->hold_requests(false);
  std::thread opening([&] { poa->the_POAManager()->activate(); });
  EXPECT_EQ(call(key).value, 5u);
  opening.join();
  poa->the_POAManager()->deactivate(false, false);
  EXPECT_TRUE(call(key).is("OBJ_ADAPTER"));
}

TEST_F(Handles, WhatAServantThrowsIsAnswered) {
  const auto key = key_of(orb.root->servant_to_reference(
      number_servant(1, [] { throw CORBA::NO_RESOURCES(5, CORBA::COMPLETED_YES); })));
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(call(key, "run").is("NO_RESOURCES"));
}

TEST_F(Handles, CallsThroughHandlesRaceWithReplacements) {
  const auto poa = user_ids("racing");
  poa->activate_object_with_id({'a'}, number_servant(1));
  const auto key = key_of(poa->id_to_reference({'a'}));
  std::atomic<bool> stop = false;
  std::vector<std::thread> callers;
  std::atomic<std::uint32_t> wrong = 0;
  for (int thread = 0; thread < 3; ++thread)
    callers.emplace_back([&] {
      OperationHandle own;
      std::uint32_t last = 0;
      while (!stop) {
        const Answer answer = call(own, key);
        if (answer.is("OBJECT_NOT_EXIST")) continue;
        wrong += answer.status != Answer::result || answer.value < last || answer.value >= 1000 ? 1 : 0;
        last = answer.value;
      }
    });
  for (std::uint32_t next = 2; next < 500; ++next) {
    poa->deactivate_object({'a'});
    poa->activate_object_with_id({'b'}, number_servant(1000 + next));
    for (;;) try {
        poa->activate_object_with_id({'a'}, number_servant(next));
        break;
      } catch (const POA::ObjectAlreadyActive&) {
        std::this_thread::yield();  // a call is still in the last one
      }
    poa->deactivate_object({'b'});
  }
  stop = true;
  for (auto& caller : callers) caller.join();
  EXPECT_EQ(wrong, 0u);
}

}  // namespace takt::adapter
