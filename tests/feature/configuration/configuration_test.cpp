// Changing options of a running ORB.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <takt/orb/configuration.h>

#include "orbs.h"

namespace feature {
namespace {

using takt::Configuration;

// The reason for refusing a change; `Refusal` is the expected exception.
template <class Refusal, class Change>
std::string refusal(Change change) {
  try {
    change();
  } catch (const Refusal& refused) {
    return std::string(refused.detail());
  }
  return "nothing";
}

std::string reference_to(const ServerAndClient& orbs) {
  const auto poa =
      IDL::traits<PortableServer::POA>::narrow(orbs.server->resolve_initial_references("RootPOA"));
  return orbs.server->object_to_string(poa->servant_to_reference(orbs.servant));
}

TEST(Configuration, SaysWhatOptionsAreAndWhereTheyComeFrom) {
  ServerAndClient orbs({"-ORBMaxConnections", "7", "-ORBPersonality", "minimal"});
  const auto server = Configuration::of(orbs.server);
  EXPECT_EQ(server.get("MaxConnections"), std::vector<std::string>{"7"});
  EXPECT_EQ(server.origin("MaxConnections"), "-ORBMaxConnections");
  EXPECT_EQ(server.get("MaxMessageSize"), std::vector<std::string>{"256KiB"});
  EXPECT_EQ(server.origin("MaxMessageSize"), "personality minimal");
  EXPECT_EQ(server.origin("ConnectTimeout"), "default");
  EXPECT_EQ(server.get("ListenEndpoints"), std::vector<std::string>{"iiop://127.0.0.1:0"});
}

// Calls from a new client, over a new connection.
bool a_new_client(const std::string& ior, const std::function<void(Calls::Echo&)>& call) {
  const auto client = make_orb({}, "new-client");
  bool called = true;
  try {
    call(*IDL::traits<Calls::Echo>::narrow(client->string_to_object(ior)));
  } catch (const CORBA::SystemException&) {
    called = false;
  }
  client->destroy();
  return called;
}

TEST(Configuration, ALimitOfMessagesHoldsForConnectionsFromThenOn) {
  ServerAndClient orbs;
  const Calls::Octets octets(100000);
  const auto send = [&](Calls::Echo& echo) { EXPECT_EQ(echo.echo_octets(octets), octets); };
  EXPECT_TRUE(a_new_client(orbs.ior, send));
  auto server = Configuration::of(orbs.server);
  server.set("MaxMessageSize", "16KiB");
  EXPECT_EQ(server.get("MaxMessageSize"), std::vector<std::string>{"16KiB"});
  EXPECT_EQ(server.origin("MaxMessageSize"), "Configuration");
  EXPECT_FALSE(a_new_client(orbs.ior, send));
  EXPECT_TRUE(a_new_client(orbs.ior, [](Calls::Echo& echo) { echo.nothing(); }));
  server.set("MaxMessageSize", "1MiB");
  EXPECT_TRUE(a_new_client(orbs.ior, send));
}

std::string name_of_strategy(const testing::TestParamInfo<const char*>& one) {
  std::string name = one.param;
  std::ranges::replace(name, '-', '_');
  return name;
}
class ConnectionLimit : public testing::TestWithParam<const char*> {};

TEST_P(ConnectionLimit, HoldsForThoseToCome) {
  ServerAndClient orbs({"-ORBServerConcurrency", GetParam(), "-ORBMaxConnections", "1"});
  EXPECT_EQ(orbs.echo->cube(2), 8);
  const auto calls_elsewhere = [&] {
    return a_new_client(orbs.ior, [](Calls::Echo& echo) { echo.nothing(); });
  };
  EXPECT_FALSE(calls_elsewhere());
  Configuration::of(orbs.server).set("MaxConnections", "10");
  EXPECT_TRUE(calls_elsewhere());
  EXPECT_EQ(orbs.echo->cube(2), 8);
}

INSTANTIATE_TEST_SUITE_P(OfEachStrategy, ConnectionLimit, testing::ValuesIn(server_concurrencies),
                         name_of_strategy);

class AddedEndpoint : public testing::TestWithParam<const char*> {};

TEST_P(AddedEndpoint, IsListenedAtAndPublished) {
  ServerAndClient orbs({"-ORBServerConcurrency", GetParam()});
  EXPECT_EQ(orbs.echo->cube(2), 8);
  auto server = Configuration::of(orbs.server);
  server.add("ListenEndpoints", "unix:");
  EXPECT_EQ(server.get("ListenEndpoints").size(), 2u);
  const auto published = orbs.server->_published_endpoints();
  ASSERT_EQ(published.size(), 2u);
  EXPECT_TRUE(published.back().starts_with("unix /")) << published.back();
  // An object that can be reached only there, by a URL with the path.
  const auto key = reference_to(orbs);
  const auto before = orbs.client->string_to_object(orbs.ior);
  const auto after = orbs.client->string_to_object(key);
  EXPECT_FALSE(before->_is_equivalent(after)) << "the older reference does not say it";
  EXPECT_EQ(IDL::traits<Calls::Echo>::narrow(after)->cube(3), 27);
  EXPECT_EQ(orbs.echo->cube(2), 8);
}

INSTANTIATE_TEST_SUITE_P(OfEachStrategy, AddedEndpoint, testing::ValuesIn(server_concurrencies),
                         name_of_strategy);

TEST(Configuration, AnEndpointThatCannotBeListenedAtIsRefusedAndNothingChanges) {
  ServerAndClient orbs;
  auto server = Configuration::of(orbs.server);
  EXPECT_THROW(server.add("ListenEndpoints", "unix:/nowhere/at/all"), CORBA::INITIALIZE);
  EXPECT_THROW(server.add("ListenEndpoints", "http://localhost"), CORBA::BAD_PARAM);
  EXPECT_EQ(server.get("ListenEndpoints").size(), 1u);
  EXPECT_EQ(orbs.server->_published_endpoints().size(), 1u);
  EXPECT_NE(refusal<CORBA::BAD_INV_ORDER>([&] {
              Configuration::of(orbs.client).add("ListenEndpoints", "unix:");
            }).find("does not listen yet"),
            std::string::npos);
}

TEST(Configuration, InitialReferencesAndKeysAreAdded) {
  ServerAndClient orbs;
  auto client = Configuration::of(orbs.client);
  client.add("InitRef", "Echo=" + orbs.ior);
  EXPECT_EQ(IDL::traits<Calls::Echo>::narrow(orbs.client->resolve_initial_references("Echo"))->cube(3), 27);
  Configuration::of(orbs.server).add("ObjectKey", "EchoKey=" + orbs.ior);
  const std::string published = orbs.server->_published_endpoints().front();
  const auto url = "corbaloc::" + published.substr(published.find(' ') + 1) + "/EchoKey";
  EXPECT_EQ(IDL::traits<Calls::Echo>::narrow(orbs.client->string_to_object(url))->cube(3), 27);
  EXPECT_THROW(client.add("InitRef", "nothing"), CORBA::BAD_PARAM);
}

TEST(Configuration, TheLogLevelHoldsFromThenOn) {
  const auto orb = make_orb({"-ORBLogLevel", "off"}, "quiet");
  auto configuration = Configuration::of(orb);
  configuration.set("LogLevel", "warning");
  EXPECT_EQ(configuration.get("LogLevel"), std::vector<std::string>{"warning"});
  EXPECT_THROW(configuration.set("LogLevel", "loud"), CORBA::BAD_PARAM);
  EXPECT_EQ(configuration.get("LogLevel"), std::vector<std::string>{"warning"});
  orb->destroy();
}

TEST(Configuration, WhatIsNotSafeIsRefusedWithTheReason) {
  ServerAndClient orbs;
  auto server = Configuration::of(orbs.server);
  const auto why_not = [&](const char* option, const char* value) {
    return refusal<CORBA::BAD_INV_ORDER>([&] { server.set(option, value); });
  };
  EXPECT_NE(why_not("ServerConcurrency", "reactive").find("the threads of the present strategy"),
            std::string::npos);
  EXPECT_NE(why_not("KeyMAC", "siphash").find("would become invalid"), std::string::npos);
  EXPECT_NE(why_not("TimeProbeRecords", "256").find("read when the ORB starts"), std::string::npos);
  EXPECT_NE(why_not("BusyPoll", "1ms").find("what listens"), std::string::npos);
  EXPECT_NE(why_not("ListenEndpoints", "unix:").find("add() takes more"), std::string::npos);
  EXPECT_NE(refusal<CORBA::BAD_PARAM>([&] { server.set("MaxConections", "1"); }).find("MaxConnections"),
            std::string::npos);
  EXPECT_NE(refusal<CORBA::BAD_PARAM>([&] { server.set("MaxConnections", "0"); }).find("from 1 to"),
            std::string::npos);
  EXPECT_THROW(server.add("MaxConnections", "1"), CORBA::BAD_PARAM);
  EXPECT_THROW((void)server.get("Nothing"), CORBA::BAD_PARAM);
  EXPECT_EQ(server.get("ServerConcurrency"), std::vector<std::string>{"thread-per-connection"});
}

TEST(Configuration, EndsWithItsOrb) {
  EXPECT_THROW(Configuration::of(nullptr), CORBA::BAD_PARAM);
  const auto orb = make_orb({"-ORBBusyPoll", "auto"}, "ending");
  auto configuration = Configuration::of(orb);
  EXPECT_EQ(configuration.get("BusyPoll"), std::vector<std::string>{"auto"});
  orb->destroy();
  EXPECT_THROW(configuration.set("LogLevel", "off"), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW((void)configuration.get("LogLevel"), CORBA::OBJECT_NOT_EXIST);
}

}  // namespace
}  // namespace feature
