#include <takt/cdr/mapping/decimal.h>

#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include <takt/cdr/exception.h>

namespace IDL {
namespace {

std::string text(const Decimal& value) { return value.to_string(); }
const std::string nines(31, '9');

TEST(Decimal, text_has_a_point_where_the_scale_says) {
  EXPECT_EQ(text(Decimal()), "0");
  EXPECT_EQ(text(Decimal(7)), "7");
  EXPECT_EQ(text(Decimal(-1234, 2)), "-12.34");
  EXPECT_EQ(text(Decimal(5, 2)), "0.05");
  EXPECT_EQ(text(Decimal(0, 3)), "0.000");
  EXPECT_EQ(text(Decimal(12, -2)), "1200");
}

TEST(Decimal, is_parsed_as_idl_writes_it) {
  EXPECT_EQ(text(Decimal::parse("12.50")), "12.50");
  EXPECT_EQ(text(Decimal::parse("-3")), "-3");
  EXPECT_EQ(text(Decimal::parse("+.5")), "0.5");
  EXPECT_EQ(text(Decimal::parse("1.25d")), "1.25");
  EXPECT_EQ(text(Decimal::parse("1.D")), "1");
  EXPECT_EQ(text(Decimal::parse(nines)), nines);
}

TEST(Decimal, digits_behind_the_point_that_have_no_room_are_dropped) {
  EXPECT_EQ(text(Decimal::parse("1." + std::string(40, '3'))), "1." + std::string(30, '3'));
}

TEST(Decimal, what_is_no_number_is_refused) {
  for (const char* const bad : {"", "d", "-", ".", "1.2.3", "1,5", "x", "0x10", "1 2", "--1"})
    EXPECT_THROW(Decimal::parse(bad), CORBA::DATA_CONVERSION) << bad;
  EXPECT_THROW(Decimal::parse(nines + "9"), CORBA::DATA_CONVERSION);
}

TEST(Decimal, a_floating_point_number_becomes_the_nearest_of_its_scale) {
  EXPECT_EQ(text(Decimal::from(2.5L, 0)), "3");
  EXPECT_EQ(text(Decimal::from(-2.5L, 0)), "-3");
  EXPECT_EQ(text(Decimal::from(0.125L, 2)), "0.13");
  EXPECT_EQ(text(Decimal::from(1e15L, 3)), "1000000000000000.000");
  EXPECT_EQ(Decimal(1234, 2).to_long_double(), 12.34L);
  EXPECT_EQ(Decimal(-5).to_long_double(), -5.0L);
}

TEST(Decimal, a_floating_point_number_that_is_too_large_or_none_is_refused) {
  EXPECT_THROW(Decimal::from(1e31L, 0), CORBA::DATA_CONVERSION);
  EXPECT_THROW(Decimal::from(-1e20L, 12), CORBA::DATA_CONVERSION);
  EXPECT_THROW(Decimal::from(std::numeric_limits<long double>::infinity(), 0), CORBA::DATA_CONVERSION);
  EXPECT_THROW(Decimal::from(std::nanl(""), 0), CORBA::DATA_CONVERSION);
}

TEST(Decimal, is_cut_off_or_rounded_half_away_from_zero) {
  EXPECT_EQ(text(Decimal::parse("1.25").rounded(1)), "1.3");
  EXPECT_EQ(text(Decimal::parse("-1.25").rounded(1)), "-1.3");
  EXPECT_EQ(text(Decimal::parse("1.24").rounded(1)), "1.2");
  EXPECT_EQ(text(Decimal::parse("-1.29").truncated(1)), "-1.2");
  EXPECT_EQ(text(Decimal(7).truncated(2)), "7.00");
  EXPECT_EQ(text(Decimal(0).truncated(31)), "0." + std::string(31, '0'));
  EXPECT_THROW(Decimal(7).truncated(31), CORBA::DATA_CONVERSION);
  EXPECT_EQ(text(Decimal(0).rounded(200)), "0." + std::string(31, '0'));
  EXPECT_EQ(Decimal(0).truncated(200), Decimal(0));
  EXPECT_THROW(Decimal(7).rounded(200), CORBA::DATA_CONVERSION);
}

TEST(Decimal, sums_keep_the_larger_scale_while_there_is_room) {
  EXPECT_EQ(text(Decimal::parse("1.5") + Decimal::parse("0.25")), "1.75");
  EXPECT_EQ(text(Decimal::parse("1.5") - Decimal(2)), "-0.5");
  EXPECT_EQ(text(Decimal::parse("12345678901234567890.5") + Decimal::parse("0." + std::string(20, '1'))),
            "12345678901234567890.61111111111");
  EXPECT_THROW(Decimal::parse(nines) + Decimal(1), CORBA::DATA_CONVERSION);
}

// CORBA 3.0.3, 7.4.13.4.5 of IDL: the exact sum has its first 31 digits, and none is rounded.
TEST(Decimal, sums_are_exact_before_digits_are_cut_off) {
  const Decimal large = Decimal::parse("1" + std::string(30, '0'));  // 31 digits, no room
  const std::string below(30, '9');
  EXPECT_EQ(text(large - Decimal::parse("0.1")), below + ".9");
  EXPECT_EQ(text(Decimal::parse("0.1") - large), "-" + below + ".9");
  EXPECT_EQ(text(large - Decimal::parse("0.05")), below + ".9");
  EXPECT_EQ(text(large - Decimal::parse("0." + std::string(30, '0') + "1")), below + ".9");
  EXPECT_EQ(text(Decimal::parse(nines) - Decimal::parse("0.1")), std::string(30, '9') + "8");
  EXPECT_EQ(text(Decimal::parse(nines) + Decimal::parse("0.9")), nines);
  EXPECT_EQ(text(Decimal::parse("-" + nines) + Decimal::parse("0.9")), "-" + std::string(30, '9') + "8");
  EXPECT_THROW(Decimal::parse("999999999999999999999999999999.9") * Decimal(10) + Decimal(1),
               CORBA::DATA_CONVERSION);
  // The first operand alone leaves room for 11 digits behind the point, and the sum for 12.
  EXPECT_EQ(text(Decimal::parse("10000000000000000000.5") - Decimal::parse("0.600000000001")),
            "9999999999999999999.899999999999");
  const Decimal least = Decimal::parse("0." + std::string(30, '0') + "1");
  EXPECT_EQ(text(Decimal(1) - least), "0." + nines);
  EXPECT_EQ(text(Decimal(1) - least + least), "1." + std::string(30, '0'));
  EXPECT_EQ(text(Decimal(-1) + least), "-0." + nines);
  EXPECT_EQ(text(least - least), "0." + std::string(31, '0'));
}

TEST(Decimal, products_lose_the_last_digits_behind_the_point) {
  EXPECT_EQ(text(Decimal::parse("1.5") * Decimal::parse("-1.5")), "-2.25");
  const Decimal third = Decimal::parse("0.3333333333333333333333333333333");
  EXPECT_EQ(text(third * third), "0.1111111111111111111111111111110");
  EXPECT_THROW(Decimal::parse("1" + std::string(30, '0')) * Decimal(10), CORBA::DATA_CONVERSION);
}

TEST(Decimal, quotients_have_as_many_digits_as_there_are) {
  EXPECT_EQ(text(Decimal(1) / Decimal(4)), "0.25");
  EXPECT_EQ(text(Decimal(-1) / Decimal(3)), "-0." + std::string(31, '3'));
  EXPECT_EQ(text(Decimal(100) / Decimal::parse("0.5")), "200");
  EXPECT_THROW(Decimal(1) / Decimal(0), CORBA::DATA_CONVERSION);
}

TEST(Decimal, compares_by_value_and_not_by_scale) {
  EXPECT_EQ(Decimal::parse("1.50"), Decimal::parse("1.5"));
  EXPECT_LT(Decimal::parse("-0.1"), Decimal::parse("-0.01"));
  EXPECT_GT(Decimal::parse("2"), Decimal::parse("1.9999999999999999999999999999"));
  EXPECT_LT(Decimal::parse("0.5"), Decimal::parse(nines));
}

}  // namespace
}  // namespace IDL
