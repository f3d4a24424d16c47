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
