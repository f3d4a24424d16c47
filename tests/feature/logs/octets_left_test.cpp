// Requests and replies with more octets than the IDL of the side that reads them.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include <takt/orb/configuration.h>

#include "../folder.h"
#include "../orb_pair.h"
#include "versionsS.h"

namespace {

using namespace std::chrono_literals;
using Lines = std::vector<nlohmann::json>;

class OlderServant final : public virtual CORBA::servant_traits<Older::Station>::base_type {
 public:
  void set(int32_t) override {}
  void note(int32_t a) override { noted = a; }
  int32_t state() override { return 1; }
  int32_t same(int32_t a) override { return a; }
  std::atomic<int32_t> noted{0};
};
class NewerServant final : public virtual CORBA::servant_traits<Newer::Station>::base_type {
 public:
  void set(int32_t, const std::string&) override {}
  void note(int32_t, int32_t) override {}
  Newer::Condition state() override { return {1, "calm"}; }
};

class OctetsLeft : public testing::Test {
 protected:
  feature::Options logging(const std::string& name, const std::string& level,
                           const feature::Options& more = {}) const {
    return feature::with({"-ORBLogLevel", level, "-ORBLogFile", folder_ / name, "-ORBLogFormat", "json"},
                         more);
  }
  Lines lines(const std::string& name) const {
    Lines all;
    std::ifstream file(folder_ / name);
    for (std::string line; std::getline(file, line) && !file.eof();) {
      auto parsed = nlohmann::json::parse(line);
      if (parsed["event"] == "octets-left") all.push_back(std::move(parsed));
    }
    return all;
  }
  Lines lines_once_there(const std::string& name, std::size_t count) const {
    for (const auto end = std::chrono::steady_clock::now() + 20s; std::chrono::steady_clock::now() < end;
         std::this_thread::sleep_for(2ms))
      if (Lines found = lines(name); found.size() >= count) return found;
    return lines(name);
  }
  // The object as a client that has the other IDL sees it.
  template <class Interface, class Servant>
  static typename IDL::traits<Interface>::ref_type seen_as(const feature::OrbPair& orbs,
                                                           const CORBA::servant_reference<Servant>& servant) {
    const auto reference = orbs.root->id_to_reference(orbs.root->activate_object(servant));
    return IDL::traits<Interface>::unchecked_narrow(
        orbs.client->string_to_object(orbs.server->object_to_string(reference)));
  }

  const feature::Folder folder_;
};

bool says(const nlohmann::json& line, const char* member, const std::string& part) {
  return line.contains(member) && line[member].dump().find(part) != std::string::npos;
}

TEST_F(OctetsLeft, OfRequestsAreToldByTheServer) {
  for (const char* const concurrency :
       {"reactive", "thread-per-connection", "worker-pool", "leader-followers"}) {
    const std::string log = concurrency;
    {
      const feature::OrbPair orbs(logging(log, "info", {"-ORBServerConcurrency", concurrency}));
      const auto servant = CORBA::make_reference<OlderServant>();
      const auto station = seen_as<Newer::Station>(orbs, servant);
      station->set(1, "calm");
      station->note(2, 3);
      const auto older = seen_as<Older::Station>(orbs, CORBA::make_reference<OlderServant>());
      older->set(1);
      EXPECT_EQ(older->state(), 1);
      EXPECT_EQ(older->same(5), 5) << "the context is left unread, but belongs to the operation";
    }
    const Lines told = lines(log);
    ASSERT_EQ(told.size(), 2u) << concurrency;
    EXPECT_EQ(told[0]["operation"], "set");
    EXPECT_EQ(
        told[0]["reason"],
        "the request has 9 octets more than the IDL of this side says: are both sides made from the same "
        "IDL?");
    EXPECT_EQ(told[1]["operation"], "note");
    EXPECT_TRUE(says(told[1], "reason", "has 4 octets more")) << told[1];
  }
}

TEST_F(OctetsLeft, OfRepliesAreToldByTheClient) {
  for (const char* const connections : {"exclusive", "cached", "multiplexed", "multiplexed-active"}) {
    const std::string log = connections;
    {
      const feature::OrbPair orbs({}, logging(log, "info", {"-ORBClientConnections", connections}));
      const auto station = seen_as<Older::Station>(orbs, CORBA::make_reference<NewerServant>());
      EXPECT_EQ(station->state(), 1);
      EXPECT_EQ(station->state(), 1);
      const auto same = seen_as<Newer::Station>(orbs, CORBA::make_reference<NewerServant>());
      EXPECT_EQ(same->state().text(), "calm");
      same->set(1, "calm");
    }
    const Lines told = lines(log);
    ASSERT_EQ(told.size(), 2u) << connections;
    EXPECT_EQ(told[0]["operation"], "state");
    EXPECT_EQ(
        told[0]["reason"],
        "the reply has 9 octets more than the IDL of this side says: are both sides made from the same IDL?");
    EXPECT_TRUE(says(told[0], "peer", "127.0.0.1")) << told[0];
  }
}

// Requests that are answered without an upcall are not read, so nothing is said about their octets.
TEST_F(OctetsLeft, RequestsThatReachNoServantAreNotMeant) {
  {
    const feature::OrbPair orbs(logging("server", "info"));
    const auto servant = CORBA::make_reference<OlderServant>();
    const auto id = orbs.root->activate_object(servant);
    const auto station = IDL::traits<Newer::Station>::unchecked_narrow(
        orbs.client->string_to_object(orbs.server->object_to_string(orbs.root->id_to_reference(id))));
    orbs.root->deactivate_object(id);
    EXPECT_THROW(station->set(1, "calm"), CORBA::OBJECT_NOT_EXIST);
    station->note(1, 2);
    EXPECT_TRUE(station->_non_existent());
  }
  EXPECT_EQ(lines("server").size(), 0u);
}

TEST_F(OctetsLeft, AreNotToldBelowInfo) {
  {
    const feature::OrbPair orbs(logging("server", "warning"), logging("client", "warning"));
    seen_as<Newer::Station>(orbs, CORBA::make_reference<OlderServant>())->set(1, "calm");
    seen_as<Older::Station>(orbs, CORBA::make_reference<NewerServant>())->state();
  }
  EXPECT_EQ(lines("server").size() + lines("client").size(), 0u);
}

TEST_F(OctetsLeft, TheLevelOfAServerChangesWhileItServes) {
  const feature::OrbPair orbs(logging("server", "warning"));
  const auto station = seen_as<Newer::Station>(orbs, CORBA::make_reference<OlderServant>());
  takt::Configuration configuration = takt::Configuration::of(orbs.server);
  station->set(1, "calm");
  configuration.set("LogLevel", "info");
  station->set(2, "calm");
  EXPECT_EQ(lines_once_there("server", 1).size(), 1u);
  configuration.set("LogLevel", "error");
  station->set(3, "calm");
  EXPECT_EQ(lines("server").size(), 1u);
}

}  // namespace
