#include "objectsC.h"
#include "round_trip.h"
#include "samples.h"

namespace {

using Kind = CORBA::TCKind;

TEST(TypeCodes, OfStructs) {
  const auto type = IDL::type_code<Types::Point>();
  EXPECT_EQ(type->kind(), Kind::tk_struct);
  EXPECT_EQ(type->id(), "IDL:Types/Point:1.0");
  EXPECT_EQ(type->name(), "Point");
  ASSERT_EQ(type->member_count(), 2u);
  EXPECT_EQ(type->member_name(1), "y");
  EXPECT_EQ(type->member_type(0)->kind(), Kind::tk_long);
  EXPECT_TRUE(type == IDL::type_code<Types::Point>());
  EXPECT_FALSE(type == IDL::type_code<Types::Point3>());
  EXPECT_EQ(IDL::type_code<Types::Point3>()->member_count(), 3u);
}

TEST(TypeCodes, KeepAliases) {
  const CORBA::typecode_reference octets = Types::_tc_Octets;
  EXPECT_EQ(octets->kind(), Kind::tk_alias);
  EXPECT_EQ(octets->content_type()->kind(), Kind::tk_sequence);
  EXPECT_TRUE(octets->equivalent(IDL::type_code<Types::Octets>()));
  EXPECT_FALSE(octets->equal(IDL::type_code<Types::Octets>()));
  EXPECT_EQ(Types::_tc_Everything->member_type(2)->kind(), Kind::tk_alias);
  EXPECT_EQ(Types::_tc_Everything->member_type(5)->content_type()->length(), 3u);
}

TEST(TypeCodes, TheirConstantsStandForThem) {
  EXPECT_TRUE(Types::_tc_Octets == CORBA::typecode_reference(Types::_tc_Octets));
  EXPECT_FALSE(Types::_tc_Octets == IDL::type_code<Types::Octets>());  // not an alias
  EXPECT_TRUE(Types::_tc_Point == IDL::type_code<Types::Point>());
  EXPECT_EQ(Types::_tc_Point().get(), IDL::type_code<Types::Point>().get());
}

TEST(TypeCodes, OfEnumsAndUnions) {
  const auto colour = IDL::type_code<Types::Colour>();
  EXPECT_EQ(colour->kind(), Kind::tk_enum);
  EXPECT_EQ(colour->member_name(2), "blue");
  const auto number = IDL::type_code<Types::Number>();
  EXPECT_EQ(number->kind(), Kind::tk_union);
  EXPECT_EQ(number->member_count(), 4u);
  EXPECT_EQ(number->default_index(), 3);
  EXPECT_EQ(number->discriminator_type()->kind(), Kind::tk_long);
  EXPECT_EQ(IDL::type_code<Types::Implicit>()->default_index(), -1);
}

TEST(TypeCodes, OfUnionsHaveTheLabelsOfTheirArms) {
  const auto letter = IDL::type_code<Types::Letter>();
  char of_letter = 0;
  EXPECT_TRUE(letter->member_label(1) >>= of_letter);
  EXPECT_EQ(of_letter, 'b');
  const auto node = IDL::type_code<Types::Node>();
  std::uint8_t of_octet = 0;
  EXPECT_TRUE(node->member_label(1) >>= of_octet);
  EXPECT_EQ(of_octet, 1);
}

TEST(TypeCodes, OfRecursiveTypes) {
  const auto tree = IDL::type_code<Types::Tree>();
  const auto children = tree->member_type(1)->content_type();
  EXPECT_EQ(children->kind(), Kind::tk_sequence);
  EXPECT_EQ(children->content_type()->name(), "Tree");
  EXPECT_TRUE(tree == IDL::type_code<Types::Tree>());
  const CORBA::typecode_reference trees = Types::_tc_Trees;
  EXPECT_EQ(trees->content_type()->content_type()->member_count(), 2u);
  EXPECT_EQ(IDL::type_code<Types::Node>()->member_type(1)->content_type()->name(), "Node");
}

TEST(TypeCodes, OfExceptionsInterfacesAndTheRest) {
  EXPECT_EQ(IDL::type_code<Types::Failed>()->kind(), Kind::tk_except);
  EXPECT_EQ(IDL::type_code<CORBA::object_reference<Objects::Base>>()->kind(), Kind::tk_objref);
  EXPECT_EQ(IDL::type_code<CORBA::object_reference<Objects::Base>>()->id(), "IDL:Objects/Base:1.0");
  EXPECT_EQ(IDL::type_code<CORBA::object_reference<CORBA::Object>>()->name(), "Object");
  EXPECT_EQ(Objects::_tc_Here->kind(), Kind::tk_local_interface);
  EXPECT_EQ(IDL::type_code<Types::Price>()->fixed_digits(), 5);
  EXPECT_EQ(IDL::type_code<Types::ShortText>()->length(), 5u);
  EXPECT_EQ(IDL::type_code<Types::Matrix>()->content_type()->length(), 3u);
  EXPECT_EQ(IDL::type_code<Types::Rights>()->kind(), Kind::tk_ulong);
  EXPECT_EQ(Objects::Base::_tc_Mood->name(), "Mood");
}

TEST(TypeCodes, OfOptionalMembersAreUnionsOfABooleanAndTheValue) {
  const auto number = IDL::type_code<Types::Maybe>()->member_type(0);
  ASSERT_EQ(number->kind(), Kind::tk_union);
  EXPECT_EQ(number->discriminator_type()->kind(), Kind::tk_boolean);
  EXPECT_EQ(number->default_index(), -1);
  ASSERT_EQ(number->member_count(), 1u);
  EXPECT_EQ(number->member_type(0)->kind(), Kind::tk_long);
  EXPECT_EQ(IDL::type_code<Types::Maybe>()->member_type(2)->kind(), Kind::tk_long);
}

TEST(TypeCodes, OfOptionalMembersDescribeTheOctetsOfAnAny) {
  Types::Maybe maybe;
  maybe.text("here");
  CORBA::Any written, read, copied;
  written <<= maybe;
  using mapping_test::decode, mapping_test::encoded;
  constexpr auto little = takt::cdr::ByteOrder::little, big = takt::cdr::ByteOrder::big;
  ASSERT_TRUE(decode(encoded(written, little), little, read));
  // In the other byte order, the Any is copied as its TypeCode says.
  ASSERT_TRUE(decode(encoded(read, big), big, copied));
  Types::Maybe again;
  ASSERT_TRUE(copied >>= again);
  EXPECT_EQ(again, maybe);
}

TEST(TypeCodes, Travel) {
  for (const auto& type :
       {CORBA::typecode_reference(Types::_tc_Everything), CORBA::typecode_reference(Types::_tc_Tree),
        CORBA::typecode_reference(Types::_tc_Number), CORBA::typecode_reference(Objects::Base::_tc_Choice)})
    for (const auto order : {takt::cdr::ByteOrder::big, takt::cdr::ByteOrder::little}) {
      CORBA::typecode_reference read;
      EXPECT_TRUE(mapping_test::decode(mapping_test::encoded(type, order), order, read));
      EXPECT_TRUE(read == type);
    }
}

}  // namespace
