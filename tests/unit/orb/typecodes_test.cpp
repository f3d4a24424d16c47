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

// The minor code of the exception; -1 if there is none.
template <class Exception, class Make>
std::int64_t minor_of(Make make) {
  try {
    make();
  } catch (const Exception& refused) {
    return refused.minor() & 0xfff;
  }
  return -1;
}

CORBA::Any any_of(std::int32_t number) {
  CORBA::Any any;
  any <<= number;
  return any;
}

TEST_F(TypeCodes, RefuseNamesThatAreNone) {
  using CORBA::BAD_PARAM;
  EXPECT_EQ(minor_of<BAD_PARAM>([&] { orb->create_struct_tc("IDL:S:1.0", "1st", {}); }), 15);
  EXPECT_EQ(minor_of<BAD_PARAM>([&] { orb->create_interface_tc("IDL:I:1.0", "a-b"); }), 15);
  EXPECT_EQ(minor_of<BAD_PARAM>([&] { orb->create_enum_tc("E", "E", {"a"}); }), 16);
  EXPECT_EQ(minor_of<BAD_PARAM>([&] { orb->create_recursive_tc(""); }), 16);
  EXPECT_EQ(minor_of<BAD_PARAM>([&] { orb->create_struct_tc("IDL:S:1.0", "S", {{"_a", longs}}); }), 17);
  EXPECT_EQ(
      minor_of<BAD_PARAM>([&] { orb->create_struct_tc("IDL:S:1.0", "S", {{"a", longs}, {"a", longs}}); }),
      17);
  EXPECT_EQ(minor_of<BAD_PARAM>([&] { orb->create_enum_tc("IDL:E:1.0", "E", {"a", "a"}); }), 17);
  EXPECT_EQ(minor_of<BAD_PARAM>([&] {
              orb->create_value_tc("IDL:V:1.0", "V", CORBA::VM_NONE, {},
                                   {{"a", longs, CORBA::PUBLIC_MEMBER}, {"a", longs, CORBA::PUBLIC_MEMBER}});
            }),
            17);
  EXPECT_TRUE(orb->create_struct_tc("", "", {{"a", longs}}));
}

TEST_F(TypeCodes, RefuseTypesThatCannotBeParts) {
  using CORBA::BAD_TYPECODE;
  const auto none = cdr::basic_typecode(TCKind::tk_null), nothing = cdr::basic_typecode(TCKind::tk_void);
  const auto exception = orb->create_exception_tc("IDL:X:1.0", "X", {});
  for (const auto& type : {none, nothing, exception, CORBA::typecode_reference()}) {
    EXPECT_EQ(minor_of<BAD_TYPECODE>([&] { orb->create_struct_tc("IDL:S:1.0", "S", {{"a", type}}); }), 2);
    EXPECT_EQ(minor_of<BAD_TYPECODE>([&] { orb->create_alias_tc("IDL:A:1.0", "A", type); }), 2);
    EXPECT_EQ(minor_of<BAD_TYPECODE>([&] { orb->create_sequence_tc(0, type); }), 2);
    EXPECT_EQ(minor_of<BAD_TYPECODE>([&] { orb->create_array_tc(3, type); }), 2);
    EXPECT_EQ(minor_of<BAD_TYPECODE>([&] { orb->create_value_box_tc("IDL:B:1.0", "B", type); }), 2);
  }
  EXPECT_EQ(
      minor_of<BAD_TYPECODE>([&] { orb->create_value_tc("IDL:V:1.0", "V", CORBA::VM_NONE, longs, {}); }), 2);
  EXPECT_FALSE(orb->create_value_tc("IDL:V:1.0", "V", CORBA::VM_NONE, none, {})->concrete_base_type());
  EXPECT_EQ(minor_of<CORBA::BAD_PARAM>([&] { orb->create_fixed_tc(32, 0); }), 0);
  EXPECT_EQ(minor_of<CORBA::BAD_PARAM>([&] { orb->create_fixed_tc(3, 4); }), 0);
  EXPECT_EQ(minor_of<CORBA::BAD_PARAM>([&] { orb->create_fixed_tc(3, -1); }), 0);
}

TEST_F(TypeCodes, RefuseUnionsThatAreNone) {
  using CORBA::BAD_PARAM;
  const auto make = [&](const CORBA::typecode_reference& discriminator,
                        const CORBA::UnionMemberSeq& members) {
    return minor_of<BAD_PARAM>([&] { orb->create_union_tc("IDL:U:1.0", "U", discriminator, members); });
  };
  const auto one = any_of(1), two = any_of(2), three = any_of(3);
  const auto doubles = cdr::basic_typecode(TCKind::tk_double);
  CORBA::Any none, wrong;
  none <<= std::uint8_t{0};
  wrong <<= std::uint8_t{1};
  EXPECT_EQ(make(doubles, {}), 20);
  EXPECT_EQ(make({}, {}), 20);
  EXPECT_EQ(make(longs, {{"a", one, longs}, {"b", one, longs}}), 18);
  EXPECT_EQ(make(longs, {{"a", none, longs}, {"b", none, longs}}), 18);
  EXPECT_EQ(make(longs, {{"a", wrong, longs}}), 19);
  EXPECT_EQ(make(longs, {{"a", one, longs}, {"b", two, longs}, {"a", three, longs}}), 17);
  EXPECT_EQ(make(longs, {{"a", one, longs}, {"a", two, doubles}}), 17);
  EXPECT_EQ(make(longs, {{"a", one, longs}, {"a", two, longs}, {"b", none, doubles}}), -1);
}

TEST_F(TypeCodes, ThatStandForAnotherAreThatOnceItIsThere) {
  const auto node = orb->create_recursive_tc("IDL:Node:1.0");
  EXPECT_EQ(minor_of<CORBA::BAD_TYPECODE>([&] { (void)node->kind(); }), 1);
  EXPECT_EQ(minor_of<CORBA::BAD_TYPECODE>([&] { (void)node->id(); }), 1);
  EXPECT_EQ(minor_of<CORBA::BAD_TYPECODE>([&] { (void)node->equal(longs); }), 1);
  CORBA::Any any;
  EXPECT_THROW(any <<= node, CORBA::BAD_TYPECODE);
  const auto type = orb->create_value_tc(
      "IDL:Node:1.0", "Node", CORBA::VM_NONE, {},
      {{"next", node, CORBA::PUBLIC_MEMBER},
       {"others", orb->create_sequence_tc(0, orb->create_alias_tc("IDL:A:1.0", "A", node)),
        CORBA::PUBLIC_MEMBER}});
  EXPECT_EQ(node->kind(), TCKind::tk_value);
  EXPECT_EQ(node->member_name(1), "others");
  EXPECT_TRUE(node->equal(type) && type->equivalent(node));
}

TEST_F(TypeCodes, OfEveryKindThatHasNames) {
  EXPECT_EQ(orb->create_event_tc("IDL:V:1.0", "V", CORBA::VM_NONE, {}, {})->kind(), TCKind::tk_event);
  EXPECT_EQ(orb->create_component_tc("IDL:C:1.0", "C")->kind(), TCKind::tk_component);
  EXPECT_EQ(orb->create_home_tc("IDL:H:1.0", "H")->kind(), TCKind::tk_home);
  EXPECT_EQ(orb->create_native_tc("IDL:N:1.0", "N")->kind(), TCKind::tk_native);
  EXPECT_EQ(orb->create_local_interface_tc("IDL:L:1.0", "L")->kind(), TCKind::tk_local_interface);
  EXPECT_EQ(orb->create_abstract_interface_tc("IDL:A:1.0", "A")->kind(), TCKind::tk_abstract_interface);
}

TEST_F(TypeCodes, CompactOnesHaveNoNamesAndAreEquivalent) {
  const auto alias = orb->create_alias_tc("IDL:A:1.0", "A", longs);
  const auto type = orb->create_struct_tc("IDL:S:1.0", "S", {{"number", alias}});
  const auto compact = type->get_compact_typecode();
  EXPECT_EQ(compact->name(), "");
  EXPECT_EQ(compact->member_name(0), "");
  EXPECT_EQ(compact->id(), "IDL:S:1.0");
  EXPECT_EQ(compact->member_type(0)->kind(), TCKind::tk_alias);
  EXPECT_FALSE(compact->equal(type));
  EXPECT_TRUE(compact->equivalent(type));
  EXPECT_EQ(minor_of<CORBA::BAD_PARAM>([&] { (void)type->equal(nullptr); }), 13);
  EXPECT_EQ(minor_of<CORBA::BAD_PARAM>([&] { (void)type->equivalent({}); }), 13);
}

}  // namespace takt::orb
