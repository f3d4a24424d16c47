// Values as DynAnys.
#include "dyn_any.h"
#include "value_kinds.h"

namespace feature {
namespace {

using DynValues = DynAnys;
using NodeRef = IDL::traits<Values::Node>::ref_type;

TEST_F(DynValues, BeginAsNull) {
  const auto node = make<DynValue>(IDL::type_code<NodeRef>());
  EXPECT_TRUE(node->is_null());
  EXPECT_EQ(node->component_count(), 0u);
  EXPECT_FALSE(node->current_component());
  EXPECT_THROW(node->get_members(), DynAny::InvalidValue);
  EXPECT_FALSE(value_in<NodeRef>(node->to_any()));
  node->set_to_value();
  EXPECT_EQ(node->component_count(), 4u);
  node->insert_long(5);
  const auto made = value_in<NodeRef>(node->to_any());
  ASSERT_TRUE(made);
  EXPECT_EQ(made->number(), 5);
  EXPECT_FALSE(made->next());
  node->set_to_null();
  EXPECT_TRUE(node->is_null());
}

TEST_F(DynValues, AreTheSameUntilTheyAreChanged) {
  const auto before = mapping_test::node(1, mapping_test::node(2));
  const auto value = as<DynValue>(of(before));
  EXPECT_EQ(value->get_members().size(), 4u);
  EXPECT_EQ(value_in<NodeRef>(value->to_any()), before);
  value->insert_long(10);
  const auto after = value_in<NodeRef>(value->to_any());
  ASSERT_TRUE(after);
  EXPECT_EQ(after->number(), 10);
  EXPECT_EQ(after->next()->number(), 2);
  EXPECT_EQ(before->number(), 1);
}

TEST_F(DynValues, HaveTheMembersOfTheirBases) {
  const auto derived = make<DynValue>(IDL::type_code<IDL::traits<Values::Further>::ref_type>());
  derived->set_to_value();
  EXPECT_EQ(derived->component_count(), 6u);
  EXPECT_EQ(derived->current_member_name(), "small");
  derived->insert_octet(9);
  derived->seek(2);
  EXPECT_EQ(derived->current_member_name(), "large");
  derived->insert_double(2.5);
  const auto made = value_in<IDL::traits<Values::Further>::ref_type>(derived->to_any());
  ASSERT_TRUE(made);
  EXPECT_EQ(made->small(), 9);
  EXPECT_EQ(made->large(), 2.5);
}

TEST_F(DynValues, BoxesHoldOneValue) {
  using TextRef = IDL::traits<Values::Text>::ref_type;
  const auto box = make<DynValueBox>(IDL::type_code<TextRef>());
  EXPECT_TRUE(box->is_null());
  EXPECT_THROW(box->get_boxed_value(), DynAny::InvalidValue);
  EXPECT_THROW(box->set_boxed_value(any_of(true)), DynAny::TypeMismatch);
  box->set_boxed_value(any_of(std::string("boxed")));
  EXPECT_FALSE(box->is_null());
  EXPECT_EQ(value_in<TextRef>(box->to_any())->_value(), "boxed");
  box->insert_string("other");
  EXPECT_EQ(value_in<std::string>(box->get_boxed_value()), "other");
  box->get_boxed_value_as_dyn_any()->insert_string("third");
  EXPECT_EQ(value_in<TextRef>(box->to_any())->_value(), "third");
  box->set_to_null();
  EXPECT_EQ(box->component_count(), 0u);
}

TEST_F(DynValues, AreInsertedByTheirType) {
  const auto node = make<DynAny>(IDL::type_code<NodeRef>());
  const auto inserted = mapping_test::node(7);
  node->insert_val(inserted);
  EXPECT_EQ(node->get_val(), CORBA::valuetype_reference<CORBA::ValueBase>(inserted));
  EXPECT_THROW(node->insert_val(CORBA::make_reference<Values::obv::Empty>()), DynAny::TypeMismatch);
  const auto holder = make<DynStruct>(IDL::type_code<Values::Holder>());
  holder->insert_val(inserted);
  EXPECT_EQ(value_in<Values::Holder>(holder->to_any()).one(), inserted);
}

TEST_F(DynValues, OfADerivedTypeWouldBeTruncated) {
  IDL::traits<Values::Base>::ref_type none;
  const IDL::traits<Values::Base>::ref_type derived =
      CORBA::make_reference<Values::obv::Derived>(std::uint8_t{1}, "s", 2.5, Values::Point(1, 2), none);
  EXPECT_THROW(factory->create_dyn_any_without_truncation(any_of(derived)), DynAnyFactory::MustTruncate);
  EXPECT_TRUE(factory->create_dyn_any_without_truncation(any_of(mapping_test::node(1))));
  const auto base = as<DynValue>(of(derived));
  EXPECT_EQ(base->component_count(), 2u);
  EXPECT_EQ((value_in<IDL::traits<Values::Base>::ref_type>(base->to_any())), derived);
}

TEST_F(DynValues, GivenOtherMembersAreOtherValues) {
  using BaseRef = IDL::traits<Values::Base>::ref_type;
  const BaseRef derived =
      CORBA::make_reference<Values::obv::Derived>(std::uint8_t{1}, "s", 2.5, Values::Point(1, 2), BaseRef());
  const auto value = as<DynValue>(of(derived));
  const auto members = value->get_members();
  value->from_any(any_of(BaseRef(CORBA::make_reference<Values::obv::Base>(std::uint8_t{5}, "t"))));
  value->set_members(members);
  const auto made = value_in<BaseRef>(value->to_any());
  ASSERT_TRUE(made);
  EXPECT_EQ(made->small(), 1);
  EXPECT_NE(made, derived) << "from_any() has replaced that";
  EXPECT_FALSE(IDL::traits<Values::Derived>::narrow(made));
}

TEST_F(DynValues, ThatMarshalThemselvesHaveNoComponents) {
  const auto packed = CORBA::make_reference<mapping_test::Packed>();
  packed->word("word");
  const auto value = of(IDL::traits<Values::Packed>::ref_type(packed));
  EXPECT_THROW(value->component_count(), CORBA::NO_IMPLEMENT);
  EXPECT_TRUE(value->equal(value->copy()));
}

}  // namespace
}  // namespace feature
