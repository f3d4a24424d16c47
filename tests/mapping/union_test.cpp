#include "round_trip.h"
#include "samples.h"

namespace {

template <class Run>
void expect_bad_param(Run run) {
  try {
    run();
    ADD_FAILURE() << "BAD_PARAM was expected";
  } catch (const CORBA::BAD_PARAM& refused) {
    EXPECT_EQ(refused.minor(), CORBA::omg_minor(34));
  }
}

TEST(Unions, StartWithTheirDefault) {
  const Types::Number number;
  EXPECT_EQ(number.d(), 0.0);
  EXPECT_NE(number._d(), 1);
  const Types::Implicit implicit;
  EXPECT_EQ(implicit._d(), Types::Colour::green);
  const Types::Covered covered;
  EXPECT_TRUE(covered._d());
  EXPECT_EQ(covered.why(), "");
}

TEST(Unions, SettersSelect) {
  Types::Number number;
  number.l(4);
  EXPECT_EQ(number._d(), 1);
  EXPECT_EQ(number.l(), 4);
  number.l(5, 2);
  EXPECT_EQ(number._d(), 2);
  number.s("text");
  EXPECT_EQ(number._d(), 3);
  number.s() += "!";
  EXPECT_EQ(number.s(), "text!");
  number.d(1.5, 99);
  EXPECT_EQ(number._d(), 99);
}

TEST(Unions, OtherMembersAreRefused) {
  Types::Number number;
  number.l(4);
  expect_bad_param([&] { number.s(); });
  expect_bad_param([&] { number.l(1, 3); });
  expect_bad_param([&] { number._d(3); });
  number._d(2);
  EXPECT_EQ(number.l(), 4);
}

TEST(Unions, ImplicitDefaultHasNoMember) {
  Types::Implicit implicit;
  implicit.p({1, 2});
  implicit._default();
  EXPECT_EQ(implicit._d(), Types::Colour::green);
  expect_bad_param([&] { implicit.p(); });
}

TEST(Unions, CompareAndSwap) {
  Types::Number a, b;
  a.l(1);
  b.l(1, 2);
  EXPECT_FALSE(a == b);
  swap(a, b);
  EXPECT_EQ(a._d(), 2);
}

}  // namespace
