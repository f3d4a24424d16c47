// The operations of CORBA::Object on objects of the caller's own ORB.
#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

#include "../orb_pair.h"
#include "bankS.h"

namespace {

using feature::OrbPair;
using Object = CORBA::object_reference<CORBA::Object>;

// Runs the test's code when something is deposited.
class AskedAccount final : public virtual Bank::POA::Account {
 public:
  explicit AskedAccount(std::function<void()> body = {}) : body_(std::move(body)) {}
  std::string owner() override { return "alice"; }
  std::int32_t deposit(std::int32_t amount) override {
    body_();
    return amount;
  }
  bool _is_a(const std::string& id) override {
    if (id == "IDL:Broken:1.0") throw std::runtime_error("broken");
    return Bank::POA::Account::_is_a(id);
  }

 private:
  const std::function<void()> body_;
};

const auto the_id = PortableServer::string_to_ObjectId("it");

// An upcall that asks all of an object of its own adapter, which no other thread could answer meanwhile.
void ask_in_upcall(const char* concurrency, PortableServer::ThreadPolicyValue model) {
  const OrbPair orbs({"-ORBServerConcurrency", concurrency, "-ORBRoundTripTimeout", "2s"});
  const auto poa =
      orbs.make_poa({orbs.root->create_id_assignment_policy(PortableServer::IdAssignmentPolicyValue::USER_ID),
                     orbs.root->create_thread_policy(model)});
  poa->activate_object_with_id(the_id, CORBA::make_reference<AskedAccount>());
  const Object other = poa->create_reference_with_id(the_id, "IDL:Bank/Thing:1.0");
  int asked = 0;
  const auto servant = CORBA::make_reference<AskedAccount>([&] {
    EXPECT_FALSE(other->_is_a("IDL:Bank/Branch:1.0"));
    EXPECT_TRUE(other->_is_a("IDL:Bank/Account:1.0"));
    EXPECT_FALSE(other->_non_existent());
    EXPECT_EQ(other->_repository_id(), "IDL:Bank/Account:1.0");
    EXPECT_FALSE(other->_get_component());
    EXPECT_THROW(other->_get_interface(), CORBA::INTF_REPOS);
    EXPECT_TRUE(IDL::traits<Bank::Account>::narrow(other)) << "asks whether it is one";
    ++asked;
  });
  poa->activate_object_with_id(PortableServer::string_to_ObjectId("asking"), servant);
  const auto account =
      orbs.seen_by_client<Bank::Account>(poa->id_to_reference(PortableServer::string_to_ObjectId("asking")));
  EXPECT_EQ(account->deposit(3), 3);
  EXPECT_EQ(asked, 1);
}

}  // namespace

TEST(ObjectOperations, OfAnUpcallsOwnSingleThreadedAdapterNeedNoOtherThread) {
  ask_in_upcall("thread-per-connection", PortableServer::ThreadPolicyValue::SINGLE_THREAD_MODEL);
}

TEST(ObjectOperations, OfAReactiveServersOwnObjectsNeedNoOtherThread) {
  ask_in_upcall("reactive", PortableServer::ThreadPolicyValue::ORB_CTRL_MODEL);
}

TEST(ObjectOperations, OfLocalObjectsObeyTheirAdapter) {
  const OrbPair orbs;
  const auto poa = orbs.make_poa(
      {orbs.root->create_id_assignment_policy(PortableServer::IdAssignmentPolicyValue::USER_ID)});
  const Object object = poa->create_reference_with_id(the_id, "IDL:Bank/Thing:1.0");
  EXPECT_TRUE(object->_non_existent());
  EXPECT_THROW(object->_is_a("IDL:Bank/Branch:1.0"), CORBA::OBJECT_NOT_EXIST);
  poa->activate_object_with_id(the_id, CORBA::make_reference<AskedAccount>());
  EXPECT_FALSE(object->_non_existent());
  EXPECT_THROW(object->_is_a("IDL:Broken:1.0"), CORBA::UNKNOWN) << "as a remote caller gets it";
  EXPECT_THROW(orbs.seen_by_client<CORBA::Object>(object)->_is_a("IDL:Broken:1.0"), CORBA::UNKNOWN);
  orbs.root->the_POAManager()->discard_requests(true);
  EXPECT_THROW(object->_non_existent(), CORBA::TRANSIENT);
}
