// The table of plain object keys, as clients see it.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>

#include <takt/corba.h>
#include <takt/orb/ior_table.h>

#include "../orb_pair.h"
#include "bankS.h"

namespace {

class OwnedAccount final : public virtual Bank::POA::Account {
 public:
  explicit OwnedAccount(std::string owner) : owner_(std::move(owner)) {}
  std::string owner() override { return owner_; }
  std::int32_t deposit(std::int32_t amount) override { return amount; }

 private:
  const std::string owner_;
};

class IorTable : public testing::Test {
 protected:
  using Table = IDL::traits<IORTable::Table>;

  std::string reference(const std::string& owner) {
    const auto id = orbs.root->activate_object(CORBA::make_reference<OwnedAccount>(owner));
    return orbs.server->object_to_string(orbs.root->id_to_reference(id));
  }
  std::string owner_of(const std::string& key) {
    const std::string endpoint = orbs.server->_published_endpoints().front();
    const auto object =
        orbs.client->string_to_object("corbaloc::" + endpoint.substr(endpoint.find(' ') + 1) + "/" + key);
    return IDL::traits<Bank::Account>::unchecked_narrow(object)->owner();
  }

  feature::OrbPair orbs;
  const Table::ref_type table = Table::narrow(orbs.server->resolve_initial_references("IORTable"));
};

TEST_F(IorTable, ClientsReachBoundObjectsByTheirKeys) {
  ASSERT_TRUE(table);
  table->bind("account", reference("alice"));
  EXPECT_EQ(owner_of("account"), "alice");
  table->rebind("account", reference("bob"));
  EXPECT_EQ(owner_of("account"), "bob");
  table->unbind("account");
  EXPECT_THROW(owner_of("account"), CORBA::OBJECT_NOT_EXIST);
}

class FirstLetter final : public virtual IORTable::Locator {
 public:
  explicit FirstLetter(std::map<char, std::string> references) : references_(std::move(references)) {}
  std::string locate(const std::string& key) override {
    if (key == "minor") throw CORBA::NO_PERMISSION(7, CORBA::COMPLETED_NO);
    const auto found = references_.find(key[0]);
    if (found == references_.end()) throw IORTable::NotFound();
    return found->second;
  }

 private:
  const std::map<char, std::string> references_;
};

TEST_F(IorTable, ALocatorIsAskedForKeysThatNobodyHas) {
  const feature::OrbPair others;
  const auto elsewhere = others.root->activate_object(CORBA::make_reference<OwnedAccount>("carol"));
  table->bind("account", reference("alice"));
  table->set_locator(CORBA::make_reference<FirstLetter>(std::map<char, std::string>{
      {'b', reference("bob")},
      {'c', others.server->object_to_string(others.root->id_to_reference(elsewhere))},
      {'n', "nonsense"}}));
  EXPECT_EQ(owner_of("account"), "alice") << "the table is first";
  EXPECT_EQ(owner_of("b/1"), "bob");
  EXPECT_EQ(owner_of("c"), "carol") << "a forward";
  EXPECT_THROW(owner_of("d"), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(owner_of("n"), CORBA::BAD_PARAM) << "a text that is no reference";
  EXPECT_THROW(owner_of("minor"), CORBA::NO_PERMISSION);
  EXPECT_EQ(owner_of("b%00%ff"), "bob");
  table->set_locator(nullptr);
  EXPECT_THROW(owner_of("b/1"), CORBA::OBJECT_NOT_EXIST);
}

TEST_F(IorTable, ALocatorIsAskedForLocateRequests) {
  table->set_locator(
      CORBA::make_reference<FirstLetter>(std::map<char, std::string>{{'b', reference("bob")}}));
  const std::string endpoint = orbs.server->_published_endpoints().front();
  const auto at = [&](const std::string& key) {
    return orbs.client->string_to_object("corbaloc::" + endpoint.substr(endpoint.find(' ') + 1) + "/" + key);
  };
  CORBA::PolicyList conflicting;
  EXPECT_TRUE(at("b")->_validate_connection(conflicting));
  EXPECT_EQ(owner_of("b"), "bob");
}

class FailingLocator final : public virtual IORTable::Locator {
 public:
  explicit FailingLocator(std::string endpoint) : endpoint_(std::move(endpoint)) {}
  std::string locate(const std::string& key) override {
    if (key == "standard") throw std::runtime_error("no memory of it");
    if (key == "number") throw 7;
    return "corbaloc::" + endpoint_ + "/" + key;
  }

 private:
  const std::string endpoint_;
};

TEST_F(IorTable, ALocatorThatFailsHarmsOnlyItsClients) {
  const std::string published = orbs.server->_published_endpoints().front();
  const std::string endpoint = published.substr(published.find(' ') + 1);
  table->set_locator(CORBA::make_reference<FailingLocator>(endpoint));
  for (const char* key : {"standard", "number"}) EXPECT_THROW(owner_of(key), CORBA::UNKNOWN) << key;
  EXPECT_THROW(owner_of("itself"), CORBA::SystemException) << "forwards in a circle end";
  table->bind("account", reference("alice"));
  EXPECT_EQ(owner_of("account"), "alice");
}

TEST_F(IorTable, AKeyIsBoundOnce) {
  const std::string alice = reference("alice"), bob = reference("bob");
  EXPECT_THROW(table->unbind("account"), IORTable::NotFound);
  table->bind("account", alice);
  EXPECT_THROW(table->bind("account", bob), IORTable::AlreadyBound);
  EXPECT_EQ(owner_of("account"), "alice");
}

TEST_F(IorTable, HasTheKeysOfTheOrb) {
  orbs.server->register_object_key("account", orbs.server->string_to_object(reference("alice")));
  EXPECT_THROW(table->bind("account", reference("bob")), IORTable::AlreadyBound);
  Table::narrow(orbs.server->resolve_initial_references("IORTable"))->unbind("account");
  EXPECT_THROW(owner_of("account"), CORBA::OBJECT_NOT_EXIST);
}

TEST_F(IorTable, WhatIsNoRemoteObjectIsRefused) {
  EXPECT_THROW(table->bind("account", "nonsense"), CORBA::BAD_PARAM);
  EXPECT_THROW(table->bind("account", ""), CORBA::BAD_PARAM);
  const std::string nil = orbs.server->object_to_string(nullptr);
  EXPECT_THROW(table->bind("account", nil), CORBA::BAD_PARAM);
  EXPECT_THROW(table->rebind("account", nil), CORBA::BAD_PARAM);
  EXPECT_THROW(table->unbind("account"), IORTable::NotFound);
}

TEST(IorTables, ATableOutlivesItsOrbWithoutEffect) {
  const auto orb = feature::make_orb({}, "alone");
  const auto table = IDL::traits<IORTable::Table>::narrow(orb->resolve_initial_references("IORTable"));
  orb->destroy();
  EXPECT_THROW(table->bind("key", "corbaloc::localhost:1/key"), CORBA::OBJECT_NOT_EXIST);
}

}  // namespace
