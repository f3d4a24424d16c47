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
// The address in the first profile of a reference of this test's server, whose octets are in little-endian
// order: the port follows the host's closing zero.
std::string address_in(const std::string& ior) {
  const std::size_t host = ior.find("3132372e302e302e3100");
  if (host == std::string::npos) return {};
  const std::string port = ior.substr(host + 20, 4);
  return "127.0.0.1:" + std::to_string(std::stoi(port.substr(2) + port.substr(0, 2), nullptr, 16));
}

// Knows the keys that begin with b.
class Letters : public virtual IORTable::Locator, public virtual CORBA::LocalObject {
 public:
  Letters(const char* ior, int& asked) : ior_(ior), asked_(asked) {}
  char* locate(const char* object_key) {
    ++asked_;
    if (object_key[0] == 'm') throw CORBA::NO_PERMISSION(7, CORBA::COMPLETED_NO);
    if (object_key[0] == 'n') return nullptr;
    if (object_key[0] == 'u') throw Broad::Refused();
    if (object_key[0] != 'b') throw IORTable::NotFound();
    return CORBA::string_dup(ior_.c_str());
  }

 private:
  const std::string ior_;
  int& asked_;
};

TEST_F(IorTables, ALocatorIsAskedForKeysThatNobodyHas) {
  int asked = 0;
  IORTable::Locator_var letters = new Letters(ior_, asked);
  table_->set_locator(letters);
  letters = IORTable::Locator::_nil();  // the table keeps it
  char name[] = "client";
  char* argv[] = {name, nullptr};
  int argc = 1;
  CORBA::ORB_var client = CORBA::ORB_init(argc, argv, "client");
  const std::string text = address_in(ior_.in());
  const auto at = [&](const char* key) {
    CORBA::Object_var object = client->string_to_object(("corbaloc:iiop:1.2@" + text + "/" + key).c_str());
    Broad::Basics_var basics = Broad::Basics::_unchecked_narrow(object);
    return basics->twice(4);
  };
  EXPECT_EQ(at("b1"), 8);
  EXPECT_EQ(asked, 1);
  EXPECT_THROW(at("x"), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(at("m"), CORBA::NO_PERMISSION);
  EXPECT_THROW(at("n"), CORBA::SystemException);
  EXPECT_THROW(at("u"), CORBA::UNKNOWN);
  asked = 0;
  EXPECT_THROW(at("b%00x"), CORBA::OBJECT_NOT_EXIST);
  EXPECT_EQ(asked, 0) << "a key with an octet 0 is no text";
  table_->set_locator(IORTable::Locator::_nil());
  EXPECT_THROW(at("b1"), CORBA::OBJECT_NOT_EXIST);
  table_->set_locator(nullptr);
  client->destroy();
}
// Refers to the ORB whose table has it.
class OfOrb : public virtual IORTable::Locator, public virtual CORBA::LocalObject {
 public:
  OfOrb(CORBA::ORB_ptr orb, bool& is_gone) : orb_(CORBA::ORB::_duplicate(orb)), is_gone_(is_gone) {}
  ~OfOrb() { is_gone_ = true; }
  char* locate(const char*) { throw IORTable::NotFound(); }

 private:
  const CORBA::ORB_var orb_;
  bool& is_gone_;
};

TEST_F(IorTables, AnOrbThatIsDestroyedReleasesItsLocator) {
  bool is_gone = false;
  int argc = 0;
  CORBA::ORB_var orb = CORBA::ORB_init(argc, nullptr, "with a locator");
  CORBA::Object_var object = orb->resolve_initial_references("IORTable");
  IORTable::Table_var table = IORTable::Table::_narrow(object);
  IORTable::Locator_var locator = new OfOrb(orb, is_gone);
  table->set_locator(locator);
  locator = IORTable::Locator::_nil();
  EXPECT_FALSE(is_gone);
  orb->destroy();
  EXPECT_TRUE(is_gone);
}
TEST_F(IorTables, OnlyATableIsNarrowedToOne) {
  EXPECT_TRUE(CORBA::is_nil(IORTable::Table::_narrow(basics_)));
  EXPECT_TRUE(CORBA::is_nil(IORTable::Table::_narrow(CORBA::Object::_nil())));
  EXPECT_THROW(IORTable::Table::_nil()->unbind("basics"), CORBA::INV_OBJREF);
}

}  // namespace
