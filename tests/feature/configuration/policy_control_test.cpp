// Plug-ins that choose the transports of clients' calls: the example with a site's rules, and broken ones.
#include <gtest/gtest.h>

#include <takt/orb/configuration.h>
#include <takt/orb/linked_plugin.h>

#include "served.h"

namespace feature {
namespace {

using takt::reference::PolicyControl;
using Options = std::vector<std::string>;

Options site(const std::string& rules) { return {"-ORBPlugin", PLUGINS "site.so:" + rules}; }

// The transport of the last call: a UNIX-domain socket identifies the caller.
struct Seen {
  bool unix_domain = false;
};

class Ways {
 public:
  explicit Ways(const Options& client,
                const std::string& endpoints = "iiop://127.0.0.1:0,unix:", const Options& server = {})
      : served(endpoints, server, client),
        echo(served.echo_in(served.root, [this] { seen.unix_domain = takt::present_peer().has_value(); })) {}

  std::string taken() const {
    try {
      echo->nothing();
    } catch (const CORBA::INV_POLICY& refused) {
      return std::string(refused.detail());
    }
    return seen.unix_domain ? "unix" : "iiop";
  }

  Seen seen;
  const Served served;
  const EchoRef echo;
};

TEST(PolicyControl, DecidesWhatIsTriedFirst) {
  for (const char* mux : {"exclusive", "cached", "multiplexed", "multiplexed-active"}) {
    Options unix_first = site("unix,iiop");
    unix_first.insert(unix_first.end(), {"-ORBClientConnections", mux});
    EXPECT_EQ(Ways({"-ORBClientConnections", mux}).taken(), "iiop") << "as the reference has it";
    EXPECT_EQ(Ways(unix_first).taken(), "unix") << mux;
  }
}

TEST(PolicyControl, LeavesOutWhatItDoesNotAllow) {
  EXPECT_EQ(Ways(site("iiop=127.0.")).taken(), "iiop");
  const std::string refused = Ways(site("ssliop,iiop=10.1."), "iiop://127.0.0.1:0").taken();
  EXPECT_TRUE(
      refused.starts_with("the policy control 'site' of a plug-in allows none of the ways by which the "
                          "reference can be reached: iiop 127.0.0.1:"))
      << refused;
}

TEST(PolicyControl, ChoosesTcpAndGetsNoLocalRoad) {
  const Options roads{"-ORBLocalRoads", "on", "-ORBLocalRoadTimeout", "5s"};
  EXPECT_EQ(Ways(roads, "iiop://127.0.0.1:0", roads).taken(), "unix") << "a road";
  EXPECT_EQ(Ways(with(roads, site("iiop=127.0.")), "iiop://127.0.0.1:0", roads).taken(), "iiop");
}

// Each plug-in gets the candidates that the previous one left.
TEST(PolicyControl, MayBeOneOfSeveral) {
  const auto both = [](const std::string& one, const std::string& other) {
    Options options = site(one);
    for (const std::string& more : site(other)) options.push_back(more);
    return options;
  };
  EXPECT_EQ(Ways(both("unix,iiop", "iiop")).taken(), "iiop");
  EXPECT_EQ(Ways(both("unix,iiop", "iiop,unix")).taken(), "iiop");
  EXPECT_NE(Ways(both("unix", "iiop")).taken().find("allows none"), std::string::npos);
}

TEST(PolicyControl, HoldsForWhatProgramsAskFor) {
  const Ways ways(site("unix"));
  const auto rt = rt_of(ways.served.client);
  const auto by_tcp = IDL::traits<Calls::Echo>::narrow(ways.echo->_set_policy_overrides(
      {rt->create_client_protocol_policy({RTCORBA::Protocol(takt::TCP_PROTOCOL_TYPE)})},
      CORBA::SetOverrideType::ADD_OVERRIDE));
  EXPECT_THROW(by_tcp->nothing(), CORBA::INV_POLICY);
  EXPECT_EQ(ways.taken(), "unix");
}

// Threads with an open connection choose again.
TEST(PolicyControl, IsAddedWhileTheOrbRuns) {
  const Ways ways({});
  EXPECT_EQ(ways.taken(), "iiop");
  takt::Configuration::of(ways.served.client).add("Plugin", PLUGINS "site.so:unix");
  EXPECT_EQ(ways.taken(), "unix");
}

TEST(PolicyControl, WhoseRulesAreWrongKeepsTheOrbFromStarting) {
  try {
    make_orb(site("unix,,iiop"), "refused")->destroy();
    ADD_FAILURE();
  } catch (const CORBA::INITIALIZE& refused) {
    EXPECT_NE(std::string(refused.detail()).find("it fails: write site.so:TRANSPORT[=HOST],..."),
              std::string::npos)
        << refused.what();
  }
}

class Ruling : public PolicyControl {
 public:
  std::string_view name() const override { return "broken"; }
};
class Throwing final : public Ruling {
  std::vector<std::size_t> choose(std::span<const Way>) const override {
    throw std::runtime_error("no rules today");
  }
};
class ThrowingNumber final : public Ruling {
  std::vector<std::size_t> choose(std::span<const Way>) const override { throw 7; }
};
class Beyond final : public Ruling {
  std::vector<std::size_t> choose(std::span<const Way> ways) const override { return {0, ways.size()}; }
};

template <class Control>
std::uint32_t bring(std::uint32_t, takt::PluginRegistry& registry) {
  registry.add_policy_control(std::make_unique<Control>());
  return takt::plugin_interface;
}
std::uint32_t bring_none(std::uint32_t, takt::PluginRegistry& registry) {
  registry.add_policy_control(nullptr);
  return takt::plugin_interface;
}
std::uint32_t bring_many(std::uint32_t, takt::PluginRegistry& registry) {
  for (int i = 0; i < 9; ++i) registry.add_policy_control(std::make_unique<Throwing>());
  return takt::plugin_interface;
}

TEST(PolicyControl, ThatFailsHasTheCallSayHow) {
  takt::add_plugin("throwing_control", &bring<Throwing>);
  takt::add_plugin("throwing_number_control", &bring<ThrowingNumber>);
  takt::add_plugin("beyond_control", &bring<Beyond>);
  const auto said = [](const std::string& plugin) { return Ways({"-ORBPlugin", plugin}).taken(); };
  const std::string who = "the policy control 'broken' of a plug-in ";
  EXPECT_EQ(said("throwing_control"), who + "fails: no rules today");
  EXPECT_EQ(said("throwing_number_control"),
            who + "fails, and throws an exception that is not a std::exception");
  EXPECT_EQ(said("beyond_control"), who + "chooses a way that does not exist");
}

TEST(PolicyControl, IsOneOfAFew) {
  takt::add_plugin("no_control", &bring_none);
  takt::add_plugin("many_controls", &bring_many);
  EXPECT_THROW(make_orb({"-ORBPlugin", "no_control"}, "refused"), CORBA::INITIALIZE);
  EXPECT_THROW(make_orb({"-ORBPlugin", "many_controls"}, "refused"), CORBA::INITIALIZE);
}

}  // namespace
}  // namespace feature
