// Octets written by other ORBs.
#include <gtest/gtest.h>

#include <takt/cdr/any.h>
#include <takt/cdr/ior.h>
#include <takt/cdr/mapping/fixed.h>

#include "octets.h"

namespace takt::cdr::test {
namespace {

template <class T>
void expect_both_ways(const T& value, std::string_view expected, const Format& how = format()) {
  EXPECT_EQ(hex(encoded(value, how)), hex(expected));
  const auto back = decoded<T>(octets(expected), how);
  EXPECT_TRUE(back.whole) << to_text(back.error);
  EXPECT_TRUE(back.value == value);
}

TEST(Golden, numbers_are_aligned_to_their_size) {
  const auto written_octets = written(format(), [](Encoder& encoder) {
    encoder.put(std::uint8_t{1});
    encoder.put(std::int32_t{2});
    encoder.put(std::uint8_t{3});
    encoder.put(1.0);
  });
  EXPECT_EQ(hex(written_octets), hex("01000000 00000002 03000000 00000000 3ff00000 00000000"));
}

TEST(Golden, strings) {
  expect_both_ways(std::string("hi"), "00000003 686900");
  expect_both_ways(std::string(), "00000001 00");
  expect_both_ways(std::string("hi"), "03000000 686900", format(ByteOrder::little));
}

TEST(Golden, wide_characters) {
  expect_both_ways(L'\u00e9', "00e9", format(ByteOrder::big, 1));
  expect_both_ways(L'\u00e9', "0200e9");
  expect_both_ways(std::wstring(L"hi"), "00000003 00680069 0000", format(ByteOrder::big, 1));
  expect_both_ways(std::wstring(L"hi"), "00000004 00680069");
  expect_both_ways(std::wstring(), "00000001 0000", format(ByteOrder::big, 1));
  expect_both_ways(std::wstring(), "00000000");
  // Big-endian if there is no byte order mark, whatever the order of the stream.
  expect_both_ways(std::wstring(L"hi"), "04000000 00680069", format(ByteOrder::little));
}

TEST(Golden, byte_order_marks_rule_and_are_no_characters) {
  EXPECT_EQ(decoded<std::wstring>(octets("00000006 fffe 6800 6900")).value, L"hi");
  EXPECT_EQ(decoded<std::wstring>(octets("00000006 feff 0068 0069")).value, L"hi");
  EXPECT_EQ(decoded<wchar_t>(octets("04fffee900")).value, L'\u00e9');
  EXPECT_EQ(decoded<wchar_t>(octets("04feff00e9")).value, L'\u00e9');
}

TEST(Golden, fixed) {
  expect_both_ways(IDL::Fixed<5, 2>("123.45"), "12345c");
  expect_both_ways(IDL::Fixed<6, 2>("-1234.56"), "0123456d");
  expect_both_ways(IDL::Fixed<1, 0>(0), "0c");
  expect_both_ways(IDL::Fixed<1, 0>(-7), "7d");
}

TEST(Golden, any) {
  CORBA::Any any;
  any <<= std::int32_t{42};
  EXPECT_EQ(hex(encoded(any)), hex("00000003 0000002a"));
  any <<= std::string("hi");
  EXPECT_EQ(hex(encoded(any)), hex("00000012 00000000 00000003 686900"));
  std::string text;
  EXPECT_TRUE(decoded<CORBA::Any>(octets("00000012 00000000 00000003 686900")).value >>= text);
  EXPECT_EQ(text, "hi");
}

TEST(Golden, nil_reference) {
  const auto nil = written(format(), [](Encoder& encoder) { write_ior(encoder, {}); });
  EXPECT_EQ(hex(nil), hex("00000001 00000000 00000000"));
}

CORBA::typecode_reference member_struct(std::string id, std::string name, std::string member,
                                        CORBA::typecode_reference type) {
  TypeCodeParts parts;
  parts.kind = CORBA::TCKind::tk_struct;
  parts.id = std::move(id);
  parts.name = std::move(name);
  parts.members.push_back({std::move(member), std::move(type)});
  return make_typecode(std::move(parts));
}

TEST(Golden, typecodes) {
  expect_both_ways(IDL::type_code<std::vector<std::int32_t>>(),
                   "00000013 0000000c 00000000 00000003 00000000");
  expect_both_ways(
      member_struct("IDL:S:1.0", "S", "x", basic_typecode(CORBA::TCKind::tk_long)),
      "0000000f 0000002c 00000000 0000000a 49444c3a 533a312e 30000000 00000002 53000000 00000001 "
      "00000002 78000000 00000003");
  TypeCodeParts e;
  e.kind = CORBA::TCKind::tk_enum;
  e.id = "IDL:E:1.0";
  e.name = "E";
  e.members = {{"A"}, {"B"}};
  expect_both_ways(
      make_typecode(std::move(e)),
      "00000011 0000002e 00000000 0000000a 49444c3a 453a312e 30000000 00000002 45000000 00000002 "
      "00000002 41000000 00000002 4200");
}

TEST(Golden, recursive_typecode) {
  TypeCodeParts sequence;
  sequence.kind = CORBA::TCKind::tk_sequence;
  sequence.content = make_recursion("IDL:N:1.0");
  expect_both_ways(
      member_struct("IDL:N:1.0", "N", "k", make_typecode(std::move(sequence))),
      "0000000f 00000040 00000000 0000000a 49444c3a 4e3a312e 30000000 00000002 4e000000 00000001 "
      "00000002 6b000000 00000013 00000010 00000000 ffffffff ffffffc0 00000000");
}

Format x87(ByteOrder order) {
  Format how = format(order);
  how.long_double = LongDoubleForm::x87;
  return how;
}

// As TAO 2.2.2 and omniORB 4.2.5 send them on x86, but for the 6 octets without meaning.
TEST(Golden, long_doubles_of_the_x87) {
  expect_both_ways(0x1.8p+10000L, "00000000 000000c0 0f67 000000000000", x87(ByteOrder::little));
  expect_both_ways(-0x1.5555555555555556p-2L, "abaaaaaa aaaaaaaa fdbf 000000000000", x87(ByteOrder::little));
  expect_both_ways(-0x1.5555555555555556p-2L, "000000000000 bffd aaaaaaaa aaaaaaab", x87(ByteOrder::big));
  expect_both_ways(0.0L, "00000000 00000000 0000 000000000000", x87(ByteOrder::little));
  const auto read =
      decoded<long double>(octets("00000000 000000c0 0f67 ff0102030405"), x87(ByteOrder::little));
  EXPECT_EQ(read.value, 0x1.8p+10000L) << "whatever the last octets are";
}

TEST(Golden, long_doubles_of_the_x87_pass_through_anys_into_the_other_form) {
  const auto any = decoded<CORBA::Any>(octets("19000000 00000000 00000000 000000c0 0f67 ffff 01020304"),
                                       x87(ByteOrder::little));
  ASSERT_TRUE(any.whole) << to_text(any.error);
  EXPECT_EQ(hex(encoded(any.value)), hex("00000019 00000000 670f8000 00000000 00000000 00000000"));
  EXPECT_EQ(hex(encoded(any.value, x87(ByteOrder::little))),
            hex("19000000 00000000 00000000 000000c0 0f67 0000 00000000"));
}

TEST(Golden, octets_that_are_no_number_of_the_x87_are_refused) {
  for (const char* const bad : {"00000000 00000040 0f67 000000000000", "00000000 00000000 ff7f 000000000000",
                                "01000000 00000000 0100 000000000000"}) {
    const auto read = decoded<long double>(octets(bad), x87(ByteOrder::little));
    EXPECT_EQ(read.error, Error::bad_value) << bad;
    EXPECT_EQ(read.value, 0);
  }
  // A pseudo-denormal: an integer bit without an exponent.
  EXPECT_TRUE(
      decoded<long double>(octets("00000000 00000080 0000 000000000000"), x87(ByteOrder::little)).whole);
}

TEST(Golden, long_double) {
  expect_both_ways(1.0L, "3fff0000 00000000 00000000 00000000");
  expect_both_ways(-2.5L, "c0004000 00000000 00000000 00000000");
  expect_both_ways(0.0L, "00000000 00000000 00000000 00000000");
  expect_both_ways(1.0L, "00000000 00000000 00000000 0000ff3f", format(ByteOrder::little));
}

}  // namespace
}  // namespace takt::cdr::test
