// Adapters use the lookup strategies that the configuration gives them.
#include <gtest/gtest.h>

#include <string>

#include "adapters.h"
#include "strategies.h"

namespace takt::adapter {

using namespace PortableServer;

IdTable table_of_one(const std::string& id) {
  const std::string_view ids[] = {id};
  return make_id_table(ids);
}

LookupStrategies strategies_of(Adapters& orb, const std::string& name) {
  return orb.core->adapter.tree().find_child(orb.core->adapter.tree().root(), name, false)->policies.lookup;
}

// Adapter "a" is configured, adapter "b" is not.
class Configured : public testing::TestWithParam<Lookup> {
 protected:
  Configured() {
    orb.core->adapter.tree().options.lookups.add(adapter_path({"a"}),
                                                 {.adapter = GetParam(),
                                                  .servant = GetParam(),
                                                  .adapters = table_of_one(adapter_path({"a"})),
                                                  .servants = table_of_one("known")});
  }
  CORBA::PolicyList with(CORBA::object_reference<CORBA::Policy> policy) {
    CORBA::PolicyList policies = {orb.root->create_id_assignment_policy(IdAssignmentPolicyValue::USER_ID)};
    if (policy) policies.push_back(policy);
    return policies;
  }
  Adapters orb;
};
INSTANTIATE_TEST_SUITE_P(OfAdapters, Configured, testing::ValuesIn(all_strategies),
                         [](const auto& chosen) { return name_of(chosen.param); });

TEST_P(Configured, TheAdapterHasItAndFindsByIt) {
  const auto poa = orb.child("a", with(nullptr));
  EXPECT_EQ(strategies_of(orb, "a").adapter, GetParam());
  EXPECT_EQ(strategies_of(orb, "a").servant, GetParam());
  EXPECT_EQ(strategies_of(orb, "a").operation, Lookup::perfect);
  poa->activate_object_with_id(string_to_ObjectId("known"), number_servant(5));
  EXPECT_EQ(orb.call(poa->id_to_reference(string_to_ObjectId("known"))).value, 5u);
  if (GetParam() == Lookup::perfect) {
    EXPECT_THROW(poa->activate_object_with_id(string_to_ObjectId("unknown"), number_servant(6)),
                 CORBA::BAD_PARAM);
  }
}

TEST_P(Configured, AnotherAdapterDoesNotHaveIt) {
  orb.child("b", with(nullptr));
  EXPECT_EQ(strategies_of(orb, "b").adapter, Lookup::delayered);
  EXPECT_EQ(strategies_of(orb, "b").servant, Lookup::delayered);
}

TEST_P(Configured, APolicyInCodeGoesBefore) {
  orb.child("a", with(create_lookup_policy({.adapter = Lookup::linear, .servant = Lookup::dynamic})));
  EXPECT_EQ(strategies_of(orb, "a").adapter, Lookup::linear);
  EXPECT_EQ(strategies_of(orb, "a").servant, Lookup::dynamic);
}

class ConfiguredOperations : public testing::TestWithParam<Lookup> {};
INSTANTIATE_TEST_SUITE_P(OfAdapters, ConfiguredOperations,
                         testing::Values(Lookup::linear, Lookup::dynamic, Lookup::perfect),
                         [](const auto& chosen) { return name_of(chosen.param); });

TEST_P(ConfiguredOperations, TheAdapterHasThem) {
  Adapters orb;
  orb.core->adapter.tree().options.lookups.add(adapter_path({"a"}), {.operation = GetParam()});
  orb.child("a", {});
  EXPECT_EQ(strategies_of(orb, "a").operation, GetParam());
  EXPECT_EQ(strategies_of(orb, "a").servant, Lookup::delayered);
}

TEST(ConfiguredLookups, TheRootPOAHasItsOwn) {
  auto core = rooms::Rooms::make<Core>();
  core->adapter.tree().options.lookups.add("", {.servant = Lookup::linear, .operation = Lookup::dynamic});
  const auto& strategies = core->adapter.tree().root()->policies.lookup;
  EXPECT_EQ(strategies.servant, Lookup::linear);
  EXPECT_EQ(strategies.operation, Lookup::dynamic);
  EXPECT_EQ(strategies.adapter, Lookup::active);  // delayered sets both strategies
  core->adapter.tree().shut_down(false);
}

TEST(ConfiguredLookups, PerfectOnesAreRefusedForIdsOfTheSystem) {
  Adapters orb;
  orb.core->adapter.tree().options.lookups.add(
      adapter_path({"a"}), {.servant = Lookup::perfect, .servants = table_of_one("known")});
  EXPECT_THROW(orb.child("a", {}), CORBA::BAD_PARAM);
}

}  // namespace takt::adapter
