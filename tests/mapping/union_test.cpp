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

TEST(Unions, SettersTakePartsOfTheUnion) {
  const auto leaf = [](std::int32_t value) {
    Types::Node node;
    node.leaf(value);
    return node;
  };
  Types::Node inner, outer;
  inner.nodes({leaf(1), leaf(2), leaf(3), leaf(4), leaf(5)});
  outer.nodes({inner, leaf(6)});
  Types::Node copied = outer, moved = outer;
  copied.nodes(copied.nodes()[0].nodes());
  EXPECT_TRUE(copied == inner);
  moved.nodes(std::move(moved.nodes()[0].nodes()));
  EXPECT_TRUE(moved == inner);
  copied.leaf(copied.nodes()[4].leaf());
  EXPECT_EQ(copied.leaf(), 5);
  Types::Implicit implicit;
  implicit.p({1, 2});
  implicit.p(implicit.p());
  EXPECT_EQ(implicit.p().y(), 2);
}

struct NeverCopied {
  NeverCopied() = default;
  NeverCopied(const NeverCopied&) { throw std::bad_alloc(); }
  NeverCopied(NeverCopied&&) noexcept = default;
};
class MayFail : public takt::cdr::Union<MayFail, std::int32_t, std::string, NeverCopied> {
 public:
  static constexpr takt::cdr::UnionLabels<std::int32_t, 2> _labels{{{1, 0}, {2, 1}}};
  static constexpr std::size_t _default_arm = 2;

  MayFail() : _base(1) {}
  void text(const std::string& value) { set<0>(1, value); }
  const std::string& text() const { return get<0>(); }
  void never(const NeverCopied& value) { set<1>(2, value); }
};

TEST(Unions, ASetterThatThrowsChangesNothing) {
  MayFail u;
  u.text("still here");
  EXPECT_THROW(u.never(NeverCopied()), std::bad_alloc);
  EXPECT_EQ(u._d(), 1);
  EXPECT_EQ(u.text(), "still here");
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
