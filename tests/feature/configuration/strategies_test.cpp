// Strategies that plug-ins add, chosen by options: what is refused, and with which text.
#include <gtest/gtest.h>

#include <memory>
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

}  // namespace
}  // namespace feature
