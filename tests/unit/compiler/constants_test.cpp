#include "sema/constants.h"

#include <gtest/gtest.h>

#include "parsed.h"

namespace takt::idl {
namespace {

// The value of `const TYPE c = EXPRESSION;` as text, or the first line of the diagnostics if it is invalid.
std::string value_of(const std::string& type, const std::string& expression) {
  const Parsed parsed("const " + type + " c = " + expression + ";");
  const Declaration* const constant = parsed.find("c");
  if (!constant || parsed.diagnostics.failed()) return parsed.said().substr(0, parsed.said().find('\n'));
  const auto& value = constant->value.is;
  if (const auto* integer = std::get_if<Int128>(&value)) return integer_to_text(*integer);
  if (const auto* fixed = std::get_if<FixedValue>(&value)) return fixed_to_text(*fixed);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* number = std::get_if<long double>(&value))
    return std::to_string(static_cast<double>(*number));
  if (const auto* boolean = std::get_if<bool>(&value)) return *boolean ? "TRUE" : "FALSE";
  return "?";
}

TEST(Constants, PrecedenceIsC) {
  EXPECT_EQ(value_of("long", "1 + 2 * 3"), "7");
  EXPECT_EQ(value_of("long", "(1 + 2) * 3"), "9");
  EXPECT_EQ(value_of("long", "1 | 6 ^ 3 & 2 << 1 + 1"), "7");
  EXPECT_EQ(value_of("long", "7 - 2 - 1"), "4");
  EXPECT_EQ(value_of("long", "-7 / 2"), "-3");
  EXPECT_EQ(value_of("long", "-7 % 2"), "-1");
  EXPECT_EQ(value_of("long", "-(3)"), "-3");
}

TEST(Constants, RangesOfIntegersAreKept) {
  EXPECT_EQ(value_of("short", "32767"), "32767");
  EXPECT_EQ(value_of("short", "-32768"), "-32768");
  EXPECT_EQ(value_of("octet", "255"), "255");
  EXPECT_EQ(value_of("long long", "-9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(value_of("unsigned long long", "18446744073709551615"), "18446744073709551615");
  EXPECT_NE(value_of("short", "32768").find("out of the range of short"), std::string::npos);
  EXPECT_NE(value_of("unsigned long", "-1").find("out of the range"), std::string::npos);
  EXPECT_NE(value_of("unsigned long long", "18446744073709551615 * 2").find("64 bits"), std::string::npos);
  EXPECT_NE(value_of("long", "4294967296 - 4294967295").find("32 bits"), std::string::npos);
  EXPECT_EQ(value_of("long long", "4294967296 - 4294967295"), "1");
}

TEST(Constants, TheComplementDependsOnTheType) {
  EXPECT_EQ(value_of("long", "~0"), "-1");
  EXPECT_EQ(value_of("unsigned long", "~0"), "4294967295");
  EXPECT_EQ(value_of("unsigned long long", "~0"), "18446744073709551615");
  EXPECT_EQ(value_of("unsigned short", "~0 & 0xff"), "255");
}

TEST(Constants, WhatHasNoValueIsAnError) {
  EXPECT_NE(value_of("long", "1 / 0").find("division by zero"), std::string::npos);
  EXPECT_NE(value_of("long", "1 % 0").find("division by zero"), std::string::npos);
  EXPECT_NE(value_of("double", "1.0 / 0.0").find("division by zero"), std::string::npos);
  EXPECT_NE(value_of("long", "1 << 64").find("shift"), std::string::npos);
  EXPECT_NE(value_of("long", "1 >> -1").find("shift"), std::string::npos);
  EXPECT_NE(value_of("double", "1.0 + 1").find("mixes"), std::string::npos);
}

TEST(Constants, FixedArithmeticIsDecimal) {
  EXPECT_EQ(value_of("fixed", "1.10d + 2.205d"), "3.305");
  EXPECT_EQ(value_of("fixed", "1.5d * -2d"), "-3");
  EXPECT_EQ(value_of("fixed", "0.1d * 0.1d"), "0.01");
  EXPECT_EQ(value_of("fixed", "1d / 8d"), "0.125");
  EXPECT_EQ(value_of("fixed", "100.00d"), "100");
  EXPECT_EQ(value_of("fixed", "9999999999999999999999999999999d"), "9999999999999999999999999999999");
  EXPECT_NE(value_of("fixed", "9999999999999999999999999999999d * 10d").find("31 digits"), std::string::npos);
}

TEST(Constants, FixedQuotientsAreTruncatedTo31Digits) {
  EXPECT_EQ(value_of("fixed", "123456789d / 2d"), "61728394.5");
  EXPECT_EQ(value_of("fixed", "20000000d / 4d"), "5000000");
  EXPECT_EQ(value_of("fixed", "-20000000d / 3d"), "-6666666.666666666666666666666666");
  EXPECT_EQ(value_of("fixed", "2d / 3d"), "0.6666666666666666666666666666666");
  EXPECT_EQ(value_of("fixed", "1d / 0.700000000000000000000000000001d"), "1.428571428571428571428571428569");
  EXPECT_EQ(value_of("fixed", "1d / 1.00000000000000000000000000003d"), "0.99999999999999999999999999997");
  EXPECT_EQ(value_of("fixed", "1d / .0000000000000000000000000000003d"), "3333333333333333333333333333333");
  EXPECT_EQ(value_of("fixed", "12d / 0.000000000000000000000000000004d"), "3000000000000000000000000000000");
  EXPECT_EQ(value_of("fixed", "0d / 0.5d"), "0");
  EXPECT_NE(value_of("fixed", "9999999999999999999999999999999d / 0.1d").find("31 digits"),
            std::string::npos);
}

TEST(Constants, FixedResultsOf62DigitsAreTruncatedTo31) {
  EXPECT_EQ(value_of("fixed", "1234567890123456.123456789012345d * 1234567.1234d"),
            "1524156928751722497202.163275171");
  EXPECT_EQ(value_of("fixed", "1234567890123456789012345678901d + 0.00000001d"),
            "1234567890123456789012345678901");
  EXPECT_EQ(value_of("fixed", "1000000000000000000000000000000d - 0.1d"), "999999999999999999999999999999.9");
  EXPECT_EQ(value_of("fixed", "0.1d - 1000000000000000000000000000000d"),
            "-999999999999999999999999999999.9");
  EXPECT_EQ(value_of("fixed", ".0000000000000000000000000000001d * 0.1d"), "0");
}

TEST(Constants, StringsBesideEachOtherAreOne) {
  EXPECT_EQ(value_of("string", "\"a\" \"b\"\n\"c\""), "abc");
  EXPECT_EQ(value_of("string<3>", "\"abc\""), "abc");
  EXPECT_NE(value_of("string<3>", "\"abcd\"").find("longer"), std::string::npos);
}

TEST(Constants, FloatingPointValuesFitTheirType) {
  EXPECT_EQ(value_of("double", "1.5 * 2.0 - 0.25"), "2.750000");
  EXPECT_NE(value_of("float", "1e39").find("too large"), std::string::npos);
  EXPECT_NE(value_of("long double", "1e5000").find("too large"), std::string::npos);
}

}  // namespace
}  // namespace takt::idl
