// The code of docs/user/object-adapter.md and its claims, tested with whole ORBs.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <takt/adapter/current.h>
#include <takt/adapter/direct.h>
#include <takt/corba.h>
#include <takt/lookup/lookup_policy.h>

#include "../kept_port.h"
#include "../make_orb.h"
#include "bankS.h"
#include "known_accounts.h"

namespace {

using feature::Orb;
using PoaRef = IDL::traits<PortableServer::POA>::ref_type;
using AccountRef = IDL::traits<Bank::Account>::ref_type;

class Account final : public virtual Bank::POA::Account {
 public:
  explicit Account(std::string owner) : owner_(std::move(owner)) {}
  std::string owner() override { return owner_; }
  std::int32_t deposit(std::int32_t amount) override { return balance_ += amount; }

 private:
  const std::string owner_;
  std::int32_t balance_ = 0;
};

Orb make_orb(std::vector<std::string> options) {
  return feature::make_orb(std::move(options), "adapter-test-");
}

PoaRef root_of(const Orb& orb) {
  auto root = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
  root->the_POAManager()->activate();
  return root;
}

// A bank at a fixed endpoint, with one account.
struct Server {
  explicit Server(std::vector<std::string> options, const std::string& owner = "alice")
      : orb(make_orb(options)) {
    auto root = root_of(orb);
    accounts = root->create_POA(
        "accounts", root->the_POAManager(),
        {root->create_lifespan_policy(PortableServer::LifespanPolicyValue::PERSISTENT),
         root->create_id_assignment_policy(PortableServer::IdAssignmentPolicyValue::USER_ID)});
    const auto id = PortableServer::string_to_ObjectId("account");
    accounts->activate_object_with_id(id, CORBA::make_reference<Account>(owner));
    ior = orb->object_to_string(accounts->id_to_reference(id));
  }
  ~Server() { orb->destroy(); }
  Orb orb;
  PoaRef accounts;
  std::string ior;
};

struct Client {
  ~Client() { orb->destroy(); }
  AccountRef account(const std::string& ior) {
    return IDL::traits<Bank::Account>::narrow(orb->string_to_object(ior));
  }
  Orb orb = make_orb({});
};

const std::vector<std::string> anywhere = {"-ORBListenEndpoints", "iiop://127.0.0.1:0"};

std::vector<std::string> operator+(std::vector<std::string> options, const std::vector<std::string>& more) {
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

}  // namespace

TEST(PersistentReferences, WorkAfterTheServerHasRestarted) {
  const feature::KeptPort port;
  const std::vector<std::string> here = {"-ORBListenEndpoints", port.endpoint()};
  Client client;
  AccountRef account;
  {
    Server server(here, "before");
    account = client.account(server.ior);
    EXPECT_EQ(account->owner(), "before");
  }
  EXPECT_THROW(account->owner(), CORBA::SystemException);
  for (const char* strategy : {"linear", "dynamic", "active", "delayered"}) {
    Server server(
        here + std::vector<std::string>{"-ORBAdapterLookup", strategy, "-ORBServantLookup", strategy},
        strategy);
    EXPECT_EQ(account->owner(), strategy);
  }
}

void write_secret(const std::string& file, const char* octets) {
  using std::filesystem::perms;
  std::ofstream(file) << octets;
  std::filesystem::permissions(file, perms::owner_read | perms::owner_write);
}

TEST(SealedReferences, WorkAfterARestartWithTheSameSecretOnly) {
  const std::string folder = testing::TempDir(), secret = folder + "key.secret",
                    other = folder + "other.secret";
  write_secret(secret, "0123456789abcdef");
  write_secret(other, "0123456789ABCDEF");
  const feature::KeptPort port;
  const std::vector<std::string> here = {"-ORBListenEndpoints", port.endpoint(), "-ORBKeyMAC", "siphash",
                                         "-ORBKeySecretFile"};
  Client client;
  AccountRef account;
  {
    Server server(here + std::vector{secret}, "first");
    account = client.account(server.ior);
    EXPECT_EQ(account->owner(), "first");
  }
  {
    Server server(here + std::vector{secret}, "second");
    EXPECT_EQ(account->owner(), "second");
  }
  {
    Server server(here + std::vector{other}, "third");
    EXPECT_THROW(account->owner(), CORBA::OBJECT_NOT_EXIST);
  }
}

TEST(SealedReferences, NeedASoundSecret) {
  const std::vector<std::string> sealed = anywhere + std::vector<std::string>{"-ORBKeyMAC", "siphash"};
  EXPECT_THROW(Server server(sealed), CORBA::BAD_PARAM) << "persistent keys and a random secret";
  const std::string shorter = testing::TempDir() + "short.secret";
  write_secret(shorter, "short");
  for (const std::string& file : {shorter, std::string("/nowhere/key.secret")})
    EXPECT_THROW(make_orb(sealed + std::vector<std::string>{"-ORBKeySecretFile", file}), CORBA::INITIALIZE);
}

TEST(SealedReferences, NeedASecretThatNobodyElseReadsOrWrites) {
  using std::filesystem::perms;
  const std::string file = testing::TempDir() + "open.secret";
  write_secret(file, "0123456789abcdef");
  const auto start_with = [&](perms allowed) {
    std::filesystem::permissions(file, allowed);
    try {
      make_orb(anywhere + std::vector<std::string>{"-ORBKeyMAC", "siphash", "-ORBKeySecretFile", file})
          ->destroy();
    } catch (const CORBA::INITIALIZE& refused) {
      return std::string(refused.what());
    }
    return std::string("started");
  };
  EXPECT_EQ(start_with(perms(0600)), "started");
  EXPECT_EQ(start_with(perms(0400)), "started");
  EXPECT_EQ(start_with(perms(0640)), "started");
  for (const int open : {0666, 0644, 0660, 0602, 0604}) {
    const std::string refusal = start_with(perms(open));
    EXPECT_NE(refusal.find("by other users"), std::string::npos) << open << refusal;
    EXPECT_NE(refusal.find("chmod 600 " + file), std::string::npos) << refusal;
  }
}

TEST(LookupStrategies, AreChosenForEachPoa) {
  const auto orb = make_orb(anywhere);
  auto root = root_of(orb);
  takt::LookupStrategies strategies;
  strategies.adapter = takt::Lookup::linear;
  strategies.servant = takt::Lookup::dynamic;
  strategies.operation = takt::Lookup::linear;
  auto poa = root->create_POA("searched", root->the_POAManager(), {takt::create_lookup_policy(strategies)});
  const auto account = poa->id_to_reference(poa->activate_object(CORBA::make_reference<Account>("carol")));
  Client client;
  EXPECT_EQ(client.account(orb->object_to_string(account))->deposit(3), 3);
  orb->destroy();
}

TEST(LookupStrategies, MayKnowTheirServantsBeforehand) {
  const auto orb = make_orb(anywhere + std::vector<std::string>{"-ORBOperationLookup", "dynamic"});
  auto root = root_of(orb);
  const auto make = [&](const char* name, const takt::IdTable& table) {
    takt::LookupStrategies strategies;
    strategies.servant = takt::Lookup::perfect;
    strategies.servants = table;
    return root->create_POA(
        name, root->the_POAManager(),
        {takt::create_lookup_policy(strategies),
         root->create_id_assignment_policy(PortableServer::IdAssignmentPolicyValue::USER_ID)});
  };
  const std::string_view ids[] = {"alice", "bob"};
  Client client;
  for (const auto& poa : {make("compiled", known_accounts()), make("made", takt::make_id_table(ids))}) {
    const auto alice = PortableServer::string_to_ObjectId("alice");
    poa->activate_object_with_id(alice, CORBA::make_reference<Account>("alice"));
    EXPECT_EQ(client.account(orb->object_to_string(poa->id_to_reference(alice)))->owner(), "alice");
    EXPECT_THROW(poa->activate_object_with_id(PortableServer::string_to_ObjectId("mallory"),
                                              CORBA::make_reference<Account>("mallory")),
                 CORBA::BAD_PARAM);
  }
  EXPECT_TRUE(known_accounts().contains("michael & sons"));
  EXPECT_FALSE(known_accounts().contains("michael"));
  orb->destroy();
}

TEST(Collocation, GoesThroughThePoaOrByTheServant) {
  const auto orb = make_orb(anywhere);
  auto poa = root_of(orb);
  const auto account = IDL::traits<Bank::Account>::narrow(
      poa->id_to_reference(poa->activate_object(CORBA::make_reference<Account>("dave"))));
  EXPECT_EQ(account->deposit(1), 1);
  auto servant = CORBA::servant_traits<Bank::Account>::narrow(poa->reference_to_servant(account));
  EXPECT_EQ(servant->deposit(1), 2);
  poa->the_POAManager()->discard_requests(false);
  EXPECT_THROW(account->deposit(1), CORBA::TRANSIENT);
  EXPECT_EQ(servant->deposit(1), 3);
  orb->destroy();
}

namespace {

// Runs the test's code in an upcall.
class Inquirer final : public virtual Bank::POA::Account {
 public:
  std::function<void()> run;
  bool* gone = nullptr;
  ~Inquirer() override {
    if (gone) *gone = true;
  }
  std::string owner() override {
    run();
    return "";
  }
  std::int32_t deposit(std::int32_t) override { throw CORBA::NO_PERMISSION(); }
};

AccountRef account_of(const PoaRef& poa, const PortableServer::ObjectId& id) {
  return IDL::traits<Bank::Account>::narrow(poa->id_to_reference(id));
}

}  // namespace

TEST(DirectCalls, AreUpcallsLikeAnyOther) {
  const auto orb = make_orb(anywhere);
  const auto poa = root_of(orb);
  const auto id = poa->activate_object(CORBA::make_reference<Account>("erin"));
  const takt::Direct<Bank::Account> direct(account_of(poa, id));
  EXPECT_EQ(direct->owner(), "erin");
  EXPECT_EQ(direct->deposit(5), 5);
  EXPECT_EQ(account_of(poa, id)->deposit(1), 6) << "the same servant";

  const auto inquirer = CORBA::make_reference<Inquirer>();
  const takt::Direct<Bank::Account> asked(account_of(poa, poa->activate_object(inquirer)));
  EXPECT_THROW(asked->deposit(1), CORBA::NO_PERMISSION) << "what a servant throws";
  PortableServer::Current current;
  PortableServer::ObjectId inside, inside_again;
  inquirer->run = [&] {
    direct->owner();
    inside = current.get_object_id();
  };
  asked->owner();
  EXPECT_EQ(inside, poa->servant_to_id(inquirer));
  inquirer->run = [&] { inside_again = current.get_object_id(); };
  const takt::Direct<Bank::Account> copy = asked;
  copy->owner();
  EXPECT_EQ(inside_again, inside);
  EXPECT_THROW(current.get_object_id(), PortableServer::Current::NoContext);
  orb->destroy();
}

TEST(DirectCalls, EndWithTheObject) {
  const auto orb = make_orb(anywhere);
  const auto poa = root_of(orb);
  bool gone = false;
  auto servant = CORBA::make_reference<Inquirer>();
  servant->gone = &gone;
  const auto id = poa->activate_object(servant);
  const takt::Direct<Bank::Account> direct(account_of(poa, id));
  servant->run = [&] {
    poa->deactivate_object(id);
    EXPECT_FALSE(gone) << "while an upcall is in it";
  };
  servant = nullptr;
  direct->owner();
  EXPECT_TRUE(gone);
  EXPECT_THROW(direct->owner(), CORBA::OBJECT_NOT_EXIST);
  const auto next = poa->activate_object(CORBA::make_reference<Account>("who has its slot now"));
  EXPECT_THROW(direct->owner(), CORBA::OBJECT_NOT_EXIST);
  const takt::Direct<Bank::Account> other(account_of(poa, next));
  orb->destroy();
  EXPECT_ANY_THROW(other->owner());
}

TEST(DirectCalls, WaitForTheManager) {
  const auto orb = make_orb(anywhere + std::vector<std::string>{"-ORBHoldTimeout", "1s"});
  const auto poa = root_of(orb);
  const auto manager = poa->the_POAManager();
  const takt::Direct<Bank::Account> direct(
      account_of(poa, poa->activate_object(CORBA::make_reference<Account>("frank"))));
  manager->hold_requests(false);
  EXPECT_THROW(direct->owner(), CORBA::TRANSIENT) << "held for too long";
  std::thread caller([&] { EXPECT_EQ(direct->owner(), "frank"); });
  manager->activate();
  caller.join();
  manager->discard_requests(true);
  EXPECT_THROW(direct->owner(), CORBA::TRANSIENT);
  manager->activate();
  EXPECT_EQ(direct->owner(), "frank");
  orb->destroy();
}

TEST(DirectCalls, AreRefusedWhereOnlyAStubIsRight) {
  const auto orb = make_orb(anywhere);
  const auto root = root_of(orb);
  const auto id = root->activate_object(CORBA::make_reference<Account>("grace"));
  const auto account = account_of(root, id);
  const auto direct = [](const AccountRef& to) { takt::Direct<Bank::Account> made(to); };
  Client client;
  EXPECT_THROW(direct(client.account(orb->object_to_string(account))), CORBA::BAD_PARAM) << "another ORB's";
  EXPECT_THROW(direct(nullptr), CORBA::INV_OBJREF);
  const auto single =
      root->create_POA("single", root->the_POAManager(),
                       {root->create_thread_policy(PortableServer::ThreadPolicyValue::SINGLE_THREAD_MODEL)});
  EXPECT_THROW(direct(account_of(single, single->activate_object(CORBA::make_reference<Account>("heidi")))),
               CORBA::BAD_PARAM);
  root->deactivate_object(id);
  EXPECT_THROW(direct(account), CORBA::BAD_PARAM) << "not active";
  orb->destroy();
}
