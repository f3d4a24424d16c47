// Properties of request dispatch in an adapter that hold for every pair of lookup strategies.
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "adapters.h"
#include "allocations.h"
#include "strategies.h"

namespace takt::adapter {

using namespace PortableServer;
using CORBA::PolicyList;

IdTable table_of(const std::vector<std::string>& ids) {
  const std::vector<std::string_view> views(ids.begin(), ids.end());
  return make_id_table(views);
}

// Objects 0 to 99 with user ids, in an adapter three levels deep.
class Strategies : public testing::TestWithParam<std::tuple<Lookup, Lookup, LifespanPolicyValue>> {
 protected:
  static constexpr std::uint32_t count = 100;

  static ObjectId id(std::uint32_t number) { return string_to_ObjectId("object " + std::to_string(number)); }

  LookupStrategies strategies() const {
    std::vector<std::string> ids;
    for (std::uint32_t i = 0; i < count; ++i) ids.push_back(ObjectId_to_string(id(i)));
    return {
        .adapter = std::get<0>(GetParam()),
        .servant = std::get<1>(GetParam()),
        .adapters = table_of({adapter_path({"a"}), adapter_path({"a", "b"}), adapter_path({"a", "b", "c"})}),
        .servants = table_of(ids)};
  }
  CORBA::object_reference<POA> make(Adapters& to) const {
    const PolicyList policies = {create_lookup_policy(strategies()),
                                 to.root->create_id_assignment_policy(IdAssignmentPolicyValue::USER_ID),
                                 to.root->create_lifespan_policy(std::get<2>(GetParam()))};
    auto at = to.root;
    for (const char* name : {"a", "b", "c"}) at = at->create_POA(name, to.root->the_POAManager(), policies);
    return at;
  }
  Reference activate(std::uint32_t number) {
    poa->activate_object_with_id(id(number), number_servant(number));
    return poa->id_to_reference(id(number));
  }

  Adapters orb;
  CORBA::object_reference<POA> poa = make(orb);
};

INSTANTIATE_TEST_SUITE_P(
    OfAdapters, Strategies,
    testing::Combine(testing::ValuesIn(all_strategies), testing::ValuesIn(all_strategies),
                     testing::Values(LifespanPolicyValue::TRANSIENT, LifespanPolicyValue::PERSISTENT)),
    [](const auto& chosen) {
      return "Adapter_" + name_of(std::get<0>(chosen.param)) + "_servant_" +
             name_of(std::get<1>(chosen.param)) +
             (std::get<2>(chosen.param) == LifespanPolicyValue::PERSISTENT ? "_persistent" : "_transient");
    });

TEST_P(Strategies, EachRequestFindsItsServant) {
  std::vector<Reference> references;
  for (std::uint32_t i = 0; i < count; ++i) references.push_back(activate(i));
  for (std::uint32_t i = 0; i < count; ++i) EXPECT_EQ(orb.call(references[i]).value, i);
  EXPECT_THROW(activate(5), POA::ObjectAlreadyActive);
  for (std::uint32_t i = 0; i < count; i += 2) poa->deactivate_object(id(i));
  for (std::uint32_t i = 0; i < count; ++i) {
    const Answer answer = orb.call(references[i]);
    if (i % 2 == 0)
      EXPECT_TRUE(answer.is("OBJECT_NOT_EXIST")) << i;
    else
      EXPECT_EQ(answer.value, i);
  }
}

// The object has the same key as before, but another slot.
TEST_P(Strategies, AnObjectThatComesBackIsFoundAgain) {
  const auto reference = activate(1);
  poa->deactivate_object(id(1));
  activate(2);
  activate(1);
  EXPECT_EQ(orb.call(reference).value, 1u);
}

TEST_P(Strategies, ReferencesIdsAndServantsLeadToEachOther) {
  const auto reference = activate(3);
  EXPECT_EQ(poa->reference_to_id(reference), id(3));
  EXPECT_EQ(poa->reference_to_servant(reference), poa->id_to_servant(id(3)));
  const auto made = poa->create_reference_with_id(id(4), "IDL:Test/Number:1.0");
  EXPECT_TRUE(orb.call(made).is("OBJECT_NOT_EXIST"));
  activate(4);
  EXPECT_EQ(orb.call(made).value, 4u) << "made before the object was active";
  EXPECT_THROW(orb.root->reference_to_id(reference), POA::WrongAdapter);
}

TEST_P(Strategies, KeysOfADestroyedAdapterLeadNowhereOrToItsSuccessor) {
  const auto key = key_of(activate(1));
  orb.root->find_POA("a", false)->destroy(true, true);
  EXPECT_TRUE(orb.call(key).is("OBJECT_NOT_EXIST"));
  poa = make(orb);
  activate(1);
  const Answer answer = orb.call(key);
  if (std::get<2>(GetParam()) == LifespanPolicyValue::PERSISTENT)
    EXPECT_EQ(answer.value, 1u);
  else
    EXPECT_TRUE(answer.is("OBJECT_NOT_EXIST"));
}

// A persistent key is valid in the next process, even if that uses other strategies.
TEST_P(Strategies, KeysOfTheProcessBefore) {
  const auto key = key_of(activate(1));
  Adapters next;
  const auto there = make(next);
  there->activate_object_with_id(id(1), number_servant(77));
  const bool persistent = std::get<2>(GetParam()) == LifespanPolicyValue::PERSISTENT;
  if (persistent)
    EXPECT_EQ(next.call(key).value, 77u);
  else
    EXPECT_TRUE(next.call(key).is("OBJECT_NOT_EXIST"));
  Adapters other;
  const PolicyList plain = {other.root->create_id_assignment_policy(IdAssignmentPolicyValue::USER_ID),
                            other.root->create_lifespan_policy(LifespanPolicyValue::PERSISTENT)};
  auto at = other.root;
  for (const char* name : {"a", "b", "c"}) at = at->create_POA(name, other.root->the_POAManager(), plain);
  at->activate_object_with_id(id(1), number_servant(78));
  if (persistent) {
    EXPECT_EQ(other.call(key).value, 78u) << "of another strategy";
  }
}

TEST_P(Strategies, NoPartOfAKeyCanBeExchanged) {
  const auto key = key_of(activate(1)), other = key_of(activate(2));
  for (std::size_t i = 0; i < key.size(); ++i) {
    auto forged = key;
    forged[i] ^= 1;
    const Answer answer = orb.call(forged);
    // Some octets of the key are a hint and nothing else.
    if (answer.status == Answer::result) {
      EXPECT_EQ(answer.value, 1u) << i;
    }
  }
  for (std::size_t size = 0; size < key.size(); ++size) {
    const Answer answer = orb.call(ByteView(key).first(size));
    EXPECT_NE(answer.status, Answer::result) << size;
  }
  EXPECT_EQ(orb.call(other).value, 2u);
}

TEST_P(Strategies, RequestsTakeNoMemory) {
  const auto key = key_of(activate(1));
  for (std::uint32_t i = 2; i < count; ++i) activate(i);
  GatherBuffer reply;
  const auto allocations_of_a_call = [&] {
    const std::size_t before = allocations();
    server::ServerCall request({.request_id = 7, .object_key = key, .operation = "number"}, {}, 0, {}, reply);
    orb.core->adapter.dispatch(request);
    return allocations() - before;
  };
  allocations_of_a_call();
  EXPECT_EQ(allocations_of_a_call(), 0u);
  EXPECT_EQ(read_answer(reply).value, 1u);
}

// System ids.
class SystemIds : public testing::TestWithParam<std::tuple<Lookup, Lookup>> {};
INSTANTIATE_TEST_SUITE_P(
    OfAdapters, SystemIds,
    testing::Combine(testing::Values(Lookup::linear, Lookup::dynamic, Lookup::active, Lookup::delayered),
                     testing::Values(Lookup::linear, Lookup::dynamic, Lookup::active, Lookup::delayered)),
    [](const auto& chosen) {
      return "Adapter_" + name_of(std::get<0>(chosen.param)) + "_servant_" +
             name_of(std::get<1>(chosen.param));
    });

TEST_P(SystemIds, AreFoundAndGoStale) {
  Adapters orb;
  LookupStrategies strategies;
  strategies.adapter = std::get<0>(GetParam());
  strategies.servant = std::get<1>(GetParam());
  const auto poa = orb.child("p", {create_lookup_policy(strategies)});
  std::vector<ObjectId> ids, keys;
  for (std::uint32_t i = 0; i < 50; ++i) {
    ids.push_back(poa->activate_object(number_servant(i)));
    keys.push_back(key_of(poa->id_to_reference(ids.back())));
  }
  for (std::uint32_t i = 0; i < 50; ++i) EXPECT_EQ(orb.call(keys[i]).value, i);
  for (std::uint32_t i = 0; i < 50; ++i) poa->deactivate_object(ids[i]);
  for (std::uint32_t i = 0; i < 50; ++i) poa->activate_object(number_servant(100 + i));  // use the same slots
  for (std::uint32_t i = 0; i < 50; ++i) EXPECT_TRUE(orb.call(keys[i]).is("OBJECT_NOT_EXIST"));
}

TEST(PerfectLookups, RefuseWhatTheirTableDoesNotHave) {
  Adapters orb;
  LookupStrategies strategies;
  strategies.servant = Lookup::perfect;
  strategies.servants = table_of({"known"});
  const auto user = orb.root->create_id_assignment_policy(IdAssignmentPolicyValue::USER_ID);
  const auto poa = orb.child("p", {create_lookup_policy(strategies), user});
  poa->activate_object_with_id(string_to_ObjectId("known"), number_servant(1));
  EXPECT_THROW(poa->activate_object_with_id(string_to_ObjectId("unknown"), number_servant(1)),
               CORBA::BAD_PARAM);
  strategies.adapter = Lookup::perfect;
  strategies.adapters = table_of({adapter_path({"q"})});
  EXPECT_THROW(orb.child("r", {create_lookup_policy(strategies), user}), CORBA::BAD_PARAM);
  EXPECT_EQ(orb.child("q", {create_lookup_policy(strategies), user})->the_name(), "q");
  EXPECT_EQ(orb.root->the_children().size(), 2u);
}

// An ORB limits the number of adapters with perfect-hash tables for fast lookup. Tables of destroyed adapters
// are reused.
TEST(PerfectLookups, OfMoreAdaptersThanAnOrbRemembers) {
  constexpr std::uint32_t adapters = 300;
  Adapters orb;
  std::vector<std::string> names, paths;
  for (std::uint32_t i = 0; i < adapters; ++i) {
    names.push_back("adapter " + std::to_string(i));
    paths.push_back(adapter_path({names.back()}));
  }
  LookupStrategies strategies{
      .adapter = Lookup::perfect, .servant = Lookup::perfect, .adapters = table_of(paths)};
  const auto user = orb.root->create_id_assignment_policy(IdAssignmentPolicyValue::USER_ID);
  std::vector<ObjectId> keys;
  for (int round = 0; round < 2; ++round) {
    for (std::uint32_t i = 0; i < adapters; ++i) {
      const std::string short_id = "x", long_id = std::string(20 + i % 20, 'x') + std::to_string(i);
      strategies.servants = table_of({short_id, long_id});
      const auto poa = orb.child(names[i], {create_lookup_policy(strategies), user});
      for (const auto& [id, number] : {std::pair(short_id, 2 * i), {long_id, 2 * i + 1}}) {
        poa->activate_object_with_id(string_to_ObjectId(id), number_servant(number));
        keys.push_back(key_of(poa->id_to_reference(string_to_ObjectId(id))));
      }
    }
    for (std::uint32_t i = 0; i < 2 * adapters; ++i) EXPECT_EQ(orb.call(keys[i]).value, i);
    for (std::uint32_t i = 0; i < adapters; ++i) orb.root->find_POA(names[i], false)->destroy(false, true);
    for (const auto& key : keys) EXPECT_TRUE(orb.call(key).is("OBJECT_NOT_EXIST"));
    keys.clear();
  }
}

// Uses one table in consecutive adapters whose objects have the same ids.
TEST(PerfectLookups, OfAnAdapterThatComesBackHaveNobodyOfTheOneBefore) {
  Adapters orb;
  const auto user = orb.root->create_id_assignment_policy(IdAssignmentPolicyValue::USER_ID);
  const LookupStrategies strategies{.adapter = Lookup::perfect,
                                    .servant = Lookup::perfect,
                                    .adapters = table_of({adapter_path({"an adapter"})}),
                                    .servants = table_of({"object one", "object two"})};
  const PolicyList policies = {create_lookup_policy(strategies), user};
  std::vector<ObjectId> stale;
  for (std::uint32_t life = 1; life < 5; ++life) {
    const auto poa = orb.child("an adapter", policies);
    poa->activate_object_with_id(string_to_ObjectId("object one"), number_servant(life));
    const auto key = key_of(poa->id_to_reference(string_to_ObjectId("object one")));
    EXPECT_EQ(orb.call(key).value, life);
    for (const auto& before : stale) EXPECT_TRUE(orb.call(before).is("OBJECT_NOT_EXIST"));
    stale.push_back(key);
    poa->destroy(false, true);
    EXPECT_TRUE(orb.call(key).is("OBJECT_NOT_EXIST"));
  }
}

TEST(LookupPolicies, ThatCannotBeAreRefused) {
  Adapters orb;
  const auto index_of_refused = [&](const PolicyList& policies) {
    try {
      orb.child("bad", policies);
    } catch (const POA::InvalidPolicy& refused) {
      return static_cast<int>(refused.index());
    }
    return -1;
  };
  const auto policy = [](LookupStrategies strategies) { return create_lookup_policy(std::move(strategies)); };
  const auto user = orb.root->create_id_assignment_policy(IdAssignmentPolicyValue::USER_ID);
  EXPECT_EQ(index_of_refused({user, policy({.servant = Lookup::perfect})}), 1) << "no table";
  EXPECT_EQ(index_of_refused({policy({.adapter = Lookup::perfect}), user}), 0) << "no table";
  EXPECT_EQ(index_of_refused({policy({.servant = Lookup::perfect, .servants = table_of({"a"})})}), 0)
      << "the system's ids are not known beforehand";
  EXPECT_EQ(index_of_refused({policy({.operation = Lookup::active})}), 0);
  EXPECT_EQ(index_of_refused({policy({.operation = Lookup::delayered})}), 0);
  const auto good = policy({.operation = Lookup::dynamic});
  EXPECT_EQ(good->copy()->policy_type(), LOOKUP_POLICY_ID);
  EXPECT_EQ(index_of_refused({good}), -1);
}

}  // namespace takt::adapter
