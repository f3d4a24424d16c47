// Lookup of operations by each strategy.
#include <gtest/gtest.h>

#include <takt/adapter/operation_table.h>
#include <takt/cdr/operation.h>

#include <utility>

#include "allocations.h"

namespace takt::adapter {

namespace {

struct Skeleton {
  int ran = 0;
};

template <int Number, OperationName Name>
bool run(void* skeleton, server::ServerCall& call) {
  if (call.operation() != Name.view()) return false;
  static_cast<Skeleton*>(skeleton)->ran = Number;
  return true;
}

constexpr char long_name[] = "a_name_that_is_much_longer_than_the_others";
constexpr OperationId ids[] = {{"cube"}, {"ping"}, {"_get_level"}, {long_name}};
constexpr OperationEntry<Skeleton> operations[] = {
    {ids[0].name, &ids[0], &run<1, "cube">, nullptr},
    {ids[1].name, &ids[1], &run<2, "ping">, nullptr},
    {ids[2].name, &ids[2], &run<3, "_get_level">, nullptr},
    {ids[3].name, &ids[3], &run<4, long_name>, nullptr},
};
// Hashes by length. Two names have length 4, so the first character counts too.
constexpr PerfectHash<1, 4, 64> hash({{{0, 0}}}, true, {{{'c', 0}, {'p', 1}, {'_', 0}, {'a', 0}}}, [] {
  std::array<std::uint16_t, 64> slots;
  slots.fill(PerfectHash<1, 4, 64>::nowhere);
  slots[4] = 0;
  slots[5] = 1;
  slots[10] = 2;
  slots[42] = 3;
  return slots;
}());
constexpr OperationTable table(hash, operations);

class Operations : public testing::TestWithParam<OperationSearch> {
 protected:
  // The number of the operation that ran; 0 for none.
  int run_by_name(std::string_view name) {
    static GatherBuffer reply;
    server::ServerCall call({.object_key = {}, .operation = name}, {}, 0, {}, reply);
    Skeleton skeleton;
    const bool found = table.dispatch_searching(skeleton, call, GetParam());
    EXPECT_EQ(found, skeleton.ran != 0);
    return skeleton.ran;
  }
};
using enum OperationSearch;
INSTANTIATE_TEST_SUITE_P(OfEachAnswer, Operations, testing::Values(perfect, linear, dynamic));

}  // namespace

TEST_P(Operations, AreFoundByTheirNames) {
  EXPECT_EQ(run_by_name("cube"), 1);
  EXPECT_EQ(run_by_name("ping"), 2);
  EXPECT_EQ(run_by_name("_get_level"), 3);
  EXPECT_EQ(run_by_name("a_name_that_is_much_longer_than_the_others"), 4);
}

TEST_P(Operations, OfOtherNamesAreNot) {
  for (const char* name : {"", "c", "cub", "cubes", "Cube", "pine", "_get_label", "zzzz"})
    EXPECT_EQ(run_by_name(name), 0) << name;
  EXPECT_EQ(run_by_name(std::string_view("cube\0", 5)), 0);
}

TEST_P(Operations, AreFoundWithoutMemory) {
  run_by_name("cube");
  const std::size_t before = allocations();
  EXPECT_EQ(run_by_name("ping"), 2);
  EXPECT_EQ(run_by_name("none"), 0);
  EXPECT_EQ(allocations(), before);
}

namespace {

struct Found : testing::Test {
  bool find(std::string_view name, FoundOperation& found) {
    server::ServerCall call({.object_key = {}, .operation = name}, {}, 0, {}, reply);
    call.search_into(found);
    const bool is_found = table.dispatch_searching(skeleton, call, OperationSearch::find);
    EXPECT_EQ(skeleton.ran, 0) << "finding runs nothing";
    return is_found;
  }
  // The number of the operation that ran; 0 for none.
  int run_found(const FoundOperation& found, std::string_view name) {
    server::ServerCall call({.object_key = {}, .operation = name}, {}, 0, {}, reply);
    EXPECT_EQ(found.servant, &skeleton);
    const bool served = found.from_wire(found.servant, call);
    EXPECT_EQ(served, skeleton.ran != 0);
    return std::exchange(skeleton.ran, 0);
  }

  GatherBuffer reply;
  Skeleton skeleton;
};

}  // namespace

TEST_F(Found, OperationsRunWithoutASearch) {
  int expected = 0;
  for (const auto& operation : operations) {
    FoundOperation found;
    ASSERT_TRUE(find(operation.name, found)) << operation.name;
    EXPECT_EQ(run_found(found, operation.name), ++expected) << operation.name;
  }
}

TEST_F(Found, OperationsServeNoOtherName) {
  for (const auto& operation : operations) {
    FoundOperation found;
    ASSERT_TRUE(find(operation.name, found));
    for (const char* other : {"pong", "", "_is_a", "cub"}) EXPECT_EQ(run_found(found, other), 0);
  }
}

TEST_F(Found, NamesThatNoOperationHasAreNot) {
  FoundOperation found;
  for (const char* name : {"", "_is_a", "cub", "pine", "zzzz"}) EXPECT_FALSE(find(name, found)) << name;
}

}  // namespace takt::adapter
