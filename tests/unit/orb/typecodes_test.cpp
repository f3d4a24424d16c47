// TypeCodes that a program creates.
#include <gtest/gtest.h>

#include <takt/orb/orb.h>

#include "arguments.h"

namespace takt::orb {

using CORBA::TCKind;

struct TypeCodes : testing::Test {
  ~TypeCodes() override { orb->destroy(); }
  IDL::traits<CORBA::ORB>::ref_type orb = make_orb({}, "typecodes");
  CORBA::typecode_reference longs = cdr::basic_typecode(TCKind::tk_long);
};

TEST_F(TypeCodes, OfStructsAndWhatTheyHold) {
  const auto sequence = orb->create_sequence_tc(5, orb->create_string_tc(3));
  const auto type = orb->create_struct_tc("IDL:S:1.0", "S", {{"number", longs}, {"texts", sequence}});
  EXPECT_EQ(type->member_count(), 2u);
  EXPECT_EQ(type->member_name(1), "texts");
  EXPECT_EQ(type->member_type(1)->length(), 5u);
  EXPECT_EQ(type->member_type(1)->content_type()->length(), 3u);
  EXPECT_TRUE(orb->create_alias_tc("IDL:A:1.0", "A", type)->equivalent(type));
  EXPECT_EQ(orb->create_enum_tc("IDL:E:1.0", "E", {"a", "b"})->member_name(1), "b");
}

TEST_F(TypeCodes, OfUnionsKeepTheirLabels) {
  CORBA::Any minus, none;
  minus <<= std::int32_t{-7};
  none <<= std::uint8_t{0};
  const auto type = orb->create_union_tc("IDL:U:1.0", "U", longs, {{"a", minus, longs}, {"b", none, longs}});
  std::int32_t label = 0;
  EXPECT_TRUE(type->member_label(0) >>= label);
  EXPECT_EQ(label, -7);
  EXPECT_EQ(type->default_index(), 1);
  CORBA::Any wrong;
  wrong <<= std::uint16_t{1};
  EXPECT_THROW(orb->create_union_tc("IDL:U:1.0", "U", longs, {{"a", wrong, longs}}), CORBA::BAD_PARAM);
}

TEST_F(TypeCodes, MayHoldThemselves) {
  const auto type = orb->create_struct_tc(
      "IDL:Node:1.0", "Node",
      {{"children", orb->create_sequence_tc(0, orb->create_recursive_tc("IDL:Node:1.0"))}});
  EXPECT_EQ(type->member_type(0)->content_type()->id(), "IDL:Node:1.0");
}

}  // namespace takt::orb
