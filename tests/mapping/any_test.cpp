// Values that move into an Any, and TypeCodes as parameters.
#include <takt/reference/orb_types.h>

#include "objectsC.h"
#include "passing.h"
#include "typesC.h"
#include "valuesC.h"

namespace {

using namespace mapping_test;

template <class T>
T in(const CORBA::Any& any) {
  T value{};
  EXPECT_TRUE(any >>= value);
  return value;
}

TEST(MoveIntoAny, LeavesNothingBehind) {
  CORBA::Any any;
  std::string text(1000, 'x');
  any <<= std::move(text);
  EXPECT_TRUE(text.empty());
  EXPECT_EQ(in<std::string>(any), std::string(1000, 'x'));
  Types::Octets octets(1000, 7);
  any <<= std::move(octets);
  EXPECT_EQ(octets.capacity(), 0u) << "its memory is free";
  EXPECT_EQ(in<Types::Octets>(any), Types::Octets(1000, 7));
  auto value = CORBA::make_reference<Values::obv::Node>();
  const auto weak = value.weak_reference();
  CORBA::valuetype_reference<Values::Node> node = value;
  any <<= std::move(node);
  EXPECT_FALSE(node);
  EXPECT_EQ(in<Values::Node::_ref_type>(any), value);
}

TEST(MoveIntoAny, CopiesWhatIsNotMoved) {
  CORBA::Any any;
  const std::string fixed(100, 'y');
  any <<= fixed;
  any <<= std::move(fixed);  // NOLINT: constants cannot be moved
  EXPECT_EQ(fixed, std::string(100, 'y'));
  std::string text(100, 'z');
  any <<= text;
  EXPECT_EQ(text, std::string(100, 'z'));
}

TEST(MoveIntoAny, LeavesAValueThatCannotBeInserted) {
  CORBA::Any any;
  Types::ShortText text("far too long for its bound, which is checked when it is inserted");
  const auto before = text;
  EXPECT_THROW(any <<= std::move(text), CORBA::SystemException);
  EXPECT_EQ(text, before);
  EXPECT_EQ(any.type(), CORBA::_tc_null);
}

TEST(ExceptionsInAnAny, NeedOnlyTheirBaseClass) {
  const Types::Failed failed("no", Types::Point(1, 2));
  const CORBA::UserException& base = failed;
  CORBA::Any any;
  any <<= base;
  EXPECT_EQ(any.type(), Types::_tc_Failed);
  EXPECT_EQ(in<Types::Failed>(any), failed);
  CORBA::Any same;
  same <<= failed;
  EXPECT_EQ(any, same);
  const Objects::Base::Refused refused(Objects::Base::Note("why", Objects::Base::Mood::wild));
  try {
    refused._raise();
  } catch (const CORBA::UserException& caught) {
    any <<= caught;
  }
  EXPECT_EQ(in<Objects::Base::Refused>(any), refused);
  any <<= static_cast<const CORBA::UserException&>(Types::Plain());
  EXPECT_EQ(in<Types::Plain>(any), Types::Plain());
}

TEST(ExceptionsInAnAny, KeepTheirValues) {
  auto part = CORBA::make_reference<Values::obv::Base>();
  const Values::Broken broken(part);
  CORBA::Any any;
  any <<= static_cast<const CORBA::UserException&>(broken);
  EXPECT_EQ(in<Values::Broken>(any).part(), part);
}

TEST(ExceptionsInAnAny, MustBeGenerated) {
  CORBA::Any any;
  try {
    any <<= static_cast<const CORBA::UserException&>(CORBA::ORB::InvalidName());
    FAIL();
  } catch (const CORBA::NO_IMPLEMENT& refused) {
    EXPECT_EQ(
        refused.detail(),
        "IDL:omg.org/CORBA/ORB/InvalidName:1.0 cannot be put into an Any, because takt-idl did not generate "
        "its class");
  }
  EXPECT_EQ(any.type(), CORBA::_tc_null);
}

TEST(KindsOfTypes, AreAnEnum) {
  CORBA::Any any;
  any <<= CORBA::TCKind::tk_event;
  EXPECT_EQ(any.type(), CORBA::_tc_TCKind);
  EXPECT_EQ(CORBA::_tc_TCKind->member_count(), 37u);
  EXPECT_EQ(in<CORBA::TCKind>(any), CORBA::TCKind::tk_event);
  EXPECT_EQ(text_of(CORBA::TCKind::tk_null), "CORBA::TCKind::tk_null");
  expect_round_trip(CORBA::TCKind::tk_local_interface);
}

TEST(TypeCodeConstants, StandForEveryBasicType) {
  EXPECT_EQ(CORBA::_tc_longlong, IDL::type_code<std::int64_t>());
  EXPECT_EQ(CORBA::_tc_octet, IDL::type_code<std::uint8_t>());
  EXPECT_EQ(CORBA::_tc_wstring, IDL::type_code<std::wstring>());
  EXPECT_EQ(CORBA::_tc_any, IDL::type_code<CORBA::Any>());
  EXPECT_EQ(CORBA::_tc_TypeCode, IDL::type_code<CORBA::typecode_reference>());
  EXPECT_EQ(CORBA::_tc_Object->id(), "IDL:omg.org/CORBA/Object:1.0");
  EXPECT_EQ(CORBA::_tc_void->kind(), CORBA::TCKind::tk_void);
}

TEST(TypeCodeTraits, AreThoseOfAReference) {
  using Traits = IDL::traits<CORBA::TypeCode>;
  static_assert(std::is_same_v<Traits::ref_type, CORBA::typecode_reference>);
  static_assert(std::is_same_v<Traits::value_type, CORBA::typecode_reference>);
  static_assert(std::is_same_v<Traits::in_type, CORBA::typecode_reference>);
  static_assert(std::is_same_v<Traits::out_type, CORBA::typecode_reference&>);
  static_assert(
      std::is_same_v<IDL::traits<CORBA::typecode_reference>::inout_type, CORBA::typecode_reference&>);
  Traits::ref_type one = CORBA::_tc_long, other = nullptr;
  one.swap(other);
  EXPECT_FALSE(one);
  EXPECT_EQ(other->kind(), CORBA::TCKind::tk_long);
  EXPECT_EQ(text_of(CORBA::typecode_reference(Types::_tc_Point)), "typecode IDL:Types/Point:1.0");
}

}  // namespace
