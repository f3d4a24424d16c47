// Contexts of operations, and values that support interfaces. The same source runs against omniORB; under
// ASan, leaks and double frees fail it.
#include <gtest/gtest.h>

#include "passing_rare.h"

namespace {

class RareTypes : public testing::Test {
 protected:
  void SetUp() override {
    int argc = 0;
    orb_ = CORBA::ORB_init(argc, nullptr);
    register_things(orb_);
    CORBA::Object_var object = orb_->resolve_initial_references("RootPOA");
    root_ = PortableServer::POA::_narrow(object);
    PortableServer::POAManager_var manager = root_->the_POAManager();
    manager->activate();
    Rare_i* const servant = new Rare_i(orb_);
    PortableServer::ObjectId_var id = root_->activate_object(servant);
    keeper_ = servant->_this();
    servant->_remove_ref();
  }
  void TearDown() override {
    keeper_ = Rare::Keeper::_nil();
    orb_->destroy();
  }
  CORBA::ORB_var orb_;
  PortableServer::POA_var root_;
  Rare::Keeper_var keeper_;
};

TEST_F(RareTypes, ContextsPassWithinTheProcess) {
  Checks checks;
  pass_contexts(checks, orb_, keeper_);
  EXPECT_EQ(checks.failed(), 0);
}
TEST_F(RareTypes, ABaseIsInheritedBySeveralWays) {
  Checks checks;
  pass_diamonds(checks, keeper_);
  EXPECT_EQ(checks.failed(), 0);
}
TEST_F(RareTypes, SequencesOfArraysPassAndKeepTheirElements) {
  Checks checks;
  pass_points(checks, keeper_);
  EXPECT_EQ(checks.failed(), 0);
}
TEST_F(RareTypes, ValuesThatSupportInterfacesPassAndServe) {
  Checks checks;
  pass_things(checks, keeper_);
  EXPECT_EQ(checks.failed(), 0);
}
#ifndef CLASSIC_BY_OMNIORB
TEST_F(RareTypes, AnInterfaceWithoutOperationsNeedsNoClassOfTheApplication) {
  Rare::Plain_var plain = new OBV_Rare::Plain(8), same = keeper_->pass_plain(plain);
  EXPECT_EQ(same->number(), 8);
}
#endif
TEST_F(RareTypes, AValueIsDestroyedWithItsLastReferenceOfEitherKind) {
  const int before = Thing_i::alive();
  Thing_i* const thing = new Thing_i;
  PortableServer::ObjectId_var id = root_->activate_object(thing);
  EXPECT_EQ(thing->references(), 2u);
  thing->drop();
  EXPECT_EQ(Thing_i::alive(), before + 1);
  Rare::Thing_var as_value = thing;
  CORBA::add_ref(thing);
  root_->deactivate_object(id);
  EXPECT_EQ(Thing_i::alive(), before + 1);
  as_value = nullptr;
  EXPECT_EQ(Thing_i::alive(), before);
}

}  // namespace
