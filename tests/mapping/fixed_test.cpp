#include "round_trip.h"

namespace {

using Money = IDL::Fixed<7, 2>;

TEST(Fixed, FromAndToText) {
  EXPECT_EQ(Money("12.345").to_string(), "12.34");
  EXPECT_EQ(Money("-0.05").to_string(), "-0.05");
  EXPECT_EQ(Money(3).to_string(), "3.00");
  EXPECT_EQ(Money(2.5).to_string(), "2.50");
  EXPECT_EQ(static_cast<double>(Money("1.25")), 1.25);
  EXPECT_THROW(Money("123456.00"), CORBA::DATA_CONVERSION);
  EXPECT_THROW(Money("1,5"), CORBA::DATA_CONVERSION);
  EXPECT_THROW(Money(""), CORBA::DATA_CONVERSION);
}

TEST(Fixed, Arithmetic) {
  const Money a("12.34"), b("-2.5");
  EXPECT_EQ(Money(a + b).to_string(), "9.84");
  EXPECT_EQ(Money(a - b).to_string(), "14.84");
  EXPECT_EQ(Money(a * b).to_string(), "-30.85");
  EXPECT_EQ((a / 3).to_string(), "4.113333333333333333333333333333");
  EXPECT_EQ(Money(-a).to_string(), "-12.34");
  Money sum;
  for (int i = 0; i < 10; ++i) sum += Money("0.10");
  EXPECT_EQ(sum, Money(1));
  EXPECT_THROW(a / 0, CORBA::DATA_CONVERSION);
}

TEST(Fixed, RoundsAndTruncatesToThePlacesThatItHas) {
  const Money money("-12.35");
  EXPECT_EQ(money.round(1).to_string(), "-12.40");
  EXPECT_EQ(money.truncate(1).to_string(), "-12.30");
  const IDL::Fixed<20, 2> many("123456789012345678.25");
  for (const std::uint16_t scale : {2, 3, 15, 31, 200, 65535}) {
    EXPECT_EQ(many.round(scale), many);
    EXPECT_EQ(many.truncate(scale), many);
    EXPECT_EQ(Money().round(scale), Money());
    EXPECT_EQ(Money().truncate(scale), Money());
  }
}

TEST(Fixed, ManyDigits) {
  using Wide = IDL::Fixed<31, 10>;
  const Wide big("123456789012345678901.0123456789");
  EXPECT_EQ((big * IDL::Decimal::parse("0.5")).to_string(), "61728394506172839450.50617283945");
  EXPECT_EQ(IDL::Decimal(big - big + 1).to_string().substr(0, 2), "1.");
  EXPECT_THROW(big * big, CORBA::DATA_CONVERSION);
}

TEST(Fixed, Comparison) {
  EXPECT_LT(Money("1.20"), Money("1.21"));
  EXPECT_EQ(Money("1.2"), (IDL::Fixed<31, 20>("1.2")));
  EXPECT_GT((IDL::Fixed<31, 0>("9999999999999999999999999999999")), (IDL::Fixed<31, 31>("0.5")));
}

TEST(Fixed, ConvertsToNumbers) {
  const Money money("-123.95");
  EXPECT_EQ(static_cast<std::int64_t>(money), -123) << "the fraction is cut off";
  EXPECT_EQ(static_cast<short>(money), -123);
  EXPECT_EQ(static_cast<double>(money), -123.95);
  EXPECT_EQ(static_cast<float>(money), -123.95f);
  EXPECT_EQ(static_cast<long double>(Money("0.5")), 0.5L);
  EXPECT_THROW(static_cast<void>(static_cast<std::uint32_t>(money)), CORBA::DATA_CONVERSION);
  EXPECT_THROW(static_cast<void>(static_cast<std::int8_t>(Money("128"))), CORBA::DATA_CONVERSION);
  EXPECT_EQ(static_cast<std::int8_t>(Money("-128.99")), -128);
  using Wide = IDL::Fixed<31, 0>;
  EXPECT_EQ(static_cast<std::uint64_t>(Wide("18446744073709551615")), ~std::uint64_t{0});
  EXPECT_THROW(static_cast<void>(static_cast<std::uint64_t>(Wide("18446744073709551616"))),
               CORBA::DATA_CONVERSION);
  EXPECT_EQ(static_cast<std::int64_t>(Wide("-9223372036854775808")),
            std::numeric_limits<std::int64_t>::min());
  static_assert(!std::is_convertible_v<Money, int> && !std::is_convertible_v<Money, bool>);
}

TEST(Fixed, CountsUpAndDownAndIsTrueUnlessZero) {
  Money money("0.5");
  EXPECT_EQ(money++, Money("0.5"));
  EXPECT_EQ(++money, Money("2.5"));
  EXPECT_EQ(money--, Money("2.5"));
  EXPECT_EQ(--money, Money("0.5"));
  EXPECT_EQ(+money, money);
  EXPECT_TRUE(money ? true : false);
  EXPECT_TRUE(!Money());
  Money most("99999.99");
  EXPECT_THROW(++most, CORBA::DATA_CONVERSION);
  EXPECT_EQ(most, Money("99999.99"));
}

TEST(Fixed, IsReadFromStreams) {
  std::istringstream in("1.25 -3 x");
  Money money;
  in >> money;
  EXPECT_EQ(money, Money("1.25"));
  in >> money;
  EXPECT_EQ(money, Money("-3"));
  EXPECT_THROW(in >> money, CORBA::DATA_CONVERSION);
  EXPECT_EQ(money, Money("-3"));
  EXPECT_FALSE(in >> money) << "at the end";
  EXPECT_EQ(money, Money("-3"));
}

TEST(Fixed, OnTheWire) {
  const auto big = takt::cdr::ByteOrder::big;
  EXPECT_EQ(mapping_test::encoded(Money("-123.45"), big),
            (std::vector<std::uint8_t>{0x00, 0x12, 0x34, 0x5d}));
  EXPECT_EQ(mapping_test::encoded(IDL::Fixed<4, 2>("1.5"), big),
            (std::vector<std::uint8_t>{0x00, 0x15, 0x0c}));
  mapping_test::expect_round_trip(Money("99999.99"));
  Money money;
  EXPECT_FALSE(mapping_test::decode({0x00, 0x12, 0x3a, 0x5c}, big, money));
  EXPECT_FALSE(mapping_test::decode({0x00, 0x12, 0x34, 0x51}, big, money));
}

}  // namespace
