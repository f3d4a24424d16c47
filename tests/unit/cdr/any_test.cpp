#include <gtest/gtest.h>

#include "octets.h"
#include "values.h"

namespace takt::cdr::test {
namespace {

using CORBA::Any;
using CORBA::TCKind;

CORBA::typecode_reference value_type(TCKind kind, std::string name, std::vector<TypeCodeMember> members,
                                     CORBA::typecode_reference content = {}) {
  TypeCodeParts parts;
  parts.kind = kind;
  parts.id = "IDL:" + name + ":1.0";
  parts.name = std::move(name);
  parts.members = std::move(members);
  parts.content = std::move(content);
  return make_typecode(std::move(parts));
}
const CORBA::typecode_reference& basic(TCKind kind) { return basic_typecode(kind); }

CORBA::typecode_reference node_type() {
  return value_type(TCKind::tk_value, "Node",
                    {{"number", basic(TCKind::tk_long)},
                     {"text", basic(TCKind::tk_string)},
                     {"next", make_recursion("IDL:Node:1.0")},
                     {"more", sequence_typecode(make_recursion("IDL:Node:1.0"))}});
}

// Converts an encoding to another format, as an intermediate ORB does.
Octets passed_on(const Octets& wire, const Format& from, const Format& to) {
  const auto any = decoded<Any>(wire, from);
  EXPECT_TRUE(any.whole) << to_text(any.error);
  return encoded(any.value, to);
}

TEST(Any, is_null_at_first) {
  EXPECT_EQ(Any().type()->kind(), TCKind::tk_null);
  EXPECT_EQ(hex(encoded(Any())), hex("00000000"));
  std::int32_t number = 7;
  EXPECT_FALSE(Any() >>= number);
  EXPECT_EQ(number, 7);
}

TEST(Any, prints_its_type_and_value) {
  Any any;
  EXPECT_EQ(text_of(any), "any null");
  any <<= std::int32_t{-5};
  EXPECT_EQ(text_of(any), "any long -5");
  any <<= std::string("a\x1b[2J\"b");
  EXPECT_EQ(text_of(any), "any string \"a\\x1b[2J\"b\"");
  any <<= true;
  EXPECT_EQ(text_of(any), "any boolean true");
  any <<= 1.5;
  EXPECT_EQ(text_of(any), "any double 1.5");
  any <<= std::uint8_t{200};
  EXPECT_EQ(text_of(any), "any octet 200");
  any <<= std::vector<std::int32_t>{1, 2};
  EXPECT_EQ(text_of(any), "any sequence <1,2>");
  Any outer;
  outer <<= any;
  EXPECT_EQ(text_of(outer), "any any sequence <1,2>");
  any <<= std::wstring(L"\x20ac");
  EXPECT_EQ(text_of(any), "any wstring L\"\\u20ac\"");
}

TEST(Any, prints_structs_with_the_names_of_their_members) {
  TypeCodeParts parts;
  parts.kind = TCKind::tk_struct;
  parts.id = "IDL:M/S:1.0";
  parts.name = "S";
  parts.members = {{"n", basic(TCKind::tk_short)}, {"t", basic(TCKind::tk_string)}};
  auto content = std::make_shared<AnyContent>();
  content->octets = {7, 0, 0, 0, 2, 0, 0, 0, 'x', 0};
  EXPECT_EQ(text_of(Any(make_typecode(std::move(parts)), content)), "any M::S{n=7,t=\"x\"}");
}

// Each level is an Any in the one before.
TEST(Any, prints_no_deeper_than_eight_types) {
  Any any;
  any <<= std::int32_t{1};
  for (int i = 0; i < 20; ++i) {
    Any outer;
    outer <<= any;
    any = outer;
  }
  EXPECT_TRUE(text_of(any).ends_with("any ..."));
  EXPECT_LT(text_of(any).size(), 60u);
}

TEST(Any, prints_no_more_than_four_thousand_octets) {
  Any any;
  any <<= std::vector<std::int32_t>(100'000, 7);
  EXPECT_EQ(text_of(any).size(), 4003u);
  EXPECT_TRUE(text_of(any).ends_with("..."));
}

// The content may end before its type says so only if a program made it so.
TEST(Any, prints_content_that_ends_early_as_far_as_it_goes) {
  auto content = std::make_shared<AnyContent>();
  content->octets = {1, 0};
  EXPECT_TRUE(text_of(Any(basic(TCKind::tk_long), content)).starts_with("any long"));
}

// This machine's long double has fewer bits than the encoding.
TEST(Any, keeps_all_of_a_long_double_that_passes_through) {
  const Octets big = octets("00000019 00000000 3fff234567 89abcd ef01234567 89abcd");
  const Octets little = octets("19000000 00000000 cdab8967452301ef cdab89674523ff3f");
  EXPECT_EQ(hex(passed_on(big, format(), format(ByteOrder::little))), hex(little));
  EXPECT_EQ(hex(passed_on(little, format(ByteOrder::little), format())), hex(big));
}

// The environment decides which references are inspected.
TEST(Any, lets_its_references_be_changed_as_they_pass_through) {
  struct Changing final : Environment {
    std::shared_ptr<CORBA::Object> object_from_ior(Ior&&) override { return nullptr; }
    std::shared_ptr<CORBA::ValueFactoryBase> value_factory(std::string_view) override { return nullptr; }
    void reference_copied(Ior& ior) override {
      ior.profiles.push_back({static_cast<std::uint32_t>(ior.profiles.size()), {}});
    }
  };
  static Changing environment;  // outlives the Any
  const auto object = make_named(TCKind::tk_objref, "IDL:O:1.0", "O");
  const auto holder = value_type(TCKind::tk_value, "V", {{"it", sequence_typecode(object)}});
  GatherBuffer buffer;
  Encoder out(buffer);
  write_typecode(out, holder);
  out.put(0x7fffff02u);
  out.put_raw_string("IDL:V:1.0");
  out.put(2u);
  write_ior(out, {"IDL:O:1.0", {}});
  write_ior(out, {"IDL:O:1.0", {{7, {1, 2, 3, 4}}}});
  const Octets wire(buffer.owned(), buffer.owned() + buffer.owned_size());
  Format changing;
  changing.environment = &environment;
  Decoder in(wire, 0, changing);
  Any any;
  ASSERT_TRUE(read_any(in, any));
  EXPECT_EQ(encoded(any, Format{}).size(), wire.size() + 16);  // two profiles without octets
}

TEST(Any, gives_back_what_was_put_in) {
  Any any;
  any <<= std::vector<std::string>{"a", "b"};
  std::vector<std::string> texts;
  EXPECT_TRUE(any >>= texts);
  EXPECT_EQ(texts.size(), 2u);
  std::vector<std::int32_t> others;
  EXPECT_FALSE(any >>= others);
  any <<= std::wstring(L"h\u00e9");
  std::wstring wide;
  EXPECT_TRUE(decoded<Any>(encoded(any)).value >>= wide);
  EXPECT_EQ(wide, L"h\u00e9");
}

TEST(Any, in_any) {
  Any inner, outer;
  inner <<= std::uint8_t{7};
  outer <<= inner;
  const auto back = decoded<Any>(encoded(outer));
  ASSERT_TRUE(back.whole);
  Any taken;
  std::uint8_t octet = 0;
  EXPECT_TRUE(back.value >>= taken);
  EXPECT_TRUE(taken >>= octet);
  EXPECT_EQ(octet, 7);
  EXPECT_TRUE(taken == inner);
}

TEST(Any, is_passed_on_in_another_order_and_version) {
  Any any;
  any <<= std::map<std::wstring, std::vector<std::int64_t>>{{L"a\u00e9", {1, -2}}, {L"b", {}}};
  const Format big = format(ByteOrder::big, 1), little = format(ByteOrder::little, 2);
  const Octets wire = encoded(any, big);
  EXPECT_EQ(hex(passed_on(passed_on(wire, big, little), little, big)), hex(wire));
}

TEST(Any, nesting_has_an_end) {
  Octets deep;
  for (int i = 0; i < 10000; ++i) deep.insert(deep.end(), {0, 0, 0, 11});
  deep.insert(deep.end(), {0, 0, 0, 0});
  EXPECT_EQ(decoded<Any>(deep).error, Error::nesting);
}

TEST(Any, its_type_can_become_an_alias) {
  Any any;
  any <<= std::int32_t{1};
  any.type(make_alias("IDL:A:1.0", "A", basic(TCKind::tk_long)));
  EXPECT_EQ(any.type()->kind(), TCKind::tk_alias);
  std::int32_t number = 0;
  EXPECT_TRUE(any >>= number);
  EXPECT_THROW(any.type(basic(TCKind::tk_short)), CORBA::BAD_TYPECODE);
}

// valuetype V; typedef V VAlias; valuetype V { public VAlias next; };
TEST(Any, an_alias_of_the_enclosing_value_is_that_value) {
  const auto alias = make_alias("IDL:VAlias:1.0", "VAlias", make_recursion("IDL:Node:1.0"));
  const auto node = value_type(TCKind::tk_value, "Node", {{"next", alias}});
  EXPECT_TRUE(node->member_type(0)->equivalent(node));
  EXPECT_TRUE(node->equivalent(node->member_type(0)));
  EXPECT_FALSE(node->member_type(0)->equal(node));
  const Any any = to_any(NodeRef(), node->member_type(0));
  EXPECT_EQ(text_of(any), text_of(to_any(NodeRef(), node)));
}

TEST(Any, of_enumerators_and_bounds_that_do_not_exist_is_refused) {
  TypeCodeParts e;
  e.kind = TCKind::tk_enum;
  e.members = {{"A"}};
  Octets wire = encoded(make_typecode(e));
  while (wire.size() % 4) wire.push_back(0);
  wire.insert(wire.end(), {0, 0, 0, 1});
  EXPECT_EQ(decoded<Any>(wire).error, Error::bad_enum);
  EXPECT_EQ(decoded<Any>(octets("00000012 00000001 00000003 616200")).error, Error::too_long);
  Any any;
  EXPECT_THROW(any <<= (IDL::bounded_string<1>("ab")), CORBA::SystemException);
}

TEST(Any, of_values_shares_them) {
  Factories factories;
  factories.add<Node>();
  Format how = format();
  how.environment = &factories;
  auto shared = CORBA::make_reference<Node>();
  shared->number = 7;
  const auto type = sequence_typecode(node_type());
  const Any any = to_any(std::vector<NodeRef>{shared, nullptr, shared}, type);
  const auto back = decoded<Any>(encoded(any, how), how);
  ASSERT_TRUE(back.whole) << to_text(back.error);
  ASSERT_EQ(back.value._content().values.size(), 2u);
  EXPECT_EQ(back.value._content().values[0], back.value._content().values[1]);
  EXPECT_TRUE(dynamic_cast<Node*>(back.value._content().values[0].get()));
}

TEST(Any, of_values_that_nobody_knows_passes_through) {
  auto first = CORBA::make_reference<Node>(), second = CORBA::make_reference<Node>();
  first->number = 1;
  first->text = "one";
  first->next = second;
  first->more = {second, nullptr};
  second->number = 2;
  const Octets wire = encoded(to_any(first, node_type()));
  const Format little = format(ByteOrder::little);
  EXPECT_EQ(hex(passed_on(passed_on(wire, format(), little), little, format())), hex(wire));
}

CORBA::typecode_reference derived_type(std::string name, CORBA::typecode_reference base,
                                       std::vector<TypeCodeMember> members) {
  return value_type(TCKind::tk_value, std::move(name), std::move(members), std::move(base));
}

// valuetype Component { public Node parent; public octet a; }; valuetype Node : Component { public long x; };
TEST(Any, of_a_value_with_a_member_of_a_derived_type_passes_through) {
  const auto node =
      derived_type("Node", make_recursion("IDL:Component:1.0"), {{"x", basic(TCKind::tk_long)}});
  const auto component = derived_type("Component", {}, {{"parent", node}, {"a", basic(TCKind::tk_octet)}});
  for (const auto& [type, state] :
       {std::pair(component, "7fffff00 7fffff00 00000000 02000000 00000007 01"),
        std::pair(component->member_type(0), "7fffff00 00000000 02000000 00000007")}) {
    Octets wire = encoded(type);
    while (wire.size() % 4) wire.push_back(0);
    const Octets value = octets(state);
    wire.insert(wire.end(), value.begin(), value.end());
    const Octets with_ids = passed_on(wire, format(), format());
    const Format little = format(ByteOrder::little);
    EXPECT_GT(with_ids.size(), wire.size());
    EXPECT_EQ(hex(passed_on(passed_on(with_ids, format(), little), little, format())), hex(with_ids));
  }
}

// struct S; typedef sequence<S> SSeq; valuetype V { public SSeq more; public long x; }; struct S { V val; };
CORBA::typecode_reference struct_around_a_value() {
  const auto value =
      value_type(TCKind::tk_value, "V",
                 {{"more", sequence_typecode(make_recursion("IDL:S:1.0"))}, {"x", basic(TCKind::tk_long)}});
  return value_type(TCKind::tk_struct, "S", {{"val", value}});
}

TEST(Any, a_value_that_nobody_knows_keeps_the_type_around_its_own) {
  Octets wire = encoded(struct_around_a_value());
  while (wire.size() % 4) wire.push_back(0);
  const Octets value = octets("7fffff02 0000000a 49444c3a563a312e30 000000 00000001 00000000 00000005");
  wire.insert(wire.end(), value.begin(), value.end());
  Octets nested = {0, 0, 0, 11};
  nested.insert(nested.end(), wire.begin(), wire.end());
  EXPECT_EQ(hex(passed_on(nested, format(), format())), hex(nested));
  Any any = decoded<Any>(wire).value;
  any.type(struct_around_a_value());  // an equivalent type; the received one goes
  EXPECT_EQ(hex(encoded(any)), hex(wire));
}

// The TypeCode names the base to which Long may be truncated.
CORBA::typecode_reference long_type() {
  TypeCodeParts parts;
  parts.kind = TCKind::tk_value;
  parts.id = "IDL:Long:1.0";
  parts.modifier = CORBA::VM_TRUNCATABLE;
  parts.content = value_type(TCKind::tk_value, "Base", {{"a", basic(TCKind::tk_octet)}});
  parts.members = {{"octets", sequence_typecode(basic(TCKind::tk_octet))},
                   {"after", basic(TCKind::tk_string)}};
  return make_typecode(std::move(parts));
}

TEST(Any, of_a_value_that_nobody_knows_can_be_truncated_by_its_next_receiver) {
  auto value = CORBA::make_reference<Long>();
  value->a = 5;
  value->octets = {1, 2, 3};
  value->after = "end";
  const Octets wire = encoded(to_any(value, long_type()));
  const auto any = decoded<Any>(wire);
  ASSERT_TRUE(any.whole) << to_text(any.error);
  EXPECT_EQ(hex(encoded(any.value)), hex(wire));
  const CORBA::valuetype_reference<CORBA::ValueBase> unknown(any.value._content().values.at(0));
  for (const auto& passed : {unknown, unknown->_copy_value()}) {
    EXPECT_EQ(hex(encoded(passed)), hex(encoded(value)));
    const auto base = decoded<BaseRef>(encoded(passed));
    ASSERT_TRUE(base.whole) << to_text(base.error);
    EXPECT_EQ(base.value->a, 5);
  }
}

TEST(Any, with_a_value_inside_a_chunked_value_is_chunked_too) {
  // A value in an Any may share values with its surroundings, so it must be read together with them.
  class Holder : public virtual CORBA::ValueBase {
   public:
    Any any;
    const ValueDescription& _value_type() const override { return Derived::_value_description; }
    void _write_state(Encoder& to) const override { write_members(to, any); }
    bool _read_state(Decoder& from) override { return read_members(from, any); }
  };
  auto holder = CORBA::make_reference<Holder>();
  auto inner = CORBA::make_reference<Node>();
  inner->number = 3;
  holder->any = to_any(inner, node_type());
  const Octets wire = encoded(CORBA::valuetype_reference<CORBA::ValueBase>(holder));
  Factories factories;
  factories.add<Node>();
  Format how = format();
  how.environment = &factories;
  auto back = std::make_shared<Holder>();
  static CORBA::valuetype_reference<CORBA::ValueBase> made;
  made = CORBA::valuetype_reference<CORBA::ValueBase>(back);
  Decoder decoder(wire, 0, how);
  const auto value = read_value(decoder, {"IDL:Derived:1.0", [] { return made.shared(); }});
  EXPECT_TRUE(decoder.ok()) << to_text(decoder.error());
  ASSERT_EQ(back->any._content().values.size(), 1u);
  EXPECT_EQ(dynamic_cast<Node&>(*back->any._content().values[0]).number, 3);
  made.reset();
}

}  // namespace
}  // namespace takt::cdr::test
