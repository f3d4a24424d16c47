// Activation and deactivation: keys lead to their objects or to nothing.
#include <gtest/gtest.h>

#include "adapters.h"

namespace takt::adapter {

using namespace PortableServer;

TEST(Activation, AKeyLeadsToItsServant) {
  Adapters orb;
  const auto first = orb.root->id_to_reference(orb.root->activate_object(number_servant(1)));
  const auto second = orb.root->id_to_reference(orb.root->activate_object(number_servant(2)));
  EXPECT_EQ(orb.call(first).value, 1u);
  EXPECT_EQ(orb.call(second).value, 2u);
  EXPECT_EQ(first->_ref()->ior().type_id, "IDL:Test/Number:1.0");
}

TEST(Activation, ADeactivatedObjectDoesNotExist) {
  Adapters orb;
  const auto id = orb.root->activate_object(number_servant(1));
  const auto reference = orb.root->id_to_reference(id);
  orb.root->deactivate_object(id);
  EXPECT_TRUE(orb.call(reference).is("OBJECT_NOT_EXIST"));
  EXPECT_THROW(orb.root->deactivate_object(id), POA::ObjectNotActive);
  EXPECT_THROW(orb.root->id_to_reference(id), POA::ObjectNotActive);
}

TEST(Activation, AStaleKeyNeverFindsTheNextObjectInItsSlot) {
  Adapters orb;
  const auto id = orb.root->activate_object(number_servant(1));
  const auto stale = key_of(orb.root->id_to_reference(id));
  orb.root->deactivate_object(id);
  const auto next = key_of(orb.root->id_to_reference(orb.root->activate_object(number_servant(2))));
  EXPECT_EQ(KeyFormat::object_of(stale).index, KeyFormat::object_of(next).index) << "the slot is used again";
  EXPECT_TRUE(orb.call(stale).is("OBJECT_NOT_EXIST"));
  EXPECT_EQ(orb.call(next).value, 2u);
}

TEST(Activation, DeactivatingLetsTheServantGo) {
  Adapters orb;
  bool gone = false;
  auto servant = number_servant(1);
  servant->gone = &gone;
  const auto id = orb.root->activate_object(servant);
  servant = nullptr;
  EXPECT_FALSE(gone);
  orb.root->deactivate_object(id);
  EXPECT_TRUE(gone);
}

TEST(Activation, AServantHasOneObjectInAPoaWithUniqueIds) {
  Adapters orb;
  const auto servant = number_servant(1);
  const auto id = orb.root->activate_object(servant);
  EXPECT_THROW(orb.root->activate_object(servant), POA::ServantAlreadyActive);
  EXPECT_EQ(orb.root->servant_to_id(servant), id);
  EXPECT_EQ(orb.root->id_to_servant(id), servant);
  EXPECT_EQ(orb.root->reference_to_id(orb.root->servant_to_reference(servant)), id);
  EXPECT_EQ(orb.root->reference_to_servant(orb.root->id_to_reference(id)), servant);
}

TEST(Activation, ImplicitlyByAskingForTheId) {
  Adapters orb;
  const auto servant = number_servant(5);
  EXPECT_EQ(orb.call(orb.root->servant_to_reference(servant)).value, 5u);
  EXPECT_THROW(orb.root->activate_object(servant), POA::ServantAlreadyActive);
}

struct UserIds : testing::Test {
  Adapters orb;
  CORBA::object_reference<POA> poa =
      orb.child("users", {orb.root->create_id_assignment_policy(IdAssignmentPolicyValue::USER_ID)});
  ObjectId id = string_to_ObjectId("seven");
};

TEST_F(UserIds, NameObjects) {
  poa->activate_object_with_id(id, number_servant(7));
  poa->activate_object_with_id({}, number_servant(8));
  EXPECT_EQ(orb.call(poa->id_to_reference(id)).value, 7u);
  EXPECT_EQ(orb.call(poa->id_to_reference({})).value, 8u);
  EXPECT_EQ(poa->reference_to_id(poa->id_to_reference(id)), id);
  EXPECT_THROW(poa->activate_object_with_id(id, number_servant(9)), POA::ObjectAlreadyActive);
  EXPECT_THROW(poa->activate_object(number_servant(9)), POA::WrongPolicy);
}

TEST_F(UserIds, AReferenceMadeBeforehandWorksOnceItsObjectIsActive) {
  const auto reference = poa->create_reference_with_id(id, "IDL:Test/Number:1.0");
  EXPECT_TRUE(orb.call(reference).is("OBJECT_NOT_EXIST"));
  poa->activate_object_with_id(id, number_servant(7));
  EXPECT_EQ(orb.call(reference).value, 7u);
}

TEST_F(UserIds, AnObjectThatComesBackIsTheSameObject) {
  poa->activate_object_with_id(id, number_servant(1));
  const auto reference = poa->id_to_reference(id);
  poa->deactivate_object(id);
  const auto other = orb.root->activate_object(number_servant(99));  // takes the slot
  EXPECT_TRUE(orb.call(reference).is("OBJECT_NOT_EXIST"));
  poa->activate_object_with_id(id, number_servant(2));
  EXPECT_EQ(orb.call(reference).value, 2u);
}

TEST(Activation, AnIdOfTheSystemsMayComeBackButNoOther) {
  Adapters orb;
  const auto id = orb.root->activate_object(number_servant(1));
  const auto reference = orb.root->id_to_reference(id);
  EXPECT_THROW(orb.root->activate_object_with_id(id, number_servant(2)), POA::ObjectAlreadyActive);
  orb.root->deactivate_object(id);
  orb.root->activate_object_with_id(id, number_servant(2));
  EXPECT_EQ(orb.call(reference).value, 2u);
  EXPECT_THROW(orb.root->activate_object_with_id(string_to_ObjectId("mine"), number_servant(3)),
               CORBA::BAD_PARAM);
  const auto made = orb.root->create_reference("IDL:Test/Number:1.0");
  orb.root->activate_object_with_id(orb.root->reference_to_id(made), number_servant(4));
  EXPECT_EQ(orb.call(made).value, 4u);
}

TEST(Activation, AnotherPoasReferencesAreRefused) {
  Adapters orb, other;
  const auto poa = orb.child("child", {});
  const auto reference = orb.root->servant_to_reference(number_servant(1));
  EXPECT_THROW(poa->reference_to_id(reference), POA::WrongAdapter);
  EXPECT_THROW(other.root->reference_to_id(reference), POA::WrongAdapter);
  EXPECT_TRUE(other.call(reference).is("OBJECT_NOT_EXIST")) << "keys belong to one ORB";
}

TEST(Activation, OneServantForManyObjects) {
  Adapters orb;
  const auto poa =
      orb.child("many", {orb.root->create_id_uniqueness_policy(IdUniquenessPolicyValue::MULTIPLE_ID)});
  const auto servant = number_servant(3);
  const auto a = poa->activate_object(servant);
  const auto b = poa->activate_object(servant);
  EXPECT_NE(a, b);
  poa->deactivate_object(a);
  EXPECT_EQ(orb.call(poa->id_to_reference(b)).value, 3u);
  EXPECT_THROW(poa->servant_to_id(servant), POA::WrongPolicy);
}

TEST(Activation, AHundredThousandObjects) {
  Adapters orb;
  const auto poa =
      orb.child("many", {orb.root->create_id_uniqueness_policy(IdUniquenessPolicyValue::MULTIPLE_ID)});
  const auto servant = number_servant(3);
  std::vector<ObjectId> ids;
  for (int i = 0; i < 100000; ++i) ids.push_back(poa->activate_object(servant));
  EXPECT_EQ(orb.call(poa->id_to_reference(ids[0])).value, 3u);
  EXPECT_EQ(orb.call(poa->id_to_reference(ids[99999])).value, 3u);
  poa->destroy(false, true);
  EXPECT_EQ(servant.shared().use_count(), 1);
}

// Would take forever if each activation searched linearly.
TEST(Activation, AHundredThousandObjectsThatAreFoundLinearly) {
  Adapters orb;
  LookupStrategies strategies;
  strategies.servant = Lookup::linear;
  const auto poa =
      orb.child("many", {orb.root->create_id_uniqueness_policy(IdUniquenessPolicyValue::MULTIPLE_ID),
                         orb.root->create_id_assignment_policy(IdAssignmentPolicyValue::USER_ID),
                         create_lookup_policy(strategies)});
  const auto servant = number_servant(3);
  const auto id = [](int number) { return string_to_ObjectId("object " + std::to_string(number)); };
  for (int i = 0; i < 100000; ++i) poa->activate_object_with_id(id(i), servant);
  EXPECT_THROW(poa->activate_object_with_id(id(99999), servant), POA::ObjectAlreadyActive);
  const auto reference = poa->id_to_reference(id(0));
  EXPECT_EQ(orb.call(reference).value, 3u);
  for (int i = 99999; i > 0; --i) poa->deactivate_object(id(i));
  EXPECT_EQ(orb.call(reference).value, 3u);
  EXPECT_THROW(poa->deactivate_object(id(99999)), POA::ObjectNotActive);
  poa->activate_object_with_id(id(99999), servant);
  EXPECT_EQ(orb.call(poa->id_to_reference(id(99999))).value, 3u);
  poa->destroy(false, true);
  EXPECT_EQ(servant.shared().use_count(), 1);
}

TEST(Activation, NilServantsAreRefused) {
  Adapters orb;
  EXPECT_THROW(orb.root->activate_object(nullptr), CORBA::BAD_PARAM);
  EXPECT_THROW(orb.root->servant_to_reference(nullptr), CORBA::BAD_PARAM);
  CORBA::servant_reference<NumberServant> nil;
  EXPECT_THROW(nil->_repository_id(), CORBA::INV_OBJREF);
}

TEST(ObjectIds, AreTextOrNot) {
  EXPECT_EQ(ObjectId_to_string(string_to_ObjectId("abc")), "abc");
  EXPECT_EQ(ObjectId_to_wstring(wstring_to_ObjectId(L"ab\u20ac")), L"ab\u20ac");
  EXPECT_THROW(ObjectId_to_string({'a', 0}), CORBA::BAD_PARAM);
  EXPECT_THROW(ObjectId_to_wstring({'a'}), CORBA::BAD_PARAM);
}

}  // namespace takt::adapter
