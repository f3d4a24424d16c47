#include "round_trip.h"
#include "samples.h"

namespace {

using namespace mapping_test;

TEST(RoundTrip, Primitives) { expect_round_trip(primitives()); }

TEST(RoundTrip, StructOfEverything) { expect_round_trip(everything()); }

TEST(RoundTrip, InheritedStruct) {
  const Types::Point3 point(Types::Point(1, 2), 3);
  EXPECT_EQ(point.x(), 1);
  EXPECT_EQ(point.z(), 3);
  expect_round_trip(point);
  EXPECT_EQ(encoded(point, takt::cdr::ByteOrder::big),
            (std::vector<std::uint8_t>{0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3}));
}

TEST(RoundTrip, OptionalMembers) {
  Types::Maybe maybe;
  EXPECT_FALSE(maybe.number().has_value());
  EXPECT_EQ(maybe.seven(), 7);
  expect_round_trip(maybe);
  maybe.number(5);
  maybe.text("here");
  expect_round_trip(maybe);
}

TEST(RoundTrip, EnumeratorsWithValuesOfTheirOwn) {
  Types::Levels levels;
  EXPECT_EQ(levels.one(), Types::Level::low) << "0 is no enumerator";
  expect_round_trip(levels);
  levels.one(Types::Level::high);
  expect_round_trip(levels);
  EXPECT_EQ(encoded(levels, takt::cdr::ByteOrder::big), (std::vector<std::uint8_t>{0, 0, 0, 7}));
  for (std::uint8_t number = 0; number < 10; ++number)
    EXPECT_EQ(decode({0, 0, 0, number}, takt::cdr::ByteOrder::big, levels), number == 2 || number == 7);
  EXPECT_EQ(text_of(Types::Level::low), "Types::Level::low");
  EXPECT_EQ(text_of(Types::Level::high), "Types::Level::high");
}

TEST(RoundTrip, RecursiveStruct) { expect_round_trip(tree()); }

TEST(RoundTrip, Unions) {
  Types::Number number;
  expect_round_trip(number);
  number.l(5, 2);
  expect_round_trip(number);
  number.s("three");
  expect_round_trip(number);
  Types::Implicit implicit;
  expect_round_trip(implicit);
  implicit.many({1, 2});
  expect_round_trip(implicit);
  Types::Node node, leaf;
  leaf.leaf(3);
  node.nodes({leaf, leaf});
  expect_round_trip(node);
  Types::Inner inner;
  inner.pair({1, 2});
  expect_round_trip(inner);
  Types::Letter letter;
  letter.each(Types::Price(12));
  expect_round_trip(letter);
}

TEST(RoundTrip, BitsTravelAsNumbers) {
  Types::Bits bits;
  bits.may(Types::Rights::read | Types::Rights::run);
  bits.little(Types::Small::two);
  bits.dense().a(5);
  bits.dense().flag(true);
  bits.dense().c(-3);
  EXPECT_EQ(bits.dense().a(), 5);
  EXPECT_TRUE(bits.dense().flag());
  EXPECT_EQ(bits.dense().c(), -3);
  expect_round_trip(bits);
}

TEST(RoundTrip, Exceptions) {
  const Types::Failed failed("why", {1, 2});
  expect_round_trip(failed);
  EXPECT_STREQ(failed._rep_id(), "IDL:Types/Failed:1.0");
  EXPECT_STREQ(failed._name(), "Failed");
  EXPECT_THROW(failed._raise(), Types::Failed);
  const Types::Taken taken("a name", 3);
  EXPECT_EQ(taken._cxx_what(), "a name");
  EXPECT_EQ(std::string_view(taken.what()).substr(0, 20), "IDL:Types/Taken:1.0{") << "std::exception's";
}

TEST(RoundTrip, KeywordsAsNames) {
  Types::keywords words(1, "two", 3, true);
  words._cxx_class(4);
  EXPECT_EQ(words._cxx_operator(), "two");
  expect_round_trip(words);
  expect_round_trip(Types::_cxx_namespace::_cxx_new);
}

template <class T>
void expect_too_long(const T& value) {
  takt::GatherBuffer buffer;
  takt::cdr::Encoder encoder(buffer, format_of(takt::cdr::native_order));
  takt::cdr::write(encoder, value);
  EXPECT_EQ(encoder.error(), takt::cdr::Error::too_long);
}

TEST(Bounds, AreHeldWhenWriting) {
  expect_too_long(Types::Few{1, 2, 3, 4});
  expect_too_long(Types::ShortText("abcdef"));
  expect_too_long(Types::ShortWide(L"abcdef"));
  expect_too_long(Types::FewPaths{{1, {}}, {2, {}}, {3, {}}, {4, {}}, {5, {}}});
}

TEST(Bounds, AreHeldWhenReading) {
  const auto octets = encoded(std::vector<std::int32_t>{1, 2, 3, 4}, takt::cdr::native_order);
  Types::Few few;
  EXPECT_FALSE(decode(octets, takt::cdr::native_order, few));
  const auto text = encoded(std::string("abcdef"), takt::cdr::native_order);
  Types::ShortText short_text;
  EXPECT_FALSE(decode(text, takt::cdr::native_order, short_text));
}

TEST(Enums, UnknownOrdinalsAreRefused) {
  Types::Colour colour;
  EXPECT_FALSE(decode({0, 0, 0, 3}, takt::cdr::ByteOrder::big, colour));
  EXPECT_TRUE(decode({0, 0, 0, 2}, takt::cdr::ByteOrder::big, colour));
}

TEST(Constants, HaveTheirValues) {
  static_assert(answer == 42 && Types::eight_bits == 255 && Types::yes &&
                Types::favourite == Types::Colour::green);
  static_assert(Types::least == INT64_MIN && Types::most == UINT64_MAX && Types::half == 0.5);
  EXPECT_EQ(Types::text, "a \"quoted\" line\n");
  EXPECT_EQ(Types::wide_text, L"caf\u00e9");
  EXPECT_EQ(Types::cost.to_string(), "12.5");
  EXPECT_EQ(Types::quote, '\'');
}

TEST(Structs, MembersStartWithNothing) {
  const Types::Everything all;
  EXPECT_EQ(all.tint(), Types::Colour::red);
  EXPECT_EQ(all.grid()[1][2], 0);
  EXPECT_EQ(all.basics().d(), 0);
  EXPECT_FALSE(all.basics().b());
}

TEST(Structs, SwapAndCompare) {
  Types::Point a(1, 2), b(3, 4);
  swap(a, b);
  EXPECT_EQ(a, Types::Point(3, 4));
  a.swap(b);
  EXPECT_EQ(a, Types::Point(1, 2));
  EXPECT_FALSE(a == b);
  a.x() = 9;
  EXPECT_EQ(a.x(), 9);
}

static_assert(takt::cdr::is_block_struct<Types::Block> && takt::cdr::is_block_struct<Types::Point>);
static_assert(std::is_same_v<IDL::traits<Types::Point>::in_type, const Types::Point&>);
static_assert(std::is_same_v<IDL::traits<std::int32_t>::in_type, std::int32_t>);
static_assert(std::is_same_v<IDL::traits<Types::Rights>::in_type, Types::Rights>);
static_assert(IDL::traits<Types::Few>::is_bounded::value && IDL::traits<Types::Few>::bound::value == 3);
static_assert(!IDL::traits<Types::Octets>::is_bounded::value);
static_assert(IDL::traits<Types::Price>::digits::value == 5 && IDL::traits<Types::Price>::scale::value == 2);
static_assert(IDL::traits<Types::Matrix>::dimensions::value == 2);

}  // namespace
