#include <gtest/gtest.h>

#include <array>

#include <takt/cdr/any.h>
#include <takt/cdr/mapping/type_code.h>
#include <takt/cdr/types_in_progress.h>

#include "octets.h"

namespace takt::cdr::test {
namespace {

using CORBA::TCKind;
using CORBA::typecode_reference;

TypeCodeParts parts_of(TCKind kind, std::string name, std::vector<TypeCodeMember> members = {}) {
  TypeCodeParts parts;
  parts.kind = kind;
  parts.id = name.empty() ? "" : "IDL:" + name + ":1.0";
  parts.name = std::move(name);
  parts.members = std::move(members);
  return parts;
}
typecode_reference made(TCKind kind, std::string name, std::vector<TypeCodeMember> members) {
  return make_typecode(parts_of(kind, std::move(name), std::move(members)));
}
typecode_reference sequence(typecode_reference element) { return sequence_typecode(std::move(element)); }
const typecode_reference& of_long() { return basic_typecode(TCKind::tk_long); }

typecode_reference enum_of_two() { return made(TCKind::tk_enum, "E", {{"A"}, {"B"}}); }

typecode_reference union_of(typecode_reference discriminator, std::vector<TypeCodeMember> members,
                            std::int32_t default_index) {
  TypeCodeParts parts = parts_of(TCKind::tk_union, "U", std::move(members));
  parts.discriminator = std::move(discriminator);
  parts.default_index = default_index;
  return make_typecode(std::move(parts));
}

typecode_reference through_the_wire(const typecode_reference& type, ByteOrder order) {
  return decoded<typecode_reference>(encoded(type, format(order)), format(order)).value;
}
void expect_round_trip(const typecode_reference& type) {
  for (const ByteOrder order : {ByteOrder::big, ByteOrder::little}) {
    const auto back = through_the_wire(type, order);
    ASSERT_TRUE(back);
    EXPECT_TRUE(back == type);
    EXPECT_EQ(hex(encoded(back)), hex(encoded(type)));
  }
}

TEST(TypeCode, all_kinds_travel) {
  for (std::uint32_t kind = 0; kind <= static_cast<std::uint32_t>(TCKind::tk_event); ++kind)
    if (const auto& type = basic_typecode(static_cast<TCKind>(kind))) expect_round_trip(type);
  expect_round_trip(string_typecode(TCKind::tk_string, 7));
  expect_round_trip(string_typecode(TCKind::tk_wstring, 7));
  expect_round_trip(fixed_typecode(31, 7));
  expect_round_trip(array_typecode(of_long(), 3));
  expect_round_trip(enum_of_two());
  expect_round_trip(make_alias("IDL:A:1.0", "A", enum_of_two()));
  expect_round_trip(made(TCKind::tk_except, "X", {}));
  for (const TCKind kind : {TCKind::tk_objref, TCKind::tk_native, TCKind::tk_abstract_interface,
                            TCKind::tk_local_interface, TCKind::tk_component, TCKind::tk_home})
    expect_round_trip(make_named(kind, "IDL:I:1.0", "I"));
  auto box = parts_of(TCKind::tk_value_box, "Box");
  box.content = of_long();
  expect_round_trip(make_typecode(box));
  auto value = parts_of(TCKind::tk_value, "V", {{"x", of_long(), 0, CORBA::PUBLIC_MEMBER}});
  value.modifier = CORBA::VM_TRUNCATABLE;
  value.content = make_typecode(parts_of(TCKind::tk_value, "Base"));
  expect_round_trip(make_typecode(value));
}

TEST(TypeCode, unions_of_each_discriminator_travel) {
  for (const TCKind kind :
       {TCKind::tk_boolean, TCKind::tk_char, TCKind::tk_octet, TCKind::tk_short, TCKind::tk_ushort,
        TCKind::tk_long, TCKind::tk_ulong, TCKind::tk_longlong, TCKind::tk_ulonglong, TCKind::tk_wchar})
    for (const std::int32_t default_index : {-1, 0, 1})
      expect_round_trip(union_of(basic_typecode(kind),
                                 {{"a", of_long(), default_index == 0 ? 0 : 1}, {"b", enum_of_two(), 0}},
                                 default_index));
  expect_round_trip(union_of(make_alias("IDL:A:1.0", "A", enum_of_two()), {{"a", of_long(), 1}}, -1));
  expect_round_trip(union_of(of_long(), {{"a", of_long(), -5}}, -1));
}

TEST(TypeCode, either_layout_of_the_default_label_is_read) {
  // union switch(long) { case 1: E a; default: long d; }, where the label of d is one octet after an
  // unaligned end.
  const auto type = union_of(of_long(), {{"a", enum_of_two(), 1}, {"d", of_long(), 0}}, 1);
  const Octets whole = encoded(type);
  // ... 4200, two octets of padding, four of label: they become one octet and one of padding.
  const std::size_t end_of_enum = hex(whole).rfind("000000024200") / 2 + 6;
  const std::size_t name = hex(whole).find("0000000264", 2 * end_of_enum) / 2;
  Octets other(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(end_of_enum));
  other.insert(other.end(), {0, 0});
  other.insert(other.end(), whole.begin() + static_cast<std::ptrdiff_t>(name), whole.end());
  ASSERT_LT(other.size(), whole.size());
  const std::size_t size = other.size() - 8;
  other[6] = static_cast<std::uint8_t>(size >> 8);
  other[7] = static_cast<std::uint8_t>(size);
  const auto back = decoded<typecode_reference>(other);
  EXPECT_TRUE(back.whole) << to_text(back.error);
  EXPECT_TRUE(back.value == type);
}

TEST(TypeCode, recursion_leads_back) {
  const auto node =
      made(TCKind::tk_struct, "N", {{"value", of_long()}, {"kids", sequence(make_recursion("IDL:N:1.0"))}});
  expect_round_trip(node);
  EXPECT_EQ(node->member_type(1)->content_type().get(), node.get());
  const auto back = through_the_wire(node, ByteOrder::little);
  EXPECT_EQ(back->member_type(1)->content_type().get(), back.get());
}

// valuetype Component { public Node parent; public string name; };
// valuetype Node : Component { public long x; };
typecode_reference value_of(std::string name, typecode_reference base, std::vector<TypeCodeMember> members) {
  TypeCodeParts parts = parts_of(TCKind::tk_value, std::move(name), std::move(members));
  parts.content = std::move(base);
  return make_typecode(std::move(parts));
}
typecode_reference composite() {
  const auto node = value_of("Node", make_recursion("IDL:Component:1.0"), {{"x", of_long()}});
  return value_of("Component", {}, {{"parent", node}, {"name", basic_typecode(TCKind::tk_string)}});
}

TEST(TypeCode, a_value_may_have_members_that_derive_from_it) {
  const auto component = composite();
  expect_round_trip(component);
  const auto node = component->member_type(0);
  EXPECT_EQ(node->concrete_base_type().get(), component.get());
  expect_round_trip(node);
  expect_round_trip(value_of("Leaf", component, {{"x", of_long()}}));
  // The base is written inside the node and refers to it, because older readers take no base that is an
  // indirection.
  const std::string octets = hex(encoded(node)), id = "49444c3a4e6f64653a312e30";  // IDL:Node:1.0
  EXPECT_EQ(octets.find(id), octets.rfind(id));
}

TEST(TypeCode, no_value_derives_from_itself) {
  EXPECT_THROW(value_of("V", make_recursion("IDL:V:1.0"), {}), CORBA::BAD_TYPECODE);
  const auto derived = value_of("W", make_recursion("IDL:V:1.0"), {});
  EXPECT_THROW(value_of("V", derived, {}), CORBA::BAD_TYPECODE);
  // The same from a peer: a base is an indirection to the value whose base is being read.
  for (const char* const hostile :
       {"0000001d00000020 00000000 0000000256000000 0000000256000000 ffffffffffffffe0 00000000",
        "0000001d00000040 00000000 0000000256000000 0000000256000000"
        "0000001d00000020 00000000 0000000257000000 0000000257000000 ffffffffffffffc4 00000000 00000000"})
    EXPECT_EQ(decoded<typecode_reference>(octets(hostile)).error, Error::bad_typecode);
}

TEST(TypeCode, parts_of_a_recursive_type_keep_it) {
  const auto node = [] {
    return made(TCKind::tk_struct, "N",
                {{"value", of_long()}, {"kids", sequence(make_recursion("IDL:N:1.0"))}});
  };
  const auto made_kids = node()->member_type(1),
             read_kids = through_the_wire(node(), ByteOrder::little)->member_type(1);
  EXPECT_EQ(made_kids->content_type()->name(), "N");
  EXPECT_EQ(read_kids->content_type()->name(), "N");
}

TEST(TypeCode, mutual_recursion_travels) {
  const auto inner =
      made(TCKind::tk_struct, "B",
           {{"a", sequence(make_recursion("IDL:A:1.0"))}, {"b", sequence(make_recursion("IDL:B:1.0"))}});
  expect_round_trip(made(TCKind::tk_struct, "A", {{"b", inner}}));
  // Incomplete without A.
  EXPECT_TRUE(encoded(inner).empty());
}

// `count` structs, each of which has sequences of all of them.
template <std::size_t Count>
struct Mesh {
  static std::string id(std::size_t index) { return "IDL:Mesh" + std::to_string(index) + ":1.0"; }
  template <std::size_t Index>
  static typecode_reference of() {
    static const std::string own_id = id(Index);
    static const auto names = [] {
      std::array<std::string_view, Count> all;
      static std::array<std::string, Count> texts;
      for (std::size_t i = 0; i < Count; ++i) all[i] = texts[i] = "m" + std::to_string(i);
      return all;
    }();
    static constinit detail::CachedTypeCode kept{nullptr};
    return detail::struct_typecode(kept, {own_id, "Mesh", names}, TCKind::tk_struct, &members, nullptr);
  }
  template <std::size_t... Index>
  static TypeCodes all(std::index_sequence<Index...>) {
    ++expansions;
    return {sequence(of<Index>())...};
  }
  static TypeCodes members() { return all(std::make_index_sequence<Count>()); }
  static inline std::size_t expansions = 0;
};

TEST(TypeCode, types_that_all_contain_each_other_need_few_typecodes) {
  constexpr std::size_t count = 14;
  using All = Mesh<count>;
  const auto first = All::of<0>();
  EXPECT_LE(All::expansions, count);
  EXPECT_EQ(first->member_type(13)->content_type()->member_type(0)->content_type().get(), first.get());
  EXPECT_LT(encoded(first).size(), 50'000u);
  for (const ByteOrder order : {ByteOrder::big, ByteOrder::little}) {
    const auto back = through_the_wire(first, order);
    ASSERT_TRUE(back);
    EXPECT_TRUE(back == first);
    EXPECT_LT(encoded(back).size(), 100'000u) << "repeated types are written again, up to a size";
    EXPECT_TRUE(through_the_wire(back, order) == first);
  }
  // A part may be written alone while the whole lives.
  const auto inner = first->member_type(7)->content_type();
  const auto inner_back = through_the_wire(inner, ByteOrder::big);
  ASSERT_TRUE(inner_back);
  EXPECT_TRUE(inner_back == inner);
  EXPECT_TRUE(inner_back == All::of<7>());
  EXPECT_LE(All::expansions, 2 * count);
  for (const auto& some : {Mesh<2>::of<0>(), Mesh<5>::of<1>(), Mesh<6>::of<0>(), Mesh<7>::of<6>()})
    expect_round_trip(some);
  const auto last = All::of<13>();
  EXPECT_TRUE(last == first->member_type(13)->content_type());
}

// typedef sequence<Node> Nodes; struct Node { Nodes kids; }; struct Derived : Node { long x; };
typecode_reference nodes();
typecode_reference node() {
  static constinit detail::CachedTypeCode kept{nullptr};
  static constexpr std::string_view names[] = {"kids"};
  return detail::struct_typecode(
      kept, {"IDL:Node:1.0", "Node", names}, TCKind::tk_struct, +[] { return TypeCodes{nodes()}; }, nullptr);
}
typecode_reference nodes() {
  static constinit detail::CachedTypeCode kept{nullptr};
  return detail::alias_typecode(kept, {"IDL:Nodes:1.0", "Nodes"}, +[] { return sequence(node()); });
}
typecode_reference derived_node() {
  static constinit detail::CachedTypeCode kept{nullptr};
  static constexpr std::string_view names[] = {"x"};
  return detail::struct_typecode(
      kept, {"IDL:Derived:1.0", "Derived", names}, TCKind::tk_struct, +[] { return TypeCodes{of_long()}; },
      &node);
}

TEST(TypeCode, an_alias_of_a_recursive_type_may_be_asked_for_first) {
  const auto alias = nodes();
  expect_round_trip(alias);
  EXPECT_TRUE(alias->content_type()->content_type() == node());
}

TEST(TypeCode, a_struct_that_derives_from_a_recursive_one_travels) {
  for (const ByteOrder order : {ByteOrder::big, ByteOrder::little}) {
    const auto back = through_the_wire(derived_node(), order);
    ASSERT_TRUE(back);
    EXPECT_TRUE(back == derived_node());
  }
}

TEST(TypeCode, types_in_progress_forget_what_is_complete_only_inside_another) {
  TypesInProgress<int> types;
  const auto make = [&](int key, const auto& inside) {
    return types.make(key, true, [&] {
      inside();
      return of_long();
    });
  };
  const auto all = make(1, [&] {
    const auto second = make(2, [&] {
      EXPECT_FALSE(make(3, [&] { EXPECT_TRUE(types.encloses(2)); }).is_whole);
      EXPECT_FALSE(make(4, [&] { EXPECT_TRUE(types.encloses(1)); }).is_whole);
      EXPECT_TRUE(types.made_inside(3) && types.made_inside(4));
    });
    EXPECT_FALSE(second.is_whole) << "it contains 4, which refers to 1";
    EXPECT_FALSE(types.made_inside(3)) << "it refers to 2";
    EXPECT_TRUE(types.made_inside(2) && types.made_inside(4));
    EXPECT_THROW(make(5, [] { throw 0; }), int);
    EXPECT_FALSE(types.encloses(5));
  });
  EXPECT_TRUE(all.is_whole);
  EXPECT_FALSE(types.made_inside(2) || types.made_inside(4));
  EXPECT_EQ(types.depth(), 0u);
}

TEST(TypeCode, a_type_that_doubles_itself_stays_small) {
  typecode_reference type = enum_of_two();
  for (int i = 0; i < 40; ++i) type = made(TCKind::tk_struct, std::to_string(i), {{"a", type}, {"b", type}});
  const Octets wire = encoded(type);
  EXPECT_GT(wire.size(), 0u);
  EXPECT_LT(wire.size(), 100000u);
  const auto back = decoded<typecode_reference>(wire);
  EXPECT_TRUE(back.whole) << to_text(back.error);
  EXPECT_TRUE(back.value == type);
}

TEST(TypeCode, nesting_has_an_end) {
  typecode_reference type = of_long();
  for (int i = 0; i < 63; ++i) type = sequence(type);
  expect_round_trip(type);
  EXPECT_TRUE(type->get_compact_typecode()->equal(type));
  EXPECT_THROW(sequence(type)->get_compact_typecode(), CORBA::IMP_LIMIT);
  EXPECT_THROW(make_recursion("IDL:N:1.0")->get_compact_typecode(), CORBA::BAD_TYPECODE);
  EXPECT_EQ(decoded<typecode_reference>(encoded(sequence(type))).error, Error::nesting);
}

TEST(TypeCode, malformed_ones_are_refused) {
  for (const char* text : {
           "00000025",                                      // unknown kind
           "ffffffff fffffffc",                             // an indirection to nothing
           "00000013 0000000c 00000000 00000000 00000000",  // a sequence of null
           "00000013 0000000c 00000000 ffffffff fffffff4",  // a sequence of itself
           "00000014 0000000c 00000000 00000003 00000000",  // an array of nothing
           "00000015 00000018 00000000 00000002 4c000000 00000002 4c000000 ffffffff ffffffe4",  // an alias of
                                                                                                // itself
           "0000001c 00200000",                                                                 // fixed<32>
           "0000000f 00000004 05000000",  // without byte order
           "0000000f 7fffffff 00000000",  // longer than the message
       })
    EXPECT_NE(decoded<typecode_reference>(octets(text)).error, Error::none) << text;
}

// omniORB's, of `union B switch (boolean) { case TRUE: double t; case FALSE: octet f; }`: the index of the
// default member is -2.
TEST(TypeCode, a_union_whose_labels_are_all_values_is_read) {
  const auto read = decoded<typecode_reference>(octets(
      "00000010 00000048 00000000 0000000a 49444c3a 423a312e 30000000 00000002 42000000 00000008 fffffffe"
      "00000002 01000000 00000002 74000000 00000007 00000000 00000002 66000000 0000000a"));
  ASSERT_TRUE(read.whole) << to_text(read.error);
  EXPECT_EQ(read.value->default_index(), -1);
  TypeCodeParts parts =
      parts_of(TCKind::tk_union, "B",
               {{"t", basic_typecode(TCKind::tk_double), 1}, {"f", basic_typecode(TCKind::tk_octet), 0}});
  parts.discriminator = basic_typecode(TCKind::tk_boolean);
  EXPECT_TRUE(read.value->equal(make_typecode(std::move(parts))));
}

// omniORB's, of `typedef sequence<Node> Nodes; struct Node { Nodes kids; }`: the indirection is to Nodes.
TEST(TypeCode, an_indirection_may_lead_to_the_name_of_a_sequence_around_it) {
  const auto read = decoded<typecode_reference>(octets(
      "00000015 00000078 00000000 0000000e 49444c3a 4e6f6465 733a312e 30000000 00000006 4e6f6465 73000000"
      "00000013 0000004c 00000000 0000000f 0000003c 00000000 0000000d 49444c3a 4e6f6465 3a312e30 00000000"
      "00000005 4e6f6465 00000000 00000001 00000005 6b696473 00000000 ffffffff ffffff88 00000000"));
  ASSERT_TRUE(read.whole) << to_text(read.error);
  const auto nodes_of = [](typecode_reference node) {
    return make_alias("IDL:Nodes:1.0", "Nodes", sequence(std::move(node)));
  };
  const auto nodes =
      nodes_of(made(TCKind::tk_struct, "Node", {{"kids", nodes_of(make_recursion("IDL:Node:1.0"))}}));
  EXPECT_TRUE(read.value->equal(nodes));
  EXPECT_TRUE(read.value->equivalent(nodes));
  EXPECT_EQ(hex(encoded(read.value)), hex(encoded(nodes)));
  expect_round_trip(read.value);
  // A part keeps the whole.
  auto kids = through_the_wire(read.value, ByteOrder::big)->content_type()->content_type()->member_type(0);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(kids->name(), "Nodes");
    kids = kids->content_type()->content_type()->member_type(0);
  }
}

TEST(TypeCode, equivalence_looks_through_aliases_and_names) {
  const auto plain = made(TCKind::tk_struct, "S", {{"a", of_long()}});
  const auto aliased = made(TCKind::tk_struct, "S", {{"b", make_alias("IDL:L:1.0", "L", of_long())}});
  EXPECT_FALSE(plain->equal(aliased));
  EXPECT_TRUE(plain->equivalent(aliased));
  EXPECT_TRUE(make_alias("IDL:T:1.0", "T", plain)->equivalent(aliased));
  EXPECT_FALSE(plain->equivalent(made(TCKind::tk_struct, "T", {{"a", of_long()}})));
  EXPECT_TRUE(sequence(of_long())->equivalent(sequence(make_alias("IDL:L:1.0", "L", of_long()))));
  EXPECT_FALSE(sequence(of_long())->equivalent(sequence_typecode(of_long(), 5)));
}

TEST(TypeCode, compact_ones_have_no_names) {
  const auto compact = made(TCKind::tk_struct, "S", {{"a", enum_of_two()}})->get_compact_typecode();
  EXPECT_EQ(compact->name(), "");
  EXPECT_EQ(compact->member_name(0), "");
  EXPECT_EQ(compact->id(), "IDL:S:1.0");
}

TEST(TypeCode, parts_that_a_kind_does_not_have_are_BadKind) {
  EXPECT_THROW(of_long()->id(), CORBA::TypeCode::BadKind);
  EXPECT_THROW(of_long()->member_count(), CORBA::TypeCode::BadKind);
  EXPECT_THROW(enum_of_two()->member_type(0), CORBA::TypeCode::BadKind);
  EXPECT_THROW(enum_of_two()->member_name(2), CORBA::TypeCode::Bounds);
  EXPECT_THROW(typecode_reference()->kind(), CORBA::BAD_PARAM);
}

TEST(TypeCode, a_label_has_the_type_of_the_discriminator) {
  const auto label_of = [](const typecode_reference& discriminator) {
    const auto type = union_of(discriminator, {{.name = "m", .type = of_long(), .label = 65}}, -1);
    const CORBA::Any label = type->member_label(0);
    EXPECT_TRUE(label.type() == discriminator);
    Octets content = encoded(label);
    const std::size_t of_type = encoded(discriminator).size();
    content.erase(content.begin(), content.begin() + static_cast<std::ptrdiff_t>(of_type));
    return hex(content);
  };
  for (const TCKind kind : {TCKind::tk_char, TCKind::tk_octet})
    EXPECT_EQ(label_of(basic_typecode(kind)), hex("41"));
  EXPECT_EQ(label_of(basic_typecode(TCKind::tk_wchar)), hex("02 0041"));
  for (const TCKind kind : {TCKind::tk_short, TCKind::tk_ushort})
    EXPECT_EQ(label_of(basic_typecode(kind)), hex("0041"));
  for (const TCKind kind : {TCKind::tk_long, TCKind::tk_ulong})
    EXPECT_EQ(label_of(basic_typecode(kind)), hex("00000041"));
  for (const TCKind kind : {TCKind::tk_longlong, TCKind::tk_ulonglong})
    EXPECT_EQ(label_of(basic_typecode(kind)), hex("00000000 0000000000000041")) << "behind its padding";
}

TEST(TypeCode, labels_are_anys) {
  const auto type =
      union_of(basic_typecode(TCKind::tk_short), {{"a", of_long(), -2}, {"b", of_long(), 0}}, 1);
  std::int16_t label = 0;
  EXPECT_TRUE(type->member_label(0) >>= label);
  EXPECT_EQ(label, -2);
  std::uint8_t of_default = 1;
  EXPECT_TRUE(type->member_label(1) >>= of_default);
  EXPECT_EQ(of_default, 0);
  EXPECT_THROW(union_of(of_long(), {{"a", of_long(), 1}, {"b", of_long(), 1}}, -1), CORBA::BAD_PARAM);
}

}  // namespace
}  // namespace takt::cdr::test
