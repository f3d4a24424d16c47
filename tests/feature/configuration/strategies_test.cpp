// Strategies that plug-ins add, chosen by options: what is refused, and with which text.
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <takt/orb/configuration.h>
#include <takt/orb/linked_plugin.h>

#include "served.h"

namespace feature {
namespace {

// The error of an ORB with these options.
std::string start_error(const std::vector<std::string>& options) {
  try {
    make_orb(options, "refused")->destroy();
  } catch (const CORBA::SystemException& refused) {
    return std::string(refused.detail());
  }
  return "nothing";
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

class NamedOrder final : public takt::server::RequestOrder {
 public:
  explicit NamedOrder(std::string name) : name_(std::move(name)) {}
  std::string_view name() const override { return name_; }
  takt::server::Rank rank_of(const takt::server::WaitingRequest&) const noexcept override { return {}; }

 private:
  const std::string name_;
};

// Adds an order for each name in its arguments, which commas divide; "null" adds a null one.
std::uint32_t orders_plugin(std::uint32_t, takt::PluginRegistry& registry) {
  std::string_view names = registry.arguments();
  while (!names.empty()) {
    const std::string_view name = names.substr(0, names.find(','));
    names.remove_prefix(std::min(names.size(), name.size() + 1));
    registry.add_request_order(name == "null" ? nullptr : std::make_unique<NamedOrder>(std::string(name)));
  }
  return takt::plugin_interface;
}

class StrategyPlugin : public testing::Test {
 protected:
  StrategyPlugin() { takt::add_plugin("orders", &orders_plugin); }
};

TEST_F(StrategyPlugin, OrdersAreServedByName) {
  const Served served("iiop://127.0.0.1:0", {"-ORBPlugin", "orders:mine,other-1", "-ORBServerConcurrency",
                                             "worker-pool", "-ORBQueueOrder", "other-1"});
  EXPECT_EQ(served.echo_in(served.root)->cube(3), 27);
  EXPECT_EQ(takt::Configuration::of(served.server).get("QueueOrder"), std::vector<std::string>{"other-1"});
}

TEST_F(StrategyPlugin, AnUnknownNameIsRefusedWithThoseThatThereAre) {
  const std::string own = "it takes temporal, importance, priority, deadline, fixed, laxity, urgency";
  EXPECT_EQ(start_error({"-ORBPlugin", "orders:mine", "-ORBQueueOrder", "yours"}),
            "option -ORBQueueOrder: 'yours' is not valid: " + own + " or mine");
  EXPECT_EQ(start_error({"-ORBQueueOrder", "mine"}),
            "option -ORBQueueOrder: 'mine' is not valid: " + own +
                " or a plug-in's, and no plug-in is loaded (-ORBPlugin)");
  EXPECT_EQ(start_error({"-ORBPlugin", "orders:mine", "-ORBQueueOrder", "Mine"}),
            "option -ORBQueueOrder: 'Mine' is not valid: " + own + " or a plug-in's");
}

TEST_F(StrategyPlugin, APluginThatRegistersWhatCannotBeChosenIsRefused) {
  const auto says = [](const std::string& arguments) {
    return start_error({"-ORBPlugin", "orders:" + arguments});
  };
  EXPECT_TRUE(has(says("null"), "it registers a null queue order")) << says("null");
  EXPECT_TRUE(has(says("a,a"), "there is a queue order 'a' already")) << says("a,a");
  EXPECT_TRUE(has(says("urgency"), "there is a queue order 'urgency' already")) << says("urgency");
  for (const std::string& name : {std::string("Mine"), std::string("a.b"), std::string(101, 'a')})
    EXPECT_TRUE(has(says(name), "which is not of lower-case letters, digits and hyphens")) << says(name);
  EXPECT_TRUE(has(start_error({"-ORBPlugin", "orders:a", "-ORBPlugin", "orders:a"}), "'a' already"));
}

TEST_F(StrategyPlugin, OneThatIsAddedWhileTheOrbRunsRegistersAllOrNothing) {
  const auto orb = make_orb({}, "running");
  auto configuration = takt::Configuration::of(orb);
  EXPECT_THROW(configuration.add("Plugin", "orders:late,urgency"), CORBA::INITIALIZE);
  configuration.add("Plugin", "orders:late");
  EXPECT_THROW(configuration.add("Plugin", "orders:late"), CORBA::INITIALIZE);
  EXPECT_THROW(configuration.set("QueueOrder", "late"), CORBA::BAD_INV_ORDER);
  orb->destroy();
}

constexpr takt::Preset small[] = {{"MaxConnections", "7", "few"}};
constexpr takt::Preset wrong_value[] = {{"MaxConnections", "many", "a mistake"}};
constexpr takt::Preset no_option[] = {{"MaxConnection", "7", "a mistake"}};
constexpr takt::Preset too_late[] = {{"Plugin", "x.so", "a mistake"}};
constexpr takt::Preset repeated[] = {{"MaxConnections", "7", "few"}, {"MaxConnections", "8", "more"}};
constexpr takt::Preset contradicting[] = {{"ServerConcurrency", "reactive", "one thread"},
                                          {"AcceptBidirectional", "any", "call-backs"}};

std::uint32_t nothing_plugin(std::uint32_t, takt::PluginRegistry&) { return takt::plugin_interface; }

// The arguments choose what it adds, or how it fails.
std::uint32_t personalities_plugin(std::uint32_t, takt::PersonalityRegistry& registry) {
  const std::string_view which = registry.arguments();
  if (which == "throws") throw std::runtime_error("no licence");
  if (which == "throws-a-number") throw 1;
  if (which == "interface") return 1;
  const auto add = [&](std::string_view name, std::span<const takt::Preset> presets = small) {
    registry.add_personality({name, "for tests", presets});
  };
  if (which == "ignores") try {
      add("minimal");
    } catch (const std::invalid_argument&) {
    }
  if (which == "own") add("minimal");
  if (which == "capital") add("Mine");
  if (which == "empty") add("");
  if (which == "no-option") add("mine", no_option);
  if (which == "too-late") add("mine", too_late);
  if (which == "repeated") add("mine", repeated);
  if (which == "wrong-value") return add("mine", wrong_value), takt::plugin_interface;
  if (which == "contradicting") return add("mine", contradicting), takt::plugin_interface;
  add("mine");
  if (which == "twice") add("mine");
  return takt::plugin_interface;
}

class PersonalityPlugin : public testing::Test {
 protected:
  PersonalityPlugin() { takt::add_plugin("personalities", &nothing_plugin, &personalities_plugin); }
  static std::string says(const std::string& arguments) {
    return start_error({"-ORBPlugin", "personalities:" + arguments, "-ORBPersonality", "mine"});
  }
};

TEST_F(PersonalityPlugin, SetsDefaults) {
  const auto orb = make_orb({"-ORBPlugin", "personalities", "-ORBPersonality", "mine"}, "mine");
  EXPECT_EQ(takt::Configuration::of(orb).get("MaxConnections"), std::vector<std::string>{"7"});
  EXPECT_EQ(takt::Configuration::of(orb).origin("MaxConnections"), "personality mine");
  EXPECT_EQ(takt::Configuration::of(orb).get("Personality"), std::vector<std::string>{"mine"});
  orb->destroy();
}

TEST_F(PersonalityPlugin, OfASharedObjectIsNamedInAFile) {
  const Folder folder;
  std::ofstream(folder / "orb.toml") << "Plugin = [\"" << PLUGINS << "gateway.so\"]\n"
                                     << "Personality = \"gateway\"\nIdleTimeout = \"5s\"\n";
  const auto orb = make_orb({"-ORBConfig", folder / "orb.toml"}, "gateway");
  const auto configuration = takt::Configuration::of(orb);
  EXPECT_EQ(configuration.get("MaxMessageSize"), std::vector<std::string>{"64KiB"});
  EXPECT_EQ(configuration.get("IdleTimeout"), std::vector<std::string>{"5s"});
  orb->destroy();
}

TEST_F(PersonalityPlugin, AnUnknownNameIsRefusedWithThoseThatThereAre) {
  EXPECT_EQ(start_error({"-ORBPlugin", "personalities", "-ORBPersonality", "yours"}),
            "option -ORBPersonality: 'yours' is not valid: it takes standard, realtime, avionics, imaging, "
            "minimal, tao or mine");
}

TEST_F(PersonalityPlugin, IsNotAskedForOneOfTheOrbsOwn) {
  EXPECT_EQ(start_error({"-ORBPlugin", "personalities:throws", "-ORBPersonality", "minimal"}), "nothing");
}

TEST_F(PersonalityPlugin, ThatFailsKeepsTheOrbFromStarting) {
  const std::string file = "option -ORBPlugin: personalities: ";
  EXPECT_EQ(says("throws"), file + "it fails: no licence");
  EXPECT_EQ(says("throws-a-number"), file + "it fails, and throws an exception that is not a std::exception");
  EXPECT_TRUE(has(says("interface"), "it was compiled against interface 0.1")) << says("interface");
  for (const char* arguments : {"own", "ignores"})
    EXPECT_EQ(says(arguments), file + "there is a personality 'minimal' already");
  EXPECT_EQ(says("twice"), file + "there is a personality 'mine' already");
  for (const char* arguments : {"capital", "empty"})
    EXPECT_TRUE(has(says(arguments), "has a name which is not of lower-case letters")) << says(arguments);
}

TEST_F(PersonalityPlugin, WithAPresetThatCannotBeIsRefused) {
  EXPECT_TRUE(has(says("no-option"), "'mine' presets 'MaxConnection', which is no option: did you mean"))
      << says("no-option");
  EXPECT_TRUE(has(says("too-late"), "presets 'Plugin', which is read before")) << says("too-late");
  EXPECT_TRUE(has(says("repeated"), "presets 'MaxConnections' more than once")) << says("repeated");
  EXPECT_TRUE(has(says("wrong-value"), "personality mine: 'many' is not valid: it takes a number"))
      << says("wrong-value");
  EXPECT_TRUE(has(says("contradicting"), "ServerConcurrency = reactive (personality mine)"))
      << says("contradicting");
}

}  // namespace
}  // namespace feature
