// Generated bit sets: their fields, also those of base bit sets.
#include "round_trip.h"
#include "typesC.h"

namespace {

using namespace mapping_test;

TEST(BitSet, IsMadeFromItsFields) {
  constexpr Types::Packed packed(5, true, -2);
  EXPECT_EQ(packed.a(), 5);
  EXPECT_TRUE(packed.flag());
  EXPECT_EQ(packed.c(), -2);
  EXPECT_EQ(packed._bits(), 5u | 1u << 3 | 0xffeu << 8) << "four bits have no name";
  Types::Packed set;
  set.a(5);
  set.flag(true);
  set.c(-2);
  EXPECT_EQ(set, packed);
  EXPECT_EQ(Types::Packed()._bits(), 0u);
  EXPECT_EQ(Types::Single(std::uint64_t{1} << 39)._bits(), std::uint64_t{1} << 39);
}

TEST(BitSet, ValuesThatDoNotFitLoseTheirHighBits) {
  const Types::Packed packed(13, false, 0x7fff);
  EXPECT_EQ(packed.a(), 5);
  EXPECT_FALSE(packed.flag());
  EXPECT_EQ(packed.c(), -1);
}

TEST(BitSet, FieldsOfBasesComeFirst) {
  const Types::Denser denser(1, true, 2, 300);
  EXPECT_EQ(denser._bits(), Types::Packed(1, true, 2)._bits() | 300u << 20);
  const Types::Densest densest(1, true, 2, 300, true, 3, 2);
  EXPECT_EQ(densest._bits(),
            denser._bits() | std::uint64_t{1} << 29 | std::uint64_t{3} << 30 | std::uint64_t{2} << 32);
  EXPECT_EQ(densest.d(), 300);
  EXPECT_TRUE(densest.e());
  EXPECT_EQ(densest._cxx_class(), 3);
  EXPECT_EQ(densest.f(), 2);
  EXPECT_EQ(text_of(densest), "Types::Densest{a=1,flag=true,c=2,d=300,e=true,class=3,f=2}");
  expect_round_trip(densest);
  expect_round_trip(Types::Vacant());
}

}  // namespace
