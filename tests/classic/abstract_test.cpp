// Abstract interfaces. The same source runs against omniORB; under ASan, leaks and double frees fail it.
#include <gtest/gtest.h>

#include "passing_abstract.h"

namespace {

class AbstractInterfaces : public testing::Test {
 protected:
  void SetUp() override {
    int argc = 0;
    orb_ = CORBA::ORB_init(argc, nullptr);
    register_notes(orb_);
    CORBA::Object_var object = orb_->resolve_initial_references("RootPOA");
    root_ = PortableServer::POA::_narrow(object);
    PortableServer::POAManager_var manager = root_->the_POAManager();
    manager->activate();
    Register_i* const servant = new Register_i(orb_, root_);
    PortableServer::ObjectId_var id = root_->activate_object(servant);
    registry_ = servant->_this();
    servant->_remove_ref();
  }
  void TearDown() override {
    registry_ = Faces::Register::_nil();
    orb_->destroy();
  }
  CORBA::ORB_var orb_;
  PortableServer::POA_var root_;
  Faces::Register_var registry_;
};

TEST_F(AbstractInterfaces, PassWithinTheProcess) {
  Checks checks;
  pass_all_abstract(checks, registry_);
  EXPECT_EQ(checks.failed(), 0);
  EXPECT_GT(checks.made(), 15);
}
TEST_F(AbstractInterfaces, ReferencesCountTheValue) {
  const int before = Note_i::alive();
  {
    Faces::Note_var note = new Note_i(1);
    Faces::Described_var described = Faces::Described::_duplicate(note);
    Faces::Described_var other = described;
    note = nullptr;
    EXPECT_EQ(Note_i::alive(), before + 1);
    described = Faces::Described::_nil();
    EXPECT_TRUE(describes(other, "note 1"));
  }
  EXPECT_EQ(Note_i::alive(), before);
}
TEST_F(AbstractInterfaces, AnObjectOfAnotherTypeIsNotNarrowed) {
  Faces::Other_var other = registry_->the_other();
  CORBA::Object_var object = CORBA::Object::_duplicate(other);
#ifndef CLASSIC_BY_OMNIORB  // which narrows only from AbstractBase
  EXPECT_TRUE(CORBA::is_nil(Faces::Described::_narrow(object)));
  Faces::Station_var station = registry_->the_station();
  CORBA::String_var text = orb_->object_to_string(station);
  object = orb_->string_to_object(text);
  Faces::Described_var described = Faces::Described::_narrow(object);
  EXPECT_TRUE(describes(described, "station"));
  Faces::Marked_var marked = Faces::Marked::_unchecked_narrow(object);
  marked->mark(9);
  EXPECT_EQ(marked->mark(), 9);
#endif
}
#ifndef CLASSIC_BY_OMNIORB
TEST_F(AbstractInterfaces, NilRefusesOperations) {
  EXPECT_THROW(Faces::Described::_nil()->twice(1), CORBA::INV_OBJREF);
  EXPECT_TRUE(CORBA::is_nil(Faces::Marked::_narrow(Faces::Described::_nil())));
  EXPECT_TRUE(CORBA::is_nil(CORBA::AbstractBase::_nil()));
  CORBA::release(Faces::Described::_duplicate(nullptr));
  CORBA::Any any;
  any <<= "text";
  CORBA::AbstractBase_var base;
  EXPECT_FALSE(any >>= CORBA::Any::to_abstract_base(base.out()));
  EXPECT_TRUE(CORBA::is_nil(base));
}
#endif
TEST_F(AbstractInterfaces, ElementsAndMembersAreUsedAsReferences) {
  Faces::Note_var note = new Note_i(1);
  Faces::Many many;
  many.length(2);
  many[1] = Faces::Described::_duplicate(note);
  EXPECT_TRUE(CORBA::is_nil(many[0]));
  EXPECT_FALSE(CORBA::is_nil(many[1]));
  Faces::Marked_var marked = Faces::Marked::_narrow(many[1]);
  EXPECT_TRUE(describes(marked, "note 1"));
  Faces::Pair pair;
  EXPECT_TRUE(CORBA::is_nil(pair.first));
  pair.second = marked;
  Faces::Pair copy(pair);
  EXPECT_TRUE(describes(copy.second, "note 1"));
}
TEST_F(AbstractInterfaces, TheirTypeCodesSaySo) {
  EXPECT_EQ(Faces::_tc_Described->kind(), CORBA::tk_abstract_interface);
  EXPECT_STREQ(Faces::_tc_Described->id(), "IDL:Faces/Described:1.0");
  EXPECT_EQ(Faces::_tc_Station->kind(), CORBA::tk_objref);
}

}  // namespace
