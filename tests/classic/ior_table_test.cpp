// IORTable::Table of the classic mapping. Under ASan, leaks and double frees fail it.
#include <gtest/gtest.h>

#include <string>

#include <takt/classic/ior_table.h>

#include "servants.h"

namespace {

class IorTables : public testing::Test {
 protected:
  void SetUp() override {
    int argc = 3;
    char name[] = "test", option[] = "-ORBListenEndpoints", value[] = "iiop://127.0.0.1:0";
    char* argv[] = {name, option, value, nullptr};
    orb_ = CORBA::ORB_init(argc, argv);
    CORBA::Object_var object = orb_->resolve_initial_references("RootPOA");
    root_ = PortableServer::POA::_narrow(object);
    PortableServer::POAManager_var manager = root_->the_POAManager();
    manager->activate();
    Basics_i* const servant = new Basics_i(orb_);
    PortableServer::ObjectId_var id = root_->activate_object(servant);
    basics_ = servant->_this();
    servant->_remove_ref();
    ior_ = orb_->object_to_string(basics_);
    object = orb_->resolve_initial_references("IORTable");
    table_ = IORTable::Table::_narrow(object);
    ASSERT_FALSE(CORBA::is_nil(table_));
  }
  void TearDown() override { orb_->destroy(); }
  CORBA::ORB_var orb_;
  PortableServer::POA_var root_;
  Broad::Basics_var basics_;
  CORBA::String_var ior_;
  IORTable::Table_var table_;
};

TEST_F(IorTables, KeysAreBoundOnce) {
  table_->bind("basics", ior_);
  EXPECT_THROW(table_->bind("basics", ior_), IORTable::AlreadyBound);
  table_->rebind("basics", ior_);
  table_->unbind("basics");
  EXPECT_THROW(table_->unbind("basics"), IORTable::NotFound);
  table_->bind("basics", ior_);
}
TEST_F(IorTables, WhatIsNoReferenceIsRefused) {
  EXPECT_THROW(table_->bind("basics", "nonsense"), CORBA::BAD_PARAM);
  EXPECT_THROW(table_->bind("basics", nullptr), CORBA::BAD_PARAM);
  EXPECT_THROW(table_->rebind("basics", "nonsense"), CORBA::BAD_PARAM);
  table_->bind("basics", ior_);  // nothing was bound
}
TEST_F(IorTables, OnlyATableIsNarrowedToOne) {
  EXPECT_TRUE(CORBA::is_nil(IORTable::Table::_narrow(basics_)));
  EXPECT_TRUE(CORBA::is_nil(IORTable::Table::_narrow(CORBA::Object::_nil())));
  EXPECT_THROW(IORTable::Table::_nil()->unbind("basics"), CORBA::INV_OBJREF);
}

}  // namespace
