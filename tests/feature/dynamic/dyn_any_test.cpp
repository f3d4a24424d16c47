// Positions, types and errors of DynAnys (CORBA 3.0.3, chapter 9).
#include <limits>

#include "dyn_any.h"
#include "samples.h"

namespace feature {
namespace {

using DynAnyTest = DynAnys;

TEST_F(DynAnyTest, BeginsWithTheInitialValueOfItsType) {
  EXPECT_EQ(make<DynAny>(basic(TCKind::tk_long))->get_long(), 0);
  EXPECT_EQ(make<DynAny>(basic(TCKind::tk_string))->get_string(), "");
  EXPECT_EQ(make<DynAny>(basic(TCKind::tk_wstring))->get_wstring(), L"");
  EXPECT_EQ(make<DynAny>(basic(TCKind::tk_TypeCode))->get_typecode()->kind(), TCKind::tk_null);
  EXPECT_EQ(make<DynAny>(basic(TCKind::tk_any))->get_any().type()->kind(), TCKind::tk_null);
  EXPECT_FALSE(make<DynAny>(IDL::type_code<IDL::traits<CORBA::Object>::ref_type>())->get_reference());
  EXPECT_EQ(make<DynEnum>(IDL::type_code<Types::Colour>())->get_as_string(), "red");
  EXPECT_EQ(make<DynFixed>(IDL::type_code<Types::Price>())->get_value(), "0");
  EXPECT_EQ(make<DynSequence>(IDL::type_code<Types::Points>())->get_length(), 0u);
  const auto matrix = make<DynArray>(IDL::type_code<Types::Matrix>());
  EXPECT_EQ(matrix->component_count(), 2u);
  EXPECT_EQ(value_in<Types::Matrix>(matrix->to_any()), Types::Matrix());
  const auto everything = make<DynStruct>(IDL::type_code<Types::Everything>());
  EXPECT_EQ(value_in<Types::Everything>(everything->to_any()).each(), Types::Price(0));
}

TEST_F(DynAnyTest, MovesOverComponents) {
  const auto point = make<DynStruct>(IDL::type_code<Types::Point>());
  point->insert_long(3);
  EXPECT_EQ(point->current_member_name(), "x");
  EXPECT_TRUE(point->next());
  point->insert_long(4);
  EXPECT_EQ(point->current_member_kind(), TCKind::tk_long);
  EXPECT_FALSE(point->next());
  EXPECT_FALSE(point->current_component());
  EXPECT_THROW(point->insert_long(5), DynAny::InvalidValue);
  EXPECT_THROW(point->current_member_name(), DynAny::InvalidValue);
  EXPECT_TRUE(point->next());
  EXPECT_EQ(point->get_long(), 3);
  EXPECT_FALSE(point->seek(-2));
  EXPECT_FALSE(point->seek(2));
  point->rewind();
  EXPECT_EQ(point->get_long(), 3);
  const auto made = value_in<Types::Point>(point->to_any());
  EXPECT_EQ(made.x(), 3);
  EXPECT_EQ(made.y(), 4);
}

TEST_F(DynAnyTest, OfOneValueHasNoComponents) {
  const auto number = of(std::int32_t{3});
  EXPECT_EQ(number->component_count(), 0u);
  EXPECT_FALSE(number->seek(0));
  EXPECT_FALSE(number->next());
  EXPECT_THROW(number->current_component(), DynAny::TypeMismatch);
  EXPECT_THROW(of(Types::Colour::red)->current_component(), DynAny::TypeMismatch);
  EXPECT_THROW(of(Types::Plain())->current_component(), DynAny::TypeMismatch);
  EXPECT_THROW(as<DynStruct>(of(Types::Plain()))->current_member_name(), DynAny::TypeMismatch);
  EXPECT_THROW(number->insert_short(1), DynAny::TypeMismatch);
  EXPECT_THROW(number->get_string(), DynAny::TypeMismatch);
  EXPECT_THROW(number->insert_long_seq({1}), DynAny::TypeMismatch);
}

TEST_F(DynAnyTest, ComponentsArePartsOfTheWhole) {
  const auto tree = as<DynStruct>(of(mapping_test::tree()));
  tree->seek(1);
  const auto children = as<DynSequence>(tree->current_component());
  EXPECT_THROW(tree->insert_long(1), DynAny::TypeMismatch);
  const auto left = as<DynStruct>(children->current_component());
  left->insert_string("changed");
  EXPECT_EQ(value_in<Types::Tree>(tree->to_any()).children()[0].name(), "changed");
  children->set_length(1);
  EXPECT_EQ(value_in<Types::Tree>(tree->to_any()).children().size(), 1u);
  children->destroy();
  EXPECT_EQ(children->get_length(), 1u);
  tree->destroy();
  EXPECT_THROW(children->get_length(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(left->get_string(), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(tree->to_any(), CORBA::OBJECT_NOT_EXIST);
}

TEST_F(DynAnyTest, InsertsAndExtractsAllBasicTypes) {
  const auto all = make<DynStruct>(IDL::type_code<Types::Primitives>());
  all->insert_boolean(true);
  all->next();
  all->insert_octet(200);
  all->next();
  all->insert_char('x');
  all->next();
  all->insert_wchar(L'\u20ac');
  all->next();
  all->insert_short(-2);
  all->next();
  all->insert_ushort(65535);
  all->next();
  all->insert_long(-70000);
  all->next();
  all->insert_ulong(4000000000u);
  all->next();
  all->insert_longlong(-5000000000);
  all->next();
  all->insert_ulonglong(std::numeric_limits<std::uint64_t>::max());
  all->next();
  all->insert_float(1.5f);
  all->next();
  all->insert_double(-2.25);
  all->next();
  all->insert_longdouble(3.125L);
  const auto made = value_in<Types::Primitives>(all->to_any());
  const auto wanted = mapping_test::primitives();
  EXPECT_EQ(made.c(), wanted.c());
  EXPECT_EQ(made.wc(), wanted.wc());
  EXPECT_EQ(made.ll(), wanted.ll());
  EXPECT_EQ(made.ull(), wanted.ull());
  EXPECT_EQ(made.ld(), wanted.ld());
  all->rewind();
  EXPECT_TRUE(all->get_boolean());
  all->next();
  EXPECT_EQ(all->get_octet(), 200);
  all->next();
  EXPECT_EQ(all->get_char(), 'x');
  all->next();
  EXPECT_EQ(all->get_wchar(), L'\u20ac');
  all->next();
  EXPECT_EQ(all->get_short(), -2);
}

TEST_F(DynAnyTest, InsertsAndExtractsSequencesOfBasicTypes) {
  const auto longs = make<DynSequence>(IDL::type_code<Types::Few>());
  longs->insert_long_seq({1, 2, 3});
  EXPECT_EQ(longs->get_length(), 3u);
  EXPECT_EQ(longs->get_long_seq(), (std::vector<std::int32_t>{1, 2, 3}));
  EXPECT_THROW(longs->insert_long_seq({1, 2, 3, 4}), DynAny::InvalidValue);
  EXPECT_THROW(longs->insert_ulong_seq({1}), DynAny::TypeMismatch);
  const auto row = make<DynArray>(IDL::type_code<Types::Row>());
  row->insert_long_seq({7, 8, 9});
  EXPECT_EQ(value_in<Types::Row>(row->to_any()), (Types::Row{7, 8, 9}));
  EXPECT_EQ(row->get_long_seq(), (std::vector<std::int32_t>{7, 8, 9}));
  EXPECT_THROW(row->insert_long_seq({7}), DynAny::InvalidValue);
  const auto matrix = make<DynArray>(IDL::type_code<Types::Matrix>());
  matrix->next();
  matrix->insert_long_seq({4, 5, 6});  // into the current row
  EXPECT_EQ(value_in<Types::Matrix>(matrix->to_any()), (Types::Matrix{{{0, 0, 0}, {4, 5, 6}}}));
  const auto flags = make<DynSequence>(IDL::type_code<Types::Flags>());
  flags->insert_boolean_seq({true, false});
  EXPECT_EQ(flags->get_boolean_seq(), (std::vector<bool>{true, false}));
}

TEST_F(DynAnyTest, StringsHaveBounds) {
  const auto text = make<DynAny>(IDL::type_code<Types::ShortText>());
  text->insert_string("12345");
  EXPECT_THROW(text->insert_string("123456"), DynAny::InvalidValue);
  EXPECT_EQ(text->get_string(), "12345");
  const auto wide = make<DynAny>(IDL::type_code<Types::ShortWide>());
  EXPECT_THROW(wide->insert_wstring(L"123456"), DynAny::InvalidValue);
}

TEST_F(DynAnyTest, TypesAreComparedWithoutAliases) {
  const auto alias = orb->create_alias_tc("IDL:Alias:1.0", "Alias", basic(TCKind::tk_long));
  const auto number = make<DynAny>(alias);
  number->insert_long(5);
  EXPECT_EQ(number->type()->kind(), TCKind::tk_alias);
  EXPECT_TRUE(number->equal(of(std::int32_t{5})));
  EXPECT_FALSE(number->equal(of(std::int32_t{6})));
  EXPECT_FALSE(number->equal(of(std::uint32_t{5})));
  EXPECT_FALSE(number->equal(nullptr));
  number->from_any(any_of(std::int32_t{7}));
  EXPECT_EQ(number->to_any().type()->kind(), TCKind::tk_alias);
  EXPECT_THROW(number->from_any(any_of(std::int16_t{7})), DynAny::TypeMismatch);
  EXPECT_THROW(number->assign(of(std::string("7"))), DynAny::TypeMismatch);
}

TEST_F(DynAnyTest, AnysHoldAnys) {
  const auto outer = make<DynAny>(basic(TCKind::tk_any));
  outer->insert_any(any_of(std::int32_t{5}));
  EXPECT_EQ(outer->get_dyn_any()->get_long(), 5);
  outer->insert_dyn_any(of(std::string("inside")));
  EXPECT_EQ(value_in<std::string>(outer->get_any()), "inside");
  const auto alias = orb->create_alias_tc("IDL:Alias:1.0", "Alias", basic(TCKind::tk_long));
  CORBA::Any five = any_of(std::int32_t{5});
  five.type(alias);
  outer->insert_any(five);
  EXPECT_TRUE(outer->equal(of(any_of(std::int32_t{5}))));
}

TEST_F(DynAnyTest, SequencesChangeTheirLength) {
  const auto few = make<DynSequence>(IDL::type_code<Types::Few>());
  EXPECT_FALSE(few->current_component());
  EXPECT_THROW(few->get_long(), DynAny::InvalidValue);
  few->set_length(2);
  few->insert_long(8);  // the position is at the first that is new
  EXPECT_THROW(few->set_length(4), DynAny::InvalidValue);
  few->seek(1);
  few->set_length(1);
  EXPECT_FALSE(few->current_component());
  few->set_length(3);
  few->insert_long(9);
  EXPECT_EQ(few->get_long_seq(), (std::vector<std::int32_t>{8, 9, 0}));
  few->set_length(0);
  EXPECT_FALSE(few->seek(0));
  EXPECT_THROW(few->set_elements({any_of(std::int16_t{1})}), DynAny::TypeMismatch);
  EXPECT_THROW(few->set_elements(std::vector<CORBA::Any>(4, any_of(std::int32_t{1}))), DynAny::InvalidValue);
}

TEST_F(DynAnyTest, MembersAreSetByNameAndType) {
  const auto point = make<DynStruct>(IDL::type_code<Types::Point>());
  const auto number = any_of(std::int32_t{1});
  point->set_members({{"x", number}, {"", number}});
  EXPECT_EQ(point->get_long(), 1);
  EXPECT_THROW(point->set_members({{"x", number}}), DynAny::InvalidValue);
  EXPECT_THROW(point->set_members({{"x", number}, {"z", number}}), DynAny::TypeMismatch);
  EXPECT_THROW(point->set_members({{"x", number}, {"y", any_of(true)}}), DynAny::TypeMismatch);
  EXPECT_EQ(point->get_members()[1].id(), "y");
  EXPECT_EQ(point->get_members_as_dyn_any()[1].value()->get_long(), 1);
}

TEST_F(DynAnyTest, EnumsHaveNamesAndOrdinals) {
  const auto colour = make<DynEnum>(IDL::type_code<Types::Colour>());
  colour->set_as_string("blue");
  EXPECT_EQ(colour->get_as_ulong(), 2u);
  colour->set_as_ulong(1);
  EXPECT_EQ(value_in<Types::Colour>(colour->to_any()), Types::Colour::green);
  EXPECT_THROW(colour->set_as_string("mauve"), DynAny::InvalidValue);
  EXPECT_THROW(colour->set_as_ulong(3), DynAny::InvalidValue);
  EXPECT_THROW(colour->insert_ulong(1), DynAny::TypeMismatch);
}

TEST_F(DynAnyTest, BoundsOfStringsCountCharacters) {
  const auto word = make<DynAny>(orb->create_string_tc(4));
  word->insert_string("M\xc3\xbcll");
  EXPECT_EQ(word->get_string(), "M\xc3\xbcll");
  EXPECT_TRUE(word->equal(word->copy()));
  EXPECT_THROW(word->insert_string("M\xc3\xbclle"), DynAny::InvalidValue);
  const auto wide = make<DynAny>(orb->create_wstring_tc(1));
  wide->insert_wstring(L"\U0001F600");
  EXPECT_THROW(wide->insert_wstring(L"ab"), DynAny::InvalidValue);
  const auto received = octets_of(word->to_any());
  takt::cdr::Decoder in(received, 0, takt::cdr::any_format());
  CORBA::Any any;
  EXPECT_TRUE(takt::cdr::read(in, any));
  EXPECT_EQ(factory->create_dyn_any(any)->get_string(), "M\xc3\xbcll");
}

TEST_F(DynAnyTest, FixedsAreTexts) {
  const auto price = make<DynFixed>(IDL::type_code<Types::Price>());  // fixed<5, 2>
  EXPECT_TRUE(price->set_value(" -123.45d "));
  EXPECT_EQ(price->get_value(), "-123.45");
  EXPECT_EQ(value_in<Types::Price>(price->to_any()), Types::Price("-123.45"));
  EXPECT_FALSE(price->set_value("1.239"));
  EXPECT_EQ(price->get_value(), "1.23");
  EXPECT_TRUE(price->set_value("000001.5000"));
  EXPECT_EQ(price->get_value(), "1.5");
  EXPECT_TRUE(price->set_value(".5"));
  EXPECT_TRUE(price->set_value("-0"));
  EXPECT_EQ(price->get_value(), "0");
  EXPECT_THROW(price->set_value("1234"), DynAny::InvalidValue);
  for (const char* text : {"", "d", ".", "1.2.3", "1e5", "--1", "1 2"})
    EXPECT_THROW(price->set_value(text), DynAny::TypeMismatch) << text;
  EXPECT_EQ(price->get_value(), "0");
}

TEST_F(DynAnyTest, ReferencesAreOfTheirInterface) {
  const auto any_object = make<DynAny>(IDL::type_code<IDL::traits<CORBA::Object>::ref_type>());
  const auto object = orb->string_to_object("corbaloc::localhost:1/key");
  any_object->insert_reference(object);
  EXPECT_TRUE(any_object->get_reference()->_is_equivalent(object));
  any_object->insert_reference(nullptr);
  EXPECT_FALSE(any_object->get_reference());
  EXPECT_THROW(any_object->insert_reference(factory), CORBA::MARSHAL);
}

TEST_F(DynAnyTest, IsNotMadeOfTypesWithoutValues) {
  for (const auto& type : {basic(TCKind::tk_Principal), orb->create_native_tc("IDL:N:1.0", "N"),
                           orb->create_abstract_interface_tc("IDL:A:1.0", "A"),
                           orb->create_local_interface_tc("IDL:L:1.0", "L")})
    EXPECT_THROW(factory->create_dyn_any_from_type_code(type), DynAnyFactory::InconsistentTypeCode);
  EXPECT_THROW(factory->create_dyn_any_from_type_code(nullptr), CORBA::BAD_TYPECODE);
  EXPECT_THROW(factory->create_dyn_any_from_type_code(orb->create_recursive_tc("IDL:R:1.0")),
               CORBA::BAD_TYPECODE);
}

TEST_F(DynAnyTest, TypesThatAreTooLargeAreRefused) {
  auto type = basic(TCKind::tk_octet);
  for (int i = 0; i < 4; ++i) type = orb->create_array_tc(1000, type);
  EXPECT_THROW(factory->create_dyn_any_from_type_code(type), CORBA::IMP_LIMIT);
  const auto endless =
      orb->create_struct_tc("IDL:E:1.0", "E", {{"itself", orb->create_recursive_tc("IDL:E:1.0")}});
  EXPECT_THROW(factory->create_dyn_any_from_type_code(endless), CORBA::IMP_LIMIT);
}

TEST_F(DynAnyTest, SeveralAreMadeAtOnce) {
  const auto all =
      factory->create_multiple_dyn_anys({any_of(std::int32_t{1}), any_of(std::string("x"))}, false);
  ASSERT_EQ(all.size(), 2u);
  all[0]->insert_long(2);
  EXPECT_EQ(value_in<std::int32_t>(factory->create_multiple_anys(all)[0]), 2);
}

TEST_F(DynAnyTest, CannotBeSent) { EXPECT_THROW(orb->object_to_string(of(true)), CORBA::MARSHAL); }

}  // namespace
}  // namespace feature
