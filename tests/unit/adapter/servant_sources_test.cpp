// Sources of servants for inactive objects: activators, locators and default servants.
#include <gtest/gtest.h>

#include <future>

#include "adapters.h"

namespace takt::adapter {

using namespace PortableServer;

class CountingActivator : public virtual ServantActivator {
 public:
  CORBA::servant_reference<Servant> incarnate(const ObjectId& id, CORBA::object_reference<POA>) override {
    ++incarnated;
    const auto name = ObjectId_to_string(id);
    if (name == "none") return nullptr;
    if (name == "elsewhere") throw ForwardRequest(elsewhere);
    if (name == "broken") throw CORBA::NO_RESOURCES(3, CORBA::COMPLETED_NO);
    return number_servant(static_cast<std::uint32_t>(name.size()));
  }
  void etherealize(const ObjectId& id, CORBA::object_reference<POA>,
                   CORBA::servant_reference<Servant> servant, bool cleanup_in_progress,
                   bool remaining_activations) override {
    ++etherealized;
    EXPECT_TRUE(servant);
    EXPECT_FALSE(remaining_activations);
    cleaning_up = cleanup_in_progress;
    last = id;
    throw CORBA::INTERNAL();  // ignored
  }
  std::atomic<int> incarnated{0}, etherealized{0};
  bool cleaning_up = false;
  ObjectId last;
  Reference elsewhere;
};

struct Activators : testing::Test {
  Adapters orb;
  CORBA::object_reference<POA> poa = orb.child(
      "lazy",
      {orb.root->create_id_assignment_policy(IdAssignmentPolicyValue::USER_ID),
       orb.root->create_request_processing_policy(RequestProcessingPolicyValue::USE_SERVANT_MANAGER)});
  CORBA::object_reference<CountingActivator> activator = CORBA::make_reference<CountingActivator>();
  Reference reference_to(const char* name) {
    return poa->create_reference_with_id(string_to_ObjectId(name), "IDL:Test/Number:1.0");
  }
};

TEST_F(Activators, AreNeeded) {
  EXPECT_TRUE(orb.call(reference_to("four")).is("OBJ_ADAPTER"));
  EXPECT_FALSE(poa->get_servant_manager());
  EXPECT_THROW(orb.root->get_servant_manager(), POA::WrongPolicy);
}

TEST_F(Activators, IncarnateOnce) {
  poa->set_servant_manager(activator);
  EXPECT_THROW(poa->set_servant_manager(activator), CORBA::BAD_INV_ORDER);
  const auto reference = reference_to("four");
  EXPECT_EQ(orb.call(reference).value, 4u);
  EXPECT_EQ(orb.call(reference).value, 4u);
  EXPECT_EQ(activator->incarnated, 1);
  poa->deactivate_object(string_to_ObjectId("four"));
  EXPECT_EQ(activator->etherealized, 1);
  EXPECT_FALSE(activator->cleaning_up);
  EXPECT_EQ(activator->last, string_to_ObjectId("four"));
  EXPECT_EQ(orb.call(reference).value, 4u) << "incarnated anew";
  poa->destroy(true, true);
  EXPECT_EQ(activator->etherealized, 2);
  EXPECT_TRUE(activator->cleaning_up);
}

TEST_F(Activators, IncarnateOnceForManyThreads) {
  poa->set_servant_manager(activator);
  const auto reference = reference_to("four");
  std::vector<std::future<Answer>> calls;
  for (int t = 0; t < 8; ++t)
    calls.push_back(std::async(std::launch::async, [&] { return orb.call(reference); }));
  for (auto& call : calls) EXPECT_EQ(call.get().value, 4u);
  EXPECT_EQ(activator->incarnated, 1);
}

TEST_F(Activators, MayRefuseOrForward) {
  poa->set_servant_manager(activator);
  activator->elsewhere = orb.root->servant_to_reference(number_servant(6));
  EXPECT_TRUE(orb.call(reference_to("none")).is("OBJ_ADAPTER"));
  EXPECT_TRUE(orb.call(reference_to("broken")).is("NO_RESOURCES"));
  const auto forwarded = orb.call(reference_to("elsewhere"));
  EXPECT_EQ(forwarded.status, Answer::forward);
  EXPECT_EQ(forwarded.target.type_id, "IDL:Test/Number:1.0");
  activator->elsewhere = nullptr;
}

TEST_F(Activators, EtherealizeWhenTheManagerIsDeactivated) {
  poa->set_servant_manager(activator);
  orb.call(reference_to("four"));
  poa->the_POAManager()->deactivate(true, true);
  EXPECT_EQ(activator->etherealized, 1);
}

// A program that deletes its servant when nothing remains must be told so once, and last.
TEST(SharedServants, RemainUntilTheirLastObjectIsEtherealized) {
  class Sharing : public virtual ServantActivator {
   public:
    CORBA::servant_reference<Servant> incarnate(const ObjectId&, CORBA::object_reference<POA>) override {
      return servant;
    }
    void etherealize(const ObjectId& id, CORBA::object_reference<POA>, CORBA::servant_reference<Servant>,
                     bool, bool remaining) override {
      told += ObjectId_to_string(id) + (remaining ? "+ " : "- ");
    }
    CORBA::servant_reference<NumberServant> servant;
    std::string told;
  };
  Adapters orb;
  const auto poa = orb.child(
      "shared",
      {orb.root->create_id_assignment_policy(IdAssignmentPolicyValue::USER_ID),
       orb.root->create_id_uniqueness_policy(IdUniquenessPolicyValue::MULTIPLE_ID),
       orb.root->create_request_processing_policy(RequestProcessingPolicyValue::USE_SERVANT_MANAGER)});
  const auto sharing = CORBA::make_reference<Sharing>();
  poa->set_servant_manager(sharing);
  const auto reference = [&](const char* id) {
    return poa->create_reference_with_id(string_to_ObjectId(id), "IDL:Test/Number:1.0");
  };
  sharing->servant = number_servant(1, [&] {
    poa->deactivate_object(string_to_ObjectId("a"));  // this request is to it
    poa->deactivate_object(string_to_ObjectId("b"));
    EXPECT_EQ(sharing->told, "b+ ");
  });
  orb.call(reference("b"));
  orb.call(reference("a"), "run");
  EXPECT_EQ(sharing->told, "b+ a- ");
  orb.call(reference("a"));
  orb.call(reference("b"));
  poa->destroy(true, true);
  EXPECT_TRUE(sharing->told == "b+ a- b+ a- " || sharing->told == "b+ a- a+ b- ") << sharing->told;
  sharing->servant = nullptr;
}

TEST(UniqueServants, ThatAreActiveAreNoneForAnotherObject) {
  class Same : public virtual ServantActivator {
   public:
    CORBA::servant_reference<Servant> incarnate(const ObjectId&, CORBA::object_reference<POA>) override {
      return servant;
    }
    void etherealize(const ObjectId&, CORBA::object_reference<POA>, CORBA::servant_reference<Servant>, bool,
                     bool) override {}
    const CORBA::servant_reference<NumberServant> servant = number_servant(1);
  };
  Adapters orb;
  const auto poa = orb.child(
      "unique",
      {orb.root->create_request_processing_policy(RequestProcessingPolicyValue::USE_SERVANT_MANAGER)});
  poa->set_servant_manager(CORBA::make_reference<Same>());
  EXPECT_EQ(orb.call(poa->create_reference("IDL:Test/Number:1.0")).value, 1u);
  const auto refused = orb.call(poa->create_reference("IDL:Test/Number:1.0"));
  EXPECT_TRUE(refused.is("OBJ_ADAPTER"));
  EXPECT_EQ(refused.minor, CORBA::omg_minor(5));
}

class CountingLocator : public virtual ServantLocator {
 public:
  CORBA::servant_reference<Servant> preinvoke(const ObjectId& id, CORBA::object_reference<POA>,
                                              const std::string& operation, Cookie& cookie) override {
    cookie = new std::string(operation);
    return number_servant(static_cast<std::uint32_t>(id.size()));
  }
  void postinvoke(const ObjectId&, CORBA::object_reference<POA>, const std::string& operation, Cookie cookie,
                  CORBA::servant_reference<Servant> servant) override {
    const std::unique_ptr<std::string> mine(static_cast<std::string*>(cookie));
    EXPECT_EQ(*mine, operation);
    EXPECT_TRUE(servant);
    ++finished;
  }
  int finished = 0;
};

TEST(DefaultServants, OneThatIsReplacedStaysUntilItsUpcallsHaveEnded) {
  Adapters orb;
  const auto poa = orb.child(
      "default",
      {orb.root->create_request_processing_policy(RequestProcessingPolicyValue::USE_DEFAULT_SERVANT),
       orb.root->create_id_uniqueness_policy(IdUniquenessPolicyValue::MULTIPLE_ID)});
  bool first_gone = false, second_gone = false;
  auto second = number_servant(2);
  second->gone = &second_gone;
  auto first = number_servant(1, [&] {
    poa->set_servant(second);
    EXPECT_EQ(orb.call(poa->create_reference("IDL:Test/Number:1.0")).value, 2u);
    EXPECT_FALSE(first_gone);
  });
  first->gone = &first_gone;
  poa->set_servant(first);
  first = nullptr;
  EXPECT_EQ(orb.call(poa->create_reference("IDL:Test/Number:1.0"), "run").status, Answer::result);
  EXPECT_TRUE(first_gone);
  second = nullptr;
  poa->set_servant(nullptr);
  EXPECT_TRUE(second_gone);
  EXPECT_THROW(poa->get_servant(), POA::NoServant);
  EXPECT_TRUE(orb.call(poa->create_reference("IDL:Test/Number:1.0")).is("OBJ_ADAPTER"));
}

TEST(DefaultServants, AreReplacedWhileTheyAreCalled) {
  Adapters orb;
  const auto poa = orb.child(
      "default",
      {orb.root->create_request_processing_policy(RequestProcessingPolicyValue::USE_DEFAULT_SERVANT),
       orb.root->create_id_uniqueness_policy(IdUniquenessPolicyValue::MULTIPLE_ID)});
  poa->set_servant(number_servant(1));
  const auto reference = poa->create_reference("IDL:Test/Number:1.0");
  std::atomic<bool> over{false};
  auto caller = std::async(std::launch::async, [&] {
    for (; !over;) EXPECT_EQ(orb.call(reference).value, 1u);
  });
  for (int i = 0; i < 1000; ++i) {
    poa->set_servant(number_servant(1));
    EXPECT_TRUE(poa->get_servant());
  }
  over = true;
}

TEST(DefaultServants, EndWithTheirAdapter) {
  Adapters orb;
  bool gone = false;
  auto servant = number_servant(1);
  servant->gone = &gone;
  const auto poa = orb.child(
      "default",
      {orb.root->create_request_processing_policy(RequestProcessingPolicyValue::USE_DEFAULT_SERVANT),
       orb.root->create_id_uniqueness_policy(IdUniquenessPolicyValue::MULTIPLE_ID)});
  poa->set_servant(servant);
  servant = nullptr;
  EXPECT_FALSE(gone);
  poa->destroy(false, true);
  EXPECT_TRUE(gone);
}

TEST(Locators, AreAskedForEveryRequest) {
  Adapters orb;
  const auto poa = orb.child(
      "located",
      {orb.root->create_id_assignment_policy(IdAssignmentPolicyValue::USER_ID),
       orb.root->create_servant_retention_policy(ServantRetentionPolicyValue::NON_RETAIN),
       orb.root->create_request_processing_policy(RequestProcessingPolicyValue::USE_SERVANT_MANAGER)});
  EXPECT_THROW(poa->set_servant_manager(CORBA::make_reference<CountingActivator>()), CORBA::OBJ_ADAPTER);
  const auto locator = CORBA::make_reference<CountingLocator>();
  poa->set_servant_manager(locator);
  const auto reference = poa->create_reference_with_id(string_to_ObjectId("12345"), "IDL:Test/Number:1.0");
  EXPECT_EQ(orb.call(reference).value, 5u);
  EXPECT_EQ(orb.call(reference).value, 5u);
  EXPECT_EQ(locator->finished, 2);
  EXPECT_THROW(poa->activate_object_with_id(string_to_ObjectId("1"), number_servant(1)), POA::WrongPolicy);
}

TEST(DefaultServants, ServeWhatIsNotActive) {
  Adapters orb;
  const auto poa = orb.child(
      "default",
      {orb.root->create_id_assignment_policy(IdAssignmentPolicyValue::USER_ID),
       orb.root->create_id_uniqueness_policy(IdUniquenessPolicyValue::MULTIPLE_ID),
       orb.root->create_request_processing_policy(RequestProcessingPolicyValue::USE_DEFAULT_SERVANT)});
  const auto reference = poa->create_reference_with_id(string_to_ObjectId("any"), "IDL:Test/Number:1.0");
  EXPECT_THROW(poa->get_servant(), POA::NoServant);
  EXPECT_TRUE(orb.call(reference).is("OBJ_ADAPTER"));
  ObjectId seen;
  const auto servant = number_servant(9, [&] { seen = Current().get_object_id(); });
  poa->set_servant(servant);
  EXPECT_EQ(poa->get_servant(), servant);
  EXPECT_EQ(orb.call(reference).value, 9u);
  orb.call(reference, "run");
  EXPECT_EQ(seen, string_to_ObjectId("any"));
  poa->activate_object_with_id(string_to_ObjectId("any"), number_servant(10));
  EXPECT_EQ(orb.call(reference).value, 10u);
  EXPECT_EQ(poa->id_to_servant(string_to_ObjectId("other")), servant);
}

}  // namespace takt::adapter
