// Unions as DynAnys.
#include "dyn_any.h"
#include "samples.h"

namespace feature {
namespace {

struct DynUnions : DynAnys {
  DynAnyRef number(std::int32_t value) { return of(value); }
};

TEST_F(DynUnions, BeginWithTheirFirstMember) {
  const auto number = make<DynUnion>(IDL::type_code<Types::Number>());
  EXPECT_EQ(number->component_count(), 2u);
  EXPECT_EQ(number->get_discriminator()->get_long(), 1);
  EXPECT_EQ(number->member_name(), "l");
  EXPECT_EQ(number->member_kind(), TCKind::tk_long);
  EXPECT_EQ(number->discriminator_kind(), TCKind::tk_long);
  EXPECT_TRUE(as<DynEnum>(make<DynUnion>(IDL::type_code<Types::Implicit>())->get_discriminator()));
}

TEST_F(DynUnions, ADiscriminatorSelectsTheMember) {
  const auto union_ = make<DynUnion>(IDL::type_code<Types::Number>());
  union_->member()->insert_long(7);
  union_->set_discriminator(number(2));  // selects the same member
  EXPECT_EQ(union_->member()->get_long(), 7);
  union_->insert_long(8);  // the position is at the member
  EXPECT_EQ(union_->member()->get_long(), 8);
  union_->set_discriminator(number(3));
  EXPECT_EQ(union_->member_name(), "s");
  EXPECT_EQ(union_->member()->get_string(), "");
  EXPECT_THROW(union_->set_discriminator(of(true)), DynAny::TypeMismatch);
  union_->get_discriminator()->insert_long(99);
  EXPECT_EQ(union_->member_name(), "d");
  EXPECT_EQ(value_in<Types::Number>(union_->to_any())._d(), 99);
}

TEST_F(DynUnions, HaveADefaultMember) {
  const auto union_ = make<DynUnion>(IDL::type_code<Types::Number>());
  union_->set_to_default_member();
  EXPECT_EQ(union_->member_name(), "d");
  EXPECT_EQ(union_->get_discriminator()->get_long(), 0);
  EXPECT_THROW(union_->set_to_no_active_member(), DynAny::TypeMismatch);
  EXPECT_FALSE(union_->has_no_active_member());
  EXPECT_THROW(make<DynUnion>(IDL::type_code<Types::Implicit>())->set_to_default_member(),
               DynAny::TypeMismatch);
}

TEST_F(DynUnions, MayHaveNoActiveMember) {
  const auto union_ = make<DynUnion>(IDL::type_code<Types::Implicit>());
  union_->set_to_no_active_member();
  EXPECT_TRUE(union_->has_no_active_member());
  EXPECT_EQ(union_->component_count(), 1u);
  EXPECT_EQ(as<DynEnum>(union_->get_discriminator())->get_as_string(), "green");
  EXPECT_THROW(union_->member(), DynAny::InvalidValue);
  EXPECT_THROW(union_->member_name(), DynAny::InvalidValue);
  EXPECT_THROW(union_->member_kind(), DynAny::InvalidValue);
  EXPECT_EQ(value_in<Types::Implicit>(union_->to_any())._d(), Types::Colour::green);
  as<DynEnum>(union_->current_component())->set_as_string("blue");
  EXPECT_EQ(union_->member_name(), "many");
  EXPECT_THROW(make<DynUnion>(IDL::type_code<Types::Covered>())->set_to_no_active_member(),
               DynAny::TypeMismatch);
}

TEST_F(DynUnions, LoseTheMemberThatTheirPositionIsAt) {
  const auto type = orb->create_union_tc("IDL:U:1.0", "U", basic(TCKind::tk_long),
                                         {{"a", any_of(std::int32_t{1}), basic(TCKind::tk_long)}});
  const auto at_member = [&] {
    const auto union_ = make<DynUnion>(type);
    EXPECT_TRUE(union_->seek(1));
    union_->get_discriminator()->insert_long(9);  // selects no member
    return union_;
  };
  EXPECT_EQ(at_member()->current_component()->get_long(), 9);
  EXPECT_EQ(at_member()->get_long(), 9);
  const auto union_ = at_member();
  union_->insert_long(1);
  EXPECT_EQ(union_->get_discriminator()->get_long(), 1);
  EXPECT_EQ(union_->member_name(), "a");
}

TEST_F(DynUnions, AreEqualByDiscriminatorAndMember) {
  Types::Number one, other;
  one.l(5, 1);
  other.l(5, 2);
  EXPECT_TRUE(of(one)->equal(of(one)));
  EXPECT_FALSE(of(one)->equal(of(other)));
}

TEST_F(DynUnions, ADefaultThatComesFirstHasALabelOfItsOwn) {
  CORBA::Any none;
  none <<= std::uint8_t{0};
  const auto type = orb->create_union_tc(
      "IDL:U:1.0", "U", basic(TCKind::tk_boolean),
      {{"rest", none, basic(TCKind::tk_long)}, {"no", any_of(false), basic(TCKind::tk_string)}});
  const auto union_ = make<DynUnion>(type);
  EXPECT_EQ(union_->member_name(), "rest");
  EXPECT_TRUE(union_->get_discriminator()->get_boolean());
}

}  // namespace
}  // namespace feature
