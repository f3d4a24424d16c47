// CORBA::Fixed and fixed types of the classic mapping. The same source runs against omniORB; under ASan,
// leaks and double frees fail it.
#include <gtest/gtest.h>

#include <limits>
#include <sstream>
#include <string>

#include "passing_fixed.h"

namespace {

std::string text(const CORBA::Fixed& value) {
  const CORBA::String_var spelled = value.to_string();
  return spelled.in();
}

TEST(Fixeds, NumbersHaveNoZerosAtTheirEnds) {
  EXPECT_EQ(text(CORBA::Fixed()), "0");
  EXPECT_EQ(text("12.50"), "12.5");
  EXPECT_EQ(text("000012.3400"), "12.34");
  EXPECT_EQ(text("-0.00"), "0");
  EXPECT_EQ(text(".5"), "0.5");
  EXPECT_EQ(text("5."), "5");
  EXPECT_EQ(text("+1.5d"), "1.5");
  EXPECT_EQ(text(" 1.5D"), "1.5");
  const CORBA::Fixed small("0.05"), large("12.50"), none;
  EXPECT_EQ(small.fixed_digits(), 2);
  EXPECT_EQ(small.fixed_scale(), 2);
  EXPECT_EQ(large.fixed_digits(), 3);
  EXPECT_EQ(large.fixed_scale(), 1);
  EXPECT_EQ(none.fixed_digits(), 0);
}

TEST(Fixeds, IntegersAndRealsConvert) {
  EXPECT_EQ(text(-12), "-12");
  EXPECT_EQ(text(4000000000u), "4000000000");
  EXPECT_EQ(text(std::numeric_limits<CORBA::LongLong>::min()), "-9223372036854775808");
  EXPECT_EQ(text(std::numeric_limits<CORBA::ULongLong>::max()), "18446744073709551615");
  EXPECT_EQ(text(-2.5), "-2.5");
  EXPECT_EQ(text(0.1), "0.1000000000000000055511151231258");
  EXPECT_EQ(text(1e30), "1000000000000000019884624838656");
  EXPECT_EQ(text(0.25L), "0.25");
  EXPECT_EQ(static_cast<CORBA::LongLong>(CORBA::Fixed("-12.99")), -12);
  EXPECT_EQ(static_cast<CORBA::LongDouble>(CORBA::Fixed("-12.75")), -12.75L);
}

template <class Action>
void converts_nothing(Action action) {
  EXPECT_THROW(action(), CORBA::DATA_CONVERSION);
}
TEST(Fixeds, ThatIsNoNumberOrTooLargeIsRefused) {
  for (const char* wrong : {"", "abc", "1.5x", "1.2.3", "-", "12345678901234567890123456789012"})
    converts_nothing([&] { text(wrong); });
  converts_nothing([] { text(1e40); });
  converts_nothing([] { text(-1e32L); });
  converts_nothing([] { text(CORBA::Fixed("9999999999999999999999999999999") + CORBA::Fixed(1)); });
  converts_nothing([] { text(CORBA::Fixed("99999999999999999999") * CORBA::Fixed("99999999999999999999")); });
  converts_nothing([] { (void)static_cast<CORBA::LongLong>(CORBA::Fixed("9223372036854775808")); });
  converts_nothing([] { Fixeds::Money("123456789.5"); });
  Fixeds::Money money("1.62");
  converts_nothing([&] { money = CORBA::Fixed("123456789"); });
#ifndef CLASSIC_BY_OMNIORB  // which changes it before it checks
  converts_nothing([&] { money *= CORBA::Fixed("99999999"); });
#endif
  EXPECT_EQ(text(money), "1.62");
}
#ifndef CLASSIC_BY_OMNIORB  // which ends the program
TEST(Fixeds, DivisionByZeroAndUnheardOfNumbersAreRefused) {
  converts_nothing([] { text(CORBA::Fixed(1) / CORBA::Fixed(0)); });
  converts_nothing([] { text(std::numeric_limits<double>::infinity()); });
  converts_nothing([] { text(std::numeric_limits<double>::quiet_NaN()); });
  converts_nothing([] { text(static_cast<const char*>(nullptr)); });
  CORBA::Any any;
  CORBA::Fixed number;
  EXPECT_THROW(any <<= CORBA::Any::from_fixed(1, 32, 2), CORBA::BAD_PARAM);
  EXPECT_THROW(any <<= CORBA::Any::from_fixed(1, 3, 4), CORBA::BAD_PARAM);
  EXPECT_THROW(any <<= CORBA::Any::from_fixed(1, 0, 0), CORBA::BAD_PARAM);
  EXPECT_THROW(any >>= CORBA::Any::to_fixed(number, 0, 0), CORBA::BAD_PARAM);
}
TEST(Fixeds, AreReadFromAndWrittenToStreams) {
  std::ostringstream out;
  out << CORBA::Fixed("-12.50") << ' ' << Fixeds::Money("0.999");
  EXPECT_EQ(out.str(), "-12.5 0.99");
  std::istringstream in("1.25 x");
  CORBA::Fixed number;
  in >> number;
  EXPECT_EQ(text(number), "1.25");
  EXPECT_THROW(in >> number, CORBA::DATA_CONVERSION);
  EXPECT_EQ(text(number), "1.25");
  EXPECT_FALSE(in >> number);
}
#endif

TEST(Fixeds, ManyZerosAreOneZero) {
  const std::string zeros(200, '0');
  EXPECT_EQ(text(("0." + zeros + "1").c_str()), "0");
  EXPECT_EQ(text((zeros + "7." + zeros).c_str()), "7");
  EXPECT_EQ(text("0.1234567890123456789012345678901234"), "0.1234567890123456789012345678901");
}

TEST(Fixeds, ArithmeticIsExactUpTo31Digits) {
  EXPECT_EQ(text(CORBA::Fixed("1.10") + CORBA::Fixed("2.90")), "4");
  EXPECT_EQ(text(CORBA::Fixed(1) - CORBA::Fixed("1.0")), "0");
  EXPECT_EQ(text(CORBA::Fixed("1.1") * CORBA::Fixed("2.25")), "2.475");
  EXPECT_EQ(text(CORBA::Fixed("-7") / CORBA::Fixed(2)), "-3.5");
  EXPECT_EQ(text(CORBA::Fixed(2) / CORBA::Fixed(3)), "0.6666666666666666666666666666666");
  EXPECT_EQ(text(-CORBA::Fixed("3.2")), "-3.2");
  EXPECT_EQ(text(+CORBA::Fixed("3.2")), "3.2");
  EXPECT_TRUE(!CORBA::Fixed("0.0"));
  EXPECT_FALSE(!CORBA::Fixed("-0.1"));
}
TEST(Fixeds, RoundAndTruncate) {
  EXPECT_EQ(text(CORBA::Fixed("12.345").round(2)), "12.35");
  EXPECT_EQ(text(CORBA::Fixed("-12.345").round(2)), "-12.35");
  EXPECT_EQ(text(CORBA::Fixed("12.345").truncate(2)), "12.34");
  EXPECT_EQ(text(CORBA::Fixed("12.3").truncate(0)), "12");
  EXPECT_EQ(text(CORBA::Fixed("9.99").round(1)), "10");
  EXPECT_EQ(text(CORBA::Fixed("12.345").round(40)), "12.345");
  EXPECT_EQ(text(CORBA::Fixed("12.345").truncate(65535)), "12.345");
}
TEST(Fixeds, Compare) {
  const CORBA::Fixed less("-1"), more("0.5");
  EXPECT_TRUE(less < more && less <= more && more > less && more >= less && less != more);
  EXPECT_TRUE(CORBA::Fixed("1.0") == CORBA::Fixed(1) && CORBA::Fixed(1) <= CORBA::Fixed("1.00"));
  EXPECT_FALSE(less == more || less > more || less >= more || more < less || more <= less);
}

TEST(Fixeds, VariablesOfATypeKeepItsLimits) {
  Fixeds::Money money("12.345");
  EXPECT_EQ(text(money), "12.34");
  money = "1.50";
  money += CORBA::Fixed("0.126");
  EXPECT_EQ(text(money), "1.62");
  EXPECT_EQ(text(++money), "2.62");
  EXPECT_EQ(text(money--), "2.62");
  EXPECT_EQ(text(money), "1.62");
  EXPECT_EQ(text(money * money), "2.6244");
  money = money * money;
  EXPECT_EQ(text(money), "2.62");
  money /= CORBA::Fixed(3);
  EXPECT_EQ(text(money), "0.87");
  money -= CORBA::Fixed(1);
  EXPECT_EQ(text(money), "-0.13");
  const Fixeds::Money copy(money);
  EXPECT_TRUE(copy == money);
}

TEST(Fixeds, Constants) {
  EXPECT_EQ(text(Fixeds::rate), "1.25");
  EXPECT_TRUE(Fixeds::fee == CORBA::Fixed("0.5"));
  EXPECT_EQ(text(Fixeds::Till::limit), "-100.5");
}

TEST(Fixeds, GoIntoAnysWithTheirTypes) {
  CORBA::Any any;
  any <<= CORBA::Any::from_fixed("123.456", 5, 2);
  const CORBA::TypeCode_var type = any.type();
  EXPECT_EQ(type->kind(), CORBA::tk_fixed);
  EXPECT_EQ(type->fixed_digits(), 5);
  EXPECT_EQ(type->fixed_scale(), 2);
  converts_nothing([&] { any <<= CORBA::Any::from_fixed("12345.3", 5, 2); });
  CORBA::Long other = 0;
  EXPECT_FALSE(any >>= other);
  const CORBA::TypeCode_var content = Fixeds::_tc_Money->content_type();
  EXPECT_EQ(content->fixed_digits(), 10);
  EXPECT_EQ(content->fixed_scale(), 2);
  any.type(type);
}

TEST(Fixeds, TypesOfIdlEqualThoseOfAnys) {
  CORBA::Any any;
  any <<= CORBA::Any::from_fixed(CORBA::Fixed("1.5"), 10, 2);
  const CORBA::TypeCode_var of_any = any.type(), of_idl = Fixeds::_tc_Money->content_type();
  EXPECT_TRUE(of_any->equal(of_idl));
  EXPECT_TRUE(of_idl->equivalent(of_any));
}

TEST(Fixeds, PassWithinTheProcess) {
  int argc = 0;
  CORBA::ORB_var orb = CORBA::ORB_init(argc, nullptr);
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
  PortableServer::POAManager_var manager = poa->the_POAManager();
  manager->activate();
  Till_i* const servant = new Till_i(orb);
  PortableServer::ObjectId_var id = poa->activate_object(servant);
  Fixeds::Till_var till = servant->_this();
  servant->_remove_ref();
  Checks checks;
  pass_all_fixed(checks, till);
#ifndef CLASSIC_BY_OMNIORB
  pass_items(checks, till);
#endif
  EXPECT_EQ(checks.failed(), 0);
  EXPECT_GT(checks.made(), 13);
  poa->deactivate_object(id);
}

}  // namespace
