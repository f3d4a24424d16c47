// Comparing TypeCodes, and the number of pairs of types that this compares.
#include <gtest/gtest.h>

#include <random>

#include <takt/cdr/typecode.h>

#include "../../conformance/reactor/allocations.h"

namespace takt::cdr {
namespace {

using CORBA::TCKind;
using CORBA::typecode_reference;

typecode_reference structure(std::string id, const std::vector<typecode_reference>& types) {
  TypeCodeParts parts{.kind = TCKind::tk_struct, .id = std::move(id)};
  for (const auto& type : types) parts.members.push_back({.type = type});
  return make_typecode(std::move(parts));
}

// Structs in levels. Each has four members: two are of one struct in the level below, two of the struct after
// it. Their order determines how many pairs two such types make.
constexpr std::size_t levels = 120;
struct Levels {
  std::array<std::size_t, 4> members;
  std::size_t with_id = 0;  // levels whose number is divisible by that, less the remainder, have ids; 0: none
  std::size_t remainder = 0;
  // The number of the struct in the lowest level that has a short in place of a long.
  std::size_t odd_one_out = SIZE_MAX;

  std::string id_of(std::size_t level, std::size_t number) const {
    if (with_id == 0 || level % with_id != remainder) return "";
    return "IDL:L" + std::to_string(level) + "_" + std::to_string(number) + ":1.0";
  }
  typecode_reference make() const {
    std::vector<typecode_reference> below, made;
    for (std::size_t i = 0; i <= levels; ++i)
      below.push_back(
          structure(id_of(0, i), {basic_typecode(i == odd_one_out ? TCKind::tk_short : TCKind::tk_long)}));
    for (std::size_t level = 1; level <= levels; ++level) {
      made.clear();
      for (std::size_t i = 0; i + level <= levels; ++i) {
        std::vector<typecode_reference> types;
        for (const std::size_t next : members) types.push_back(below[i + next]);
        made.push_back(structure(id_of(level, i), types));
      }
      below.swap(made);
    }
    return below.front();
  }
};
constexpr std::array<std::size_t, 4> in_pairs{0, 0, 1, 1}, in_turn{0, 1, 0, 1};
constexpr std::size_t types_of_both = (levels + 1) * (levels + 2);

TEST(TypeCodeComparison, equality_looks_at_no_more_pairs_than_there_are_types) {
  const auto left = Levels{in_pairs}.make(), right = Levels{in_turn}.make();
  const std::size_t before = allocations();
  EXPECT_TRUE(left->equal(right));
  EXPECT_LT(allocations() - before, 2 * types_of_both);
}

TEST(TypeCodeComparison, equivalence_looks_at_no_more_pairs_than_there_are_types) {
  for (const std::size_t with_id : {0uz, 2uz}) {  // on one side; the other has none
    const auto left = Levels{in_pairs, with_id}.make(), right = Levels{in_turn}.make();
    const std::size_t before = allocations();
    EXPECT_TRUE(left->equivalent(right));
    EXPECT_TRUE(right->equivalent(left));
    EXPECT_LT(allocations() - before, 4 * types_of_both);
  }
}

TEST(TypeCodeComparison, one_type_among_many_makes_the_difference) {
  const auto left = Levels{in_pairs}.make(), right = Levels{.members = in_turn, .odd_one_out = 37}.make();
  EXPECT_FALSE(left->equal(right));
  EXPECT_FALSE(left->equivalent(right));
  EXPECT_FALSE(right->equivalent(left));
}

TEST(TypeCodeComparison, has_a_limit_where_both_sides_lack_ids_that_the_other_has) {
  const auto left = Levels{in_pairs, 2, 0}.make(), right = Levels{in_turn, 2, 1}.make();
  EXPECT_THROW(left->equivalent(right), CORBA::IMP_LIMIT);
  EXPECT_FALSE(left->equal(right));
}

// ---- the same result as looking at each pair

bool equivalent_pair_by_pair(const typecode_reference& left, const typecode_reference& right) {
  if (left->kind() != right->kind()) return false;
  if (left->kind() != TCKind::tk_struct) return true;
  if (!left->id().empty() && !right->id().empty()) return left->id() == right->id();
  if (left->member_count() != right->member_count()) return false;
  for (std::uint32_t i = 0; i < left->member_count(); ++i)
    if (!equivalent_pair_by_pair(left->member_type(i), right->member_type(i))) return false;
  return true;
}

// Random types, each made of two earlier ones, such that some are equivalent, few have ids, and most look
// alike.
std::vector<typecode_reference> drawn(std::mt19937& random) {
  const auto one_of = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
  std::vector<typecode_reference> types{basic_typecode(TCKind::tk_long)};
  if (one_of(8) == 0) types.push_back(basic_typecode(TCKind::tk_short));
  std::vector<typecode_reference> all;
  for (int level = 0; level < 4; ++level) {
    std::vector<typecode_reference> made;
    for (int i = 0; i < 3; ++i) {
      const std::string ids[] = {"", "", "", "IDL:A:1.0", "IDL:B:1.0"};
      const auto &first = types[one_of(types.size())], &second = types[one_of(types.size())];
      made.push_back(structure(ids[one_of(std::size(ids))], {first, second}));
    }
    types = made;
    all.insert(all.end(), made.begin(), made.end());
  }
  return all;
}

TEST(TypeCodeComparison, equivalence_is_that_of_each_pair_of_types) {
  std::mt19937 random(1);
  int same = 0, different = 0;
  for (int round = 0; round < 300; ++round) {
    const auto types = drawn(random), others = drawn(random);
    for (const auto& left : types)
      for (const auto* of : {&types, &others})
        for (const auto& right : *of) {
          const bool expected = equivalent_pair_by_pair(left, right);
          ASSERT_EQ(left->equivalent(right), expected) << "in round " << round;
          ++(expected ? same : different);
        }
  }
  EXPECT_GT(same, 1000);
  EXPECT_GT(different, 1000);
}

}  // namespace
}  // namespace takt::cdr
