// Calls by number, where both ends have short heads: changes of the server's objects show at once.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "../orb_pair.h"
#include "bankS.h"

namespace feature {
namespace {

class AccountServant final : public virtual CORBA::servant_traits<Bank::Account>::base_type {
 public:
  explicit AccountServant(std::int32_t balance) : balance_(balance) {}
  std::string owner() override { return "somebody"; }
  std::int32_t deposit(std::int32_t amount) override { return balance_ += amount; }

 private:
  std::atomic<std::int32_t> balance_;
};

using Account = IDL::traits<Bank::Account>::ref_type;
const Options lite{"-ORBMessaging", "giop-lite"};

class Numbered : public testing::TestWithParam<const char*> {
 protected:
  Poa child(const std::string& name, CORBA::PolicyList policies = {}) {
    policies.push_back(
        pair.root->create_id_assignment_policy(PortableServer::IdAssignmentPolicyValue::USER_ID));
    return pair.root->create_POA(name, pair.root->the_POAManager(), policies);
  }
  Account client_of(const Poa& poa) {
    const auto reference = poa->create_reference_with_id(id, "IDL:Bank/Account:1.0");
    return IDL::traits<Bank::Account>::narrow(
        pair.client->string_to_object(pair.server->object_to_string(reference)));
  }
  static auto account(std::int32_t balance) { return CORBA::make_reference<AccountServant>(balance); }
  // Often enough that the number is known and its handle in use.
  static std::int32_t balance(const Account& of) {
    const std::int32_t last = of->deposit(0);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(of->deposit(0), last);
    return last;
  }

  const PortableServer::ObjectId id{'a'};
  OrbPair pair{with(lite, {"-ORBServerConcurrency", GetParam()}), lite};
};
INSTANTIATE_TEST_SUITE_P(Of, Numbered, testing::ValuesIn(server_concurrencies), [](const auto& given) {
  std::string name = given.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST_P(Numbered, CallsFollowTheirObject) {
  const auto poa = child("accounts");
  poa->activate_object_with_id(id, account(1));
  const Account called = client_of(poa);
  EXPECT_EQ(balance(called), 1);
  called->deposit(5);
  called->deposit(5);
  EXPECT_EQ(balance(called), 11);
  poa->deactivate_object(id);
  for (int i = 0; i < 3; ++i) EXPECT_THROW(called->deposit(0), CORBA::OBJECT_NOT_EXIST);
  poa->activate_object_with_id(id, account(2));
  EXPECT_EQ(balance(called), 2);
  EXPECT_TRUE(called->_is_a("IDL:Bank/Account:1.0"));
  EXPECT_TRUE(called->_is_a("IDL:Bank/Account:1.0"));
  EXPECT_FALSE(called->_non_existent());
  EXPECT_FALSE(called->_non_existent());
}

TEST_P(Numbered, CallsFollowTheirAdapter) {
  const CORBA::PolicyList persistent{
      pair.root->create_lifespan_policy(PortableServer::LifespanPolicyValue::PERSISTENT)};
  auto poa = child("accounts", persistent);
  poa->activate_object_with_id(id, account(1));
  const Account called = client_of(poa);
  EXPECT_EQ(balance(called), 1);
  poa->destroy(true, true);
  EXPECT_THROW(called->deposit(0), CORBA::OBJECT_NOT_EXIST);
  poa = child("accounts", persistent);
  poa->activate_object_with_id(id, account(2));
  EXPECT_EQ(balance(called), 2);
}

TEST_P(Numbered, DefaultServantsTakeOver) {
  const auto poa =
      child("accounts",
            {pair.root->create_request_processing_policy(
                 PortableServer::RequestProcessingPolicyValue::USE_DEFAULT_SERVANT),
             pair.root->create_id_uniqueness_policy(PortableServer::IdUniquenessPolicyValue::MULTIPLE_ID)});
  poa->set_servant(account(100));
  const Account called = client_of(poa);
  EXPECT_EQ(balance(called), 100);
  poa->activate_object_with_id(id, account(1));
  EXPECT_EQ(balance(called), 1);
  poa->deactivate_object(id);
  EXPECT_EQ(balance(called), 100);
}

TEST_P(Numbered, SealedKeysAreCheckedBeforeTheyHaveAHandle) {
  const OrbPair sealed(with(lite, {"-ORBKeyMAC", "siphash", "-ORBServerConcurrency", GetParam()}), lite);
  const auto reference = sealed.root->servant_to_reference(account(7));
  const Account called = IDL::traits<Bank::Account>::narrow(
      sealed.client->string_to_object(sealed.server->object_to_string(reference)));
  EXPECT_EQ(balance(called), 7);
}

}  // namespace
}  // namespace feature
