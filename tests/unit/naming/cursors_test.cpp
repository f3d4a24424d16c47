// Iterators: their number and idle time are limited.
#include <gtest/gtest.h>

#include "naming/model/names.h"
#include "naming/service/iterators.h"

namespace takt::naming {
namespace {

using namespace std::chrono_literals;

struct CursorsTest : testing::Test {
  CursorsTest() {
    for (const char* id : {"a", "b", "c", "d", "e"}) bind(id);
  }
  void bind(const char* id) {
    tree.apply({.context = root_context, .key = key_of({id, ""}), .binding = {.reference = "R"}});
  }
  void unbind(const char* id) {
    tree.apply({.action = Change::Action::unbind, .context = root_context, .key = key_of({id, ""})});
  }
  std::string ids(const CosNaming::BindingList& list) const {
    std::string all;
    for (const auto& each : list) all += each.binding_name().at(0).id();
    return all;
  }
  std::string next(const std::string& id, std::size_t count) {
    const auto list = cursors.next(id, count, now);
    return list ? ids(*list) : "none";
  }

  Tree tree;
  TreeMutex mutex;
  Cursors cursors{tree, mutex, Limits{.iterators = 2, .iterator_idle = 10s}};
  Cursors::Clock::time_point now{};
};

TEST_F(CursorsTest, ListsInParts) {
  CosNaming::BindingList list;
  std::string after;
  EXPECT_TRUE(cursors.list(root_context, 2, after, list));
  EXPECT_EQ(ids(list), "ab");
  const std::string id = cursors.open(root_context, after, now);
  EXPECT_EQ(next(id, 2), "cd");
  EXPECT_EQ(next(id, 2), "e");
  EXPECT_EQ(next(id, 2), "");
  EXPECT_TRUE(cursors.close(id));
  EXPECT_FALSE(cursors.close(id));
  EXPECT_EQ(next(id, 2), "none");
  list.clear();
  after.clear();
  EXPECT_FALSE(cursors.list(root_context, 5, after, list)) << "there are no more";
  EXPECT_FALSE(cursors.list(99, 5, after, list));
}

TEST_F(CursorsTest, SurvivesChangesAtItsPlace) {
  const std::string id = cursors.open(root_context, {}, now);
  EXPECT_EQ(next(id, 2), "ab");
  unbind("b");
  unbind("c");
  bind("aa");
  EXPECT_EQ(next(id, 9), "de");
}

TEST_F(CursorsTest, TheLeastRecentlyUsedEndsForANewOne) {
  const std::string first = cursors.open(root_context, {}, now);
  const std::string second = cursors.open(root_context, {}, now);
  EXPECT_EQ(next(first, 1), "a");
  const std::string third = cursors.open(root_context, {}, now);
  EXPECT_EQ(cursors.size(), 2u);
  EXPECT_EQ(next(second, 1), "none");
  EXPECT_EQ(next(first, 1), "b");
  EXPECT_EQ(next(third, 1), "a");
}

TEST_F(CursorsTest, UnusedOnesEnd) {
  const std::string first = cursors.open(root_context, {}, now);
  now += 8s;
  const std::string second = cursors.open(root_context, {}, now);
  now += 8s;
  EXPECT_EQ(next(second, 1), "a");
  EXPECT_EQ(next(first, 1), "none");
  EXPECT_EQ(cursors.size(), 1u);
}

}  // namespace
}  // namespace takt::naming
