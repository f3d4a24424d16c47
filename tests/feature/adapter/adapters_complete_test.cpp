// Calls to adapters that the program has not created yet.
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include <takt/corba.h>

#include "../kept_port.h"
#include "../make_orb.h"
#include "bankS.h"

namespace {

using namespace std::chrono_literals;
using feature::Orb;
using PoaRef = IDL::traits<PortableServer::POA>::ref_type;
using AccountRef = IDL::traits<Bank::Account>::ref_type;

class Account final : public virtual Bank::POA::Account {
 public:
  std::string owner() override { return "alice"; }
  std::int32_t deposit(std::int32_t amount) override { return amount; }
};

PoaRef root_of(const Orb& orb) {
  return IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
}

// Activates an account and returns its reference.
std::string make_account(const Orb& orb, const PoaRef& root, const std::string& adapter = "accounts") {
  const auto poa =
      root->create_POA(adapter, root->the_POAManager(),
                       {root->create_lifespan_policy(PortableServer::LifespanPolicyValue::PERSISTENT),
                        root->create_id_assignment_policy(PortableServer::IdAssignmentPolicyValue::USER_ID)});
  const auto id = PortableServer::string_to_ObjectId("account");
  poa->activate_object_with_id(id, CORBA::make_reference<Account>());
  return orb->object_to_string(poa->id_to_reference(id));
}

AccountRef account_by(const Orb& orb, const std::string& reference) {
  return IDL::traits<Bank::Account>::unchecked_narrow(orb->string_to_object(reference));
}

class AdaptersComplete : public testing::Test {
 protected:
  // Makes a reference as an earlier process would have.
  AdaptersComplete() {
    const auto before = make({});
    reference = make_account(before, root_of(before));
    before->destroy();
  }
  ~AdaptersComplete() override {
    if (client) client->destroy();
    if (server) server->destroy();
  }
  Orb make(std::vector<std::string> options) const {
    options.insert(options.end(), {"-ORBListenEndpoints", port.endpoint()});
    return feature::make_orb(std::move(options), "adapters-");
  }
  // The result of a call: the owner, or the exception's id.
  static std::string called(const Orb& orb, const std::string& to) {
    try {
      return account_by(orb, to)->owner();
    } catch (const CORBA::SystemException& thrown) {
      return thrown._rep_id();
    }
  }
  std::future<std::string> calling(const Orb& orb) const {
    return std::async(std::launch::async, [=, to = reference] { return called(orb, to); });
  }

  static constexpr const char* not_there = "IDL:omg.org/CORBA/OBJECT_NOT_EXIST:1.0";
  const feature::KeptPort port;
  std::string reference;
  Orb server, client = feature::make_orb({}, "client-");
};

TEST_F(AdaptersComplete, ACallWaitsForItsAdapter) {
  server = make({});
  const auto root = root_of(server);
  auto answer = calling(client), collocated = calling(server);
  EXPECT_EQ(answer.wait_for(200ms), std::future_status::timeout);
  EXPECT_EQ(collocated.wait_for(0ms), std::future_status::timeout);
  make_account(server, root);
  root->the_POAManager()->activate();
  EXPECT_EQ(answer.get(), "alice");
  EXPECT_EQ(collocated.get(), "alice");
}

TEST_F(AdaptersComplete, WhatIsNotThereAfterwardsIsNotThere) {
  server = make({"-ORBAdapterTimeout", "1h"});
  const auto root = root_of(server);
  auto answer = calling(client), collocated = calling(server);
  EXPECT_EQ(answer.wait_for(200ms), std::future_status::timeout);
  root->the_POAManager()->activate();
  EXPECT_EQ(answer.get(), not_there);
  EXPECT_EQ(collocated.get(), not_there);
  EXPECT_EQ(called(client, reference), not_there);
}

TEST_F(AdaptersComplete, TheProgramMaySayThatTheyAreComplete) {
  server = make({"-ORBAdaptersComplete", "call", "-ORBAdapterTimeout", "1h"});
  const auto root = root_of(server);
  root->the_POAManager()->activate();
  auto answer = calling(client), collocated = calling(server);
  EXPECT_EQ(answer.wait_for(200ms), std::future_status::timeout) << "though a manager is active";
  make_account(server, root);
  server->_adapters_complete();
  EXPECT_EQ(answer.get(), "alice");
  EXPECT_EQ(collocated.get(), "alice");
}

TEST_F(AdaptersComplete, NothingWaitsForLongerThanTheTimeout) {
  server = make({"-ORBAdapterTimeout", "300ms"});
  const auto root = root_of(server);
  auto collocated = calling(server);
  EXPECT_EQ(called(client, reference), not_there);
  EXPECT_EQ(collocated.get(), not_there);
}

TEST_F(AdaptersComplete, MoreThanMayWaitAreToTryAgain) {
  server = make({"-ORBAdapterTimeout", "1h", "-ORBHeldRequests", "1"});
  const auto root = root_of(server);
  auto first = calling(server);
  EXPECT_EQ(first.wait_for(200ms), std::future_status::timeout);
  EXPECT_EQ(called(server, reference), "IDL:omg.org/CORBA/TRANSIENT:1.0");
  make_account(server, root);
  root->the_POAManager()->activate();
  EXPECT_EQ(first.get(), "alice");
}

TEST_F(AdaptersComplete, AnActivatorMakesAnAdapterLater) {
  class Activator final : public PortableServer::AdapterActivator {
   public:
    explicit Activator(Orb orb) : orb_(std::move(orb)) {}
    bool unknown_adapter(PoaRef parent, const std::string& name) override {
      make_account(orb_, parent, name);
      return true;
    }

   private:
    const Orb orb_;
  };
  server = make({"-ORBAdapterTimeout", "1h"});
  const auto root = root_of(server);
  root->the_activator(CORBA::make_reference<Activator>(server));
  root->the_POAManager()->activate();
  EXPECT_EQ(called(client, reference), "alice");
}

TEST_F(AdaptersComplete, ShuttingDownEndsTheWait) {
  server = make({"-ORBAdapterTimeout", "1h"});
  const auto root = root_of(server);
  auto answer = calling(client), collocated = calling(server);
  EXPECT_EQ(answer.wait_for(200ms), std::future_status::timeout);
  server->shutdown(true);
  EXPECT_NE(answer.get(), "alice");
  EXPECT_NE(collocated.get(), "alice");
}

}  // namespace
