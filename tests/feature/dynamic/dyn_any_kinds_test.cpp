// For every kind, a value has the same octets after a DynAny was closed, opened or composed again.
#include "dyn_any.h"
#include "samples.h"
#include "value_kinds.h"

namespace feature {
namespace {

// Opens all components, at any depth, so that nothing is left of the Any that it was made of.
void open(const DynAnyRef& any, int depth = 0) {
  if (depth > 20) return;
  const std::uint32_t count = any->component_count();
  for (std::uint32_t i = 0; i < count; ++i) {
    ASSERT_TRUE(any->seek(static_cast<std::int32_t>(i)));
    open(any->current_component(), depth + 1);
  }
  EXPECT_EQ(any->seek(0), count != 0);
}

// The members and elements as Anys, and these as another DynAny's.
DynAnyRef rebuilt(DynAnyFactory& factory, const DynAnyRef& any) {
  if (const auto value = as<DynValueCommon>(any); value && value->is_null())
    return factory.create_dyn_any_from_type_code(any->type());
  DynAnyRef made = factory.create_dyn_any_from_type_code(any->type());
  if (const auto members = as<DynStruct>(any))
    as<DynStruct>(made)->set_members(members->get_members());
  else if (const auto value = as<DynValue>(any))
    as<DynValue>(made)->set_members_as_dyn_any(value->get_members_as_dyn_any());
  else if (const auto box = as<DynValueBox>(any))
    as<DynValueBox>(made)->set_boxed_value(box->get_boxed_value());
  else if (const auto sequence = as<DynSequence>(any))
    as<DynSequence>(made)->set_elements(sequence->get_elements());
  else if (const auto array = as<DynArray>(any))
    as<DynArray>(made)->set_elements_as_dyn_any(array->get_elements_as_dyn_any());
  else if (const auto number = as<DynEnum>(any))
    as<DynEnum>(made)->set_as_string(number->get_as_string());
  else if (const auto fixed = as<DynFixed>(any))
    EXPECT_TRUE(as<DynFixed>(made)->set_value(fixed->get_value()));
  else
    made->assign(any);
  return made;
}

struct Kinds : DynAnys {
  void expect_same(const CORBA::Any& any) {
    const auto before = octets_of(any);
    const auto closed = factory->create_dyn_any(any);
    EXPECT_EQ(octets_of(closed->to_any()), before);
    const auto opened = factory->create_dyn_any(any);
    open(opened);
    EXPECT_EQ(octets_of(opened->to_any()), before) << "kind " << static_cast<int>(any.type()->kind());
    EXPECT_EQ(octets_of(opened->copy()->to_any()), before);
    EXPECT_TRUE(opened->equal(closed) && closed->equal(opened));
    EXPECT_EQ(octets_of(rebuilt(*factory, opened)->to_any()), before)
        << "kind " << static_cast<int>(any.type()->kind());
    const auto initial = factory->create_dyn_any_from_type_code(any.type());
    EXPECT_EQ(octets_of(initial->to_any()), octets_of(initial->copy()->to_any()));
    open(initial);
    initial->assign(closed);
    EXPECT_EQ(octets_of(initial->to_any()), before);
  }
  template <class T>
  void expect_same_of(const T& value) {
    expect_same(any_of(value));
  }
};

TEST_F(Kinds, OfBasicTypes) {
  expect_same({});
  expect_same_of(true);
  expect_same_of('x');
  expect_same_of(L'\u20ac');
  expect_same_of(std::uint8_t{255});
  expect_same_of(std::int16_t{-2});
  expect_same_of(std::uint16_t{2});
  expect_same_of(std::int32_t{-70000});
  expect_same_of(std::uint32_t{70000});
  expect_same_of(std::int64_t{-5});
  expect_same_of(std::uint64_t{5});
  expect_same_of(1.5f);
  expect_same_of(-2.25);
  expect_same_of(3.125L);
  expect_same_of(std::string("text"));
  expect_same_of(std::wstring(L"caf\u00e9"));
  expect_same_of(any_of(std::int32_t{3}));
  expect_same_of(IDL::type_code<Types::Tree>());
  expect_same_of(IDL::traits<CORBA::Object>::ref_type());
  expect_same_of(Types::Colour::blue);
  expect_same_of(Types::Price("-123.45"));
  expect_same_of(Types::ShortText("abcde"));
}

TEST_F(Kinds, OfWhatConsistsOfOthers) {
  expect_same_of(mapping_test::primitives());
  expect_same_of(mapping_test::everything());
  expect_same_of(mapping_test::tree());
  expect_same_of(Types::Failed("because", {1, 2}));
  expect_same_of(Types::Plain());
  Types::Number number;
  expect_same_of(number);
  number.l(5, 2);
  expect_same_of(number);
  Types::Node node, leaf;
  leaf.leaf(3);
  node.nodes({leaf, leaf});
  expect_same_of(node);
  expect_same_of(std::vector<CORBA::Any>{any_of(node), any_of(std::string("x")), {}});
  expect_same_of(std::vector<std::uint8_t>(300, 7));
}

TEST_F(Kinds, OfValues) {
  using namespace mapping_test;
  expect_same_of(IDL::traits<Values::Node>::ref_type());
  expect_same_of(mapping_test::node(1, mapping_test::node(2)));
  const auto inner = CORBA::make_reference<Values::obv::Base>(std::uint8_t{3}, "secret");
  IDL::traits<Values::Base>::ref_type none;
  expect_same_of(
      CORBA::make_reference<Values::obv::Derived>(std::uint8_t{1}, "s", 2.5, Values::Point(1, 2), none));
  expect_same_of(IDL::traits<Values::Base>::ref_type(inner));
  expect_same_of(CORBA::make_reference<Values::Text>("boxed"));
  expect_same_of(CORBA::make_reference<Values::Numbers>(Values::Longs{1, 2, 3}));
  expect_same_of(CORBA::make_reference<Values::Place>(Values::Point(3, 4)));
  expect_same_of(CORBA::make_reference<Values::obv::Empty>());
  Values::Holder holder;
  holder.one(mapping_test::node(5));
  holder.many({mapping_test::node(6), {}});
  holder.label(CORBA::make_reference<Values::Text>("label"));
  expect_same_of(holder);
}

}  // namespace
}  // namespace feature
