// Any and TypeCode of the classic mapping. The same source runs against omniORB; under ASan, leaks and double
// frees fail it.
#include <gtest/gtest.h>

#include "passing_anys.h"

namespace {

// omniORB's Anys need an ORB for wide characters and references.
class AnyOrb : public testing::Environment {
 public:
  void SetUp() override {
    int argc = 0;
    orb_ = CORBA::ORB_init(argc, nullptr);
  }

 private:
  CORBA::ORB_var orb_;
};
testing::Environment* const any_orb = testing::AddGlobalTestEnvironment(new AnyOrb);

template <class T>
void goes_in_and_out(T value) {
  CORBA::Any any;
  any <<= value;
  T out = T();
  ASSERT_TRUE(any >>= out);
  EXPECT_EQ(out, value);
  const CORBA::Any copy = any;
  any <<= "another";
  EXPECT_FALSE(any >>= out);
  T again = T();
  ASSERT_TRUE(copy >>= again);
  EXPECT_EQ(again, value);
}

TEST(Anys, NumbersAndEnums) {
  goes_in_and_out<CORBA::Short>(-3);
  goes_in_and_out<CORBA::UShort>(65535);
  goes_in_and_out<CORBA::Long>(-70000);
  goes_in_and_out<CORBA::ULong>(4000000000u);
  goes_in_and_out<CORBA::LongLong>(-5000000000000);
  goes_in_and_out<CORBA::ULongLong>(Broad::large);
  goes_in_and_out<CORBA::Float>(1.5f);
  goes_in_and_out<CORBA::Double>(-0.1);
  goes_in_and_out<Broad::Colour>(Broad::blue);
  goes_in_and_out<Broad::Basics::State>(Broad::Basics::busy);
}

TEST(Anys, WrappersTellOctetsCharactersAndBooleans) {
  CORBA::Any any;
  CORBA::Boolean flag = false;
  CORBA::Char letter = 0;
  CORBA::WChar wide = 0;
  CORBA::Octet octet = 0;
  any <<= CORBA::Any::from_boolean(true);
  EXPECT_TRUE((any >>= CORBA::Any::to_boolean(flag)) && flag);
  EXPECT_FALSE(any >>= CORBA::Any::to_octet(octet));
  any <<= CORBA::Any::from_char('x');
  EXPECT_TRUE((any >>= CORBA::Any::to_char(letter)) && letter == 'x');
  EXPECT_FALSE(any >>= CORBA::Any::to_boolean(flag));
  any <<= CORBA::Any::from_wchar(L'\u00e9');
  EXPECT_TRUE((any >>= CORBA::Any::to_wchar(wide)) && wide == L'\u00e9');
  any <<= CORBA::Any::from_octet(200);
  EXPECT_TRUE((any >>= CORBA::Any::to_octet(octet)) && octet == 200);
  EXPECT_FALSE(any >>= CORBA::Any::to_char(letter));
}

TEST(Anys, StringsAreCopiedInAndStayTheAnys) {
  CORBA::Any any;
  CORBA::String_var own = CORBA::string_dup("text");
  any <<= own.in();
  own[0u] = 'n';
  const char* out = nullptr;
  ASSERT_TRUE(any >>= out);
  EXPECT_STREQ(out, "text");
  const char* again = nullptr;
  ASSERT_TRUE(any >>= again);
  EXPECT_STREQ(again, "text");
  any <<= L"wide";
  const CORBA::WChar* wide = nullptr;
  ASSERT_TRUE(any >>= wide);
  EXPECT_STREQ(wide, L"wide");
}

TEST(Anys, BoundedStringsAreATypeOfTheirOwn) {
  CORBA::Any any;
  any <<= CORBA::Any::from_string(const_cast<char*>("abc"), 5);
  const char* out = nullptr;
  EXPECT_FALSE(any >>= out);
  EXPECT_FALSE(any >>= CORBA::Any::to_string(out, 4));
  ASSERT_TRUE(any >>= CORBA::Any::to_string(out, 5));
  EXPECT_STREQ(out, "abc");
  any <<= CORBA::Any::from_string(CORBA::string_dup("taken over"), 0, true);
  ASSERT_TRUE(any >>= CORBA::Any::to_string(out, 0));
  EXPECT_STREQ(out, "taken over");
}

TEST(Anys, AStructIsCopiedOrTakenOver) {
  const Broad::Record record = any_record(5);
  CORBA::Any any;
  any <<= record;
  EXPECT_TRUE(holds_record(any, record));
  any <<= new Broad::Record(any_record(6));
  EXPECT_TRUE(holds_record(any, any_record(6)));
  const CORBA::Any copy(any);
  any = CORBA::Any();
  EXPECT_FALSE(holds_record(any, record));
  EXPECT_TRUE(holds_record(copy, any_record(6)));
  any = copy;
  any = *&any;
  EXPECT_TRUE(holds_record(any, any_record(6)));
}

TEST(Anys, TwoExtractionsGiveOnePointer) {
  CORBA::Any any;
  any <<= any_record(5);
  const Broad::Record *one = nullptr, *two = nullptr;
  ASSERT_TRUE((any >>= one) && (any >>= two));
  EXPECT_EQ(one, two);
}

TEST(Anys, AFailedExtractionLeavesItsTarget) {
  CORBA::Any any;
  any <<= static_cast<CORBA::Long>(1);
  const Broad::Record record = any_record(5);
  CORBA::Short small = 9;
  EXPECT_FALSE(any >>= small);
  EXPECT_EQ(small, 9);
  CORBA::Any empty;
  EXPECT_FALSE(empty >>= small);
}

TEST(Anys, SequencesAndUnions) {
  Broad::Strings strings;
  strings.length(2);
  strings[1] = static_cast<const char*>("two");
  CORBA::Any any;
  any <<= strings;
  const Broad::Strings* out = nullptr;
  ASSERT_TRUE(any >>= out);
  ASSERT_EQ(out->length(), 2u);
  EXPECT_STREQ((*out)[1], "two");
  Broad::Choice choice;
  choice.text("chosen");
  any <<= choice;
  const Broad::Choice* chosen = nullptr;
  ASSERT_TRUE(any >>= chosen);
  EXPECT_STREQ(chosen->text(), "chosen");
  Broad::Basics::Inner inner;
  inner.now = Broad::Basics::busy;
  any <<= inner;
  const Broad::Basics::Inner* held = nullptr;
  ASSERT_TRUE(any >>= held);
  EXPECT_EQ(held->now, Broad::Basics::busy);
}

TEST(Anys, ArraysByForany) {
  Broad::Matrix matrix = {{1, 2, 3}, {4, 5, 6}};
  CORBA::Any any;
  any <<= Broad::Matrix_forany(matrix);
  matrix[1][2] = 0;
  Broad::Matrix_forany out;
  ASSERT_TRUE(any >>= out);
  EXPECT_EQ(out[1][2], 6);
  Broad::Names_slice* const names = Broad::Names_alloc();
  names[1] = static_cast<const char*>("second");
  any <<= Broad::Names_forany(names, true);  // which the Any takes over
  Broad::Names_forany held;
  ASSERT_TRUE(any >>= held);
  EXPECT_STREQ(held[1].in(), "second");
  EXPECT_FALSE(any >>= out);
  CORBA::Any another;
  for (int i = 0; i < 2; ++i) another <<= held;  // which stays the first Any's
  ASSERT_TRUE(another >>= held);
  EXPECT_STREQ(held[1].in(), "second");
  ASSERT_TRUE(any >>= held);
  EXPECT_STREQ(held[1].in(), "second");
}

TEST(Anys, ExceptionsAndTypeCodes) {
  Broad::Longs numbers;
  CORBA::Any any;
  any <<= Broad::Refused("why", 3, numbers);
  const Broad::Refused* refused = nullptr;
  ASSERT_TRUE(any >>= refused);
  EXPECT_STREQ(refused->why.in(), "why");
  any <<= Broad::_tc_Record;
  CORBA::TypeCode_ptr type;
  ASSERT_TRUE(any >>= type);
  EXPECT_TRUE(type->equal(Broad::_tc_Record));
}

#ifndef CLASSIC_BY_OMNIORB  // which extracts no nil
TEST(Anys, NilReferences) {
  CORBA::Any any;
  any <<= Broad::Basics::_nil();
  Broad::Basics_ptr out = Broad::Basics::_nil();
  ASSERT_TRUE(any >>= out);
  EXPECT_TRUE(CORBA::is_nil(out));
  Broad::Listener_ptr other;
  EXPECT_FALSE(any >>= other);
  CORBA::Object_var object;
  ASSERT_TRUE(any >>= CORBA::Any::to_object(object.out()));
  EXPECT_TRUE(CORBA::is_nil(object));
  Broad::Basics_ptr own = Broad::Basics::_nil();
  any <<= &own;  // which the Any takes over
  CORBA::TypeCode_var type = any.type();
  EXPECT_TRUE(type->equal(Broad::_tc_Basics));
}
#endif

TEST(Anys, AnysInAnys) {
  CORBA::Any any, inner;
  inner <<= "inside";
  any <<= inner;
  const CORBA::Any* out = nullptr;
  ASSERT_TRUE(any >>= out);
  EXPECT_TRUE(holds_text(*out, "inside"));
  EXPECT_FALSE(holds_text(any, "inside"));
  CORBA::Any_var var = new CORBA::Any(any);
  ASSERT_TRUE(var.in() >>= out);
}

TEST(Anys, AnEquivalentTypeReplacesTheirs) {
  CORBA::Any any;
  any <<= static_cast<CORBA::Long>(5);
  any.type(Broad::_tc_Number);
  CORBA::TypeCode_var type = any.type();
  EXPECT_EQ(type->kind(), CORBA::tk_alias);
  EXPECT_TRUE(holds_number(any, 5));
  EXPECT_THROW(any.type(Broad::_tc_Record), CORBA::BAD_TYPECODE);
}

TEST(TypeCodes, SayWhatAStructHas) {
  const CORBA::TypeCode_ptr type = Broad::_tc_Record;
  EXPECT_EQ(type->kind(), CORBA::tk_struct);
  EXPECT_STREQ(type->id(), "IDL:Broad/Record:1.0");
  EXPECT_STREQ(type->name(), "Record");
  ASSERT_EQ(type->member_count(), 12u);
  EXPECT_STREQ(type->member_name(3), "numbers");
  CORBA::TypeCode_var numbers = type->member_type(3);
  EXPECT_EQ(numbers->kind(), CORBA::tk_alias);
  EXPECT_STREQ(numbers->name(), "Longs");
  CORBA::TypeCode_var sequence = numbers->content_type();
  EXPECT_EQ(sequence->kind(), CORBA::tk_sequence);
  EXPECT_EQ(sequence->length(), 0u);
  CORBA::TypeCode_var element = sequence->content_type();
  EXPECT_TRUE(element->equal(CORBA::_tc_long));
  CORBA::TypeCode_var array = type->member_type(7);
  EXPECT_EQ(array->kind(), CORBA::tk_array);
  EXPECT_EQ(array->length(), 2u);
  EXPECT_THROW(type->member_name(12), CORBA::TypeCode::Bounds);
  EXPECT_THROW(type->content_type(), CORBA::TypeCode::BadKind);
}

TEST(TypeCodes, SayWhatAUnionHas) {
  const CORBA::TypeCode_ptr type = Broad::_tc_Chosen;
  EXPECT_EQ(type->kind(), CORBA::tk_union);
  ASSERT_EQ(type->member_count(), 4u);  // one with two labels
  EXPECT_EQ(type->default_index(), 3);
  CORBA::TypeCode_var discriminator = type->discriminator_type();
  EXPECT_EQ(discriminator->kind(), CORBA::tk_long);
  CORBA::Any_var label = type->member_label(2);
  CORBA::Long value = 0;
  ASSERT_TRUE(label.in() >>= value);
  EXPECT_EQ(value, -3);
  EXPECT_STREQ(type->member_name(1), "numbers");
}

TEST(TypeCodes, OfOtherKinds) {
  EXPECT_EQ(Broad::_tc_Colour->kind(), CORBA::tk_enum);
  EXPECT_STREQ(Broad::_tc_Colour->member_name(2), "blue");
  EXPECT_EQ(Broad::_tc_Refused->kind(), CORBA::tk_except);
  EXPECT_EQ(Broad::_tc_Basics->kind(), CORBA::tk_objref);
  EXPECT_STREQ(Broad::_tc_Basics->id(), "IDL:Broad/Basics:1.0");
  EXPECT_EQ(Broad::Basics::_tc_Inner->kind(), CORBA::tk_struct);
  EXPECT_EQ(Broad::_tc_Matrix->kind(), CORBA::tk_alias);
  EXPECT_EQ(CORBA::_tc_string->length(), 0u);
  CORBA::TypeCode_var word = Broad::_tc_Word->content_type();
  EXPECT_EQ(word->length(), 5u);
  EXPECT_EQ(CORBA::_tc_Object->kind(), CORBA::tk_objref);
  EXPECT_TRUE(CORBA::is_nil(CORBA::TypeCode::_nil()));
}

TEST(TypeCodes, OfARecursiveType) {
  CORBA::TypeCode_var children = Broad::_tc_Node->member_type(1);
  CORBA::TypeCode_var inner = children->content_type();
  EXPECT_EQ(inner->kind(), CORBA::tk_struct);
  EXPECT_TRUE(inner->equal(Broad::_tc_Node));
  Broad::Node node;
  node.value = 1;
  node.children.length(1);
  node.children[0].value = 2;
  CORBA::Any any;
  any <<= node;
  const Broad::Node* out = nullptr;
  ASSERT_TRUE(any >>= out);
  EXPECT_EQ(out->children[0].value, 2);
}

TEST(TypeCodes, EqualAndEquivalent) {
  EXPECT_FALSE(Broad::_tc_Number->equal(CORBA::_tc_long));
  EXPECT_TRUE(Broad::_tc_Number->equivalent(CORBA::_tc_long));
  EXPECT_TRUE(Broad::_tc_Numbers->equivalent(Broad::_tc_Longs));
  EXPECT_FALSE(Broad::_tc_Longs->equivalent(Broad::_tc_Strings));
  CORBA::TypeCode_var one = CORBA::TypeCode::_duplicate(Broad::_tc_Longs), two = one;
  EXPECT_TRUE(two->equal(one));
}

}  // namespace
