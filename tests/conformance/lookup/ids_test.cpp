// The contract of src/lookup/id_lookup.h, for every strategy.
#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "allocations.h"
#include "lookup/id_lookup.h"
#include "lookup/keys/object_key.h"
#include "strategies.h"

namespace takt::adapter {

constexpr std::uint32_t id_count = 300;

std::string id_of(std::uint32_t number) { return "object-" + std::to_string(number); }

const IdTable& known_ids() {
  static const IdTable table = [] {
    std::vector<std::string> ids;
    for (std::uint32_t i = 0; i < id_count; ++i) ids.push_back(id_of(i));
    const std::vector<std::string_view> views(ids.begin(), ids.end());
    return make_id_table(views);
  }();
  return table;
}

// Whether a lookup of the id offers the slot.
bool offers(const IdLookup& lookup, std::string_view id, std::uint32_t slot,
            std::uint32_t hint = IdLookup::no_hint) {
  return lookup.find(bytes_of(id), hint, [&](std::uint32_t offered) { return offered == slot; });
}

class Ids : public testing::TestWithParam<Lookup> {
 protected:
  std::unique_ptr<IdLookup> lookup = make_lookup(GetParam(), known_ids());
};
INSTANTIATE_TEST_SUITE_P(OfEachAnswer, Ids, testing::ValuesIn(lookups),
                         [](const auto& chosen) { return name_of(chosen.param); });

TEST_P(Ids, AnEmptyOneOffersNothing) { EXPECT_FALSE(offers(*lookup, id_of(1), 1)); }

// Clauses 2 to 4, against a model.
TEST_P(Ids, WhatIsThereIsOffered) {
  std::vector<std::uint32_t> slot_of(id_count, 0);  // 0: absent
  std::mt19937 random(3);
  for (std::uint32_t round = 1; round < 10000; ++round) {
    const std::uint32_t number = random() % id_count;
    const std::string id = id_of(number);
    if (slot_of[number] != 0) {
      lookup->erase(bytes_of(id), slot_of[number]);
      slot_of[number] = 0;
    } else {
      slot_of[number] = round;
      lookup->insert(bytes_of(id), round);
    }
    if (round % 500 != 0) continue;
    for (std::uint32_t n = 0; n < id_count; ++n) {
      if (slot_of[n] != 0) {
        EXPECT_TRUE(offers(*lookup, id_of(n), slot_of[n])) << n;
      }
    }
  }
}

TEST_P(Ids, WhatIsGoneIsNotOffered) {
  lookup->insert(bytes_of(id_of(1)), 11);
  lookup->insert(bytes_of(id_of(2)), 12);
  lookup->erase(bytes_of(id_of(1)), 11);
  EXPECT_FALSE(offers(*lookup, id_of(1), 11));
  EXPECT_TRUE(offers(*lookup, id_of(2), 12));
}

TEST_P(Ids, SearchingEndsWhenASlotIsAccepted) {
  lookup->insert(bytes_of(id_of(1)), 11);
  int asked = 0;
  EXPECT_TRUE(lookup->find(bytes_of(id_of(1)), 11, [&](std::uint32_t) { return ++asked > 0; }));
  EXPECT_EQ(asked, 1);
}

// Clause 5.
TEST_P(Ids, AWrongHintHidesNothing) {
  lookup->insert(bytes_of(id_of(1)), 11);
  for (const std::uint32_t hint : {0u, 12u, 0x7fffffffu, 0xfffffffeu})
    EXPECT_TRUE(offers(*lookup, id_of(1), 11, hint)) << hint;
}

// Clause 6.
TEST_P(Ids, OnlyAPerfectOneRefusesIds) {
  EXPECT_TRUE(lookup->admits(bytes_of(id_of(7))));
  EXPECT_EQ(lookup->admits(bytes_of("a stranger")), GetParam() != Lookup::perfect);
  EXPECT_FALSE(offers(*lookup, "a stranger", 3));
  EXPECT_FALSE(offers(*lookup, "", 3));
}

// Clause 1.
TEST_P(Ids, FindingTakesNoMemory) {
  for (std::uint32_t n = 0; n < id_count; ++n) lookup->insert(bytes_of(id_of(n)), n);
  const std::string there = id_of(100), not_there = "object-x";
  const std::size_t before = allocations();
  EXPECT_TRUE(offers(*lookup, there, 100));
  EXPECT_FALSE(offers(*lookup, not_there, 100));
  EXPECT_EQ(allocations(), before);
}

// Clauses 1 and 4; also for ThreadSanitizer.
TEST_P(Ids, WhatStaysIsFoundWhileOthersComeAndGo) {
  constexpr std::uint32_t staying = 10;
  for (std::uint32_t n = 0; n < staying; ++n) lookup->insert(bytes_of(id_of(n)), n);
  std::atomic<bool> done{false};
  std::thread writer([&] {
    std::mt19937 random(5);
    std::vector<bool> there(id_count);
    for (int i = 0; i < 50000; ++i) {
      const std::uint32_t n = staying + random() % (id_count - staying);
      if (there[n])
        lookup->erase(bytes_of(id_of(n)), n);
      else
        lookup->insert(bytes_of(id_of(n)), n);
      there[n] = !there[n];
    }
    done = true;
  });
  long found = 0, lost = 0;
  do {
    for (std::uint32_t n = 0; n < staying; ++n) ++(offers(*lookup, id_of(n), n) ? found : lost);
  } while (!done);
  writer.join();
  EXPECT_GT(found, 0);
  EXPECT_EQ(lost, 0);
}

// The table for perfect hashing.
TEST(IdTables, HaveEachIdAtAPlaceOfItsOwn) {
  for (const std::uint32_t count : {1u, 2u, 7u, 100u, 20000u}) {
    std::vector<std::string> ids;
    for (std::uint32_t i = 0; i < count; ++i)
      ids.push_back(std::string(i % 23, 'x') + std::to_string(i) + '\0');
    const std::vector<std::string_view> views(ids.begin(), ids.end());
    const IdTable table = make_id_table(views);
    EXPECT_LE(table.places(), count + count / 32 + 1);
    std::vector<bool> taken(table.places());
    for (const std::string& id : ids) {
      const std::uint32_t place = table.place_of(id);
      ASSERT_LT(place, table.places());
      EXPECT_EQ(table.at(place), id);
      EXPECT_TRUE(table.contains(id));
      EXPECT_FALSE(taken[place]);
      taken[place] = true;
      EXPECT_FALSE(table.contains(id + "?"));
    }
  }
}

// Ids that differ only at their ends, by a word in front, at both ends, or in the middle.
TEST(IdTables, LookAtAsMuchOfAnIdAsTheyNeed) {
  const auto table_of = [](const std::string& before, const std::string& behind, int both) {
    std::vector<std::string> ids;
    for (int i = 1000; i < 3000; ++i)
      ids.push_back(before + std::to_string(i) + behind +
                    (both != 0 ? std::to_string(i / both) : std::string()));
    const IdTable table = make_id_table(std::vector<std::string_view>(ids.begin(), ids.end()));
    std::vector<bool> taken(table.places());
    for (const std::string& id : ids) {
      EXPECT_TRUE(table.contains(id)) << id;
      EXPECT_FALSE(taken[table.place_of(id)]) << id;
      taken[table.place_of(id)] = true;
      EXPECT_FALSE(table.contains(id.substr(1))) << id;
    }
    return table.parts().window;
  };
  const std::string far(80, '-');
  const auto at_end = table_of("object_", "", 0), before_end = table_of("object_", "_of_ours", 0);
  EXPECT_EQ(at_end.back, 8u);
  EXPECT_EQ(at_end.one, 8u);
  EXPECT_GT(before_end.back, 8u);
  EXPECT_NE(before_end.one, IdTable::whole);
  const auto ends = table_of("", far, 100);  // neither end alone is enough
  EXPECT_EQ(ends.one, IdTable::whole);
  EXPECT_EQ(ends.two, 8u);
  EXPECT_EQ(table_of(far, far, 0).one, IdTable::whole);
  EXPECT_EQ(table_of(far, far, 0).two, IdTable::whole);
}

TEST(IdTables, RefuseWhatCannotBeTold) {
  const auto of = [](std::vector<std::string_view> ids) { return make_id_table(ids); };
  EXPECT_THROW(of({"a", "b", "a"}), CORBA::BAD_PARAM);
  EXPECT_THROW(of({"a", ""}), CORBA::BAD_PARAM);
  EXPECT_FALSE(of({}).contains("a"));
  EXPECT_EQ(IdTable().place_of("a"), IdTable::nowhere);
}

}  // namespace takt::adapter
