#include "objectsC.h"
#include "round_trip.h"
#include "samples.h"

namespace {

using namespace mapping_test;

TEST(Text, Structs) {
  EXPECT_EQ(text_of(Types::Point(1, 2)), "Types::Point{x=1,y=2}");
  EXPECT_EQ(text_of(Types::Point4(Types::Point(1, 2), 3)), "Types::Point4{Types::Point{x=1,y=2},t=3}");
  std::ostringstream out;
  out << Types::Point(1, 2) << Types::Colour::blue;
  EXPECT_EQ(out.str(), "Types::Point{x=1,y=2}Types::Colour::blue");
}

TEST(Text, Unions) {
  Types::Number number;
  number.s("x");
  EXPECT_EQ(text_of(number), "Types::Number {s=\"x\"}");
  EXPECT_EQ(text_of(Types::Implicit()), "Types::Implicit {}");
}

TEST(Text, Collections) {
  EXPECT_EQ(text_of(Types::Octets{1, 255}), "<1,255>");
  EXPECT_EQ(text_of(Types::Flags{true, false}), "<true,false>");
  EXPECT_EQ(text_of(Types::Matrix{{{1, 2, 3}, {4, 5, 6}}}), "[[1,2,3],[4,5,6]]");
  EXPECT_EQ(text_of(Types::Ages{{"a", 1}, {"b", 2}}), "{{\"a\",1},{\"b\",2}}");
  EXPECT_EQ(text_of(Types::Few{1}), "<1>");
  EXPECT_EQ(text_of(Types::ShortText("x")), "\"x\"");
}

TEST(Text, Primitives) {
  EXPECT_EQ(text_of(true), "true");
  EXPECT_EQ(text_of('c'), "'c'");
  EXPECT_EQ(text_of(std::wstring(L"a\u20ac")), "L\"a\\u20ac\"");
  EXPECT_EQ(text_of(std::uint8_t{65}), "65");
  EXPECT_EQ(text_of(Types::Price("1.5")), "1.50");
  EXPECT_EQ(text_of(Types::Small(Types::Small::two)), "2");
}

TEST(Text, ExceptionsAndReferences) {
  EXPECT_EQ(text_of(Types::Failed("no", {})), "Types::Failed{why=\"no\",where=Types::Point{x=0,y=0}}");
  EXPECT_EQ(text_of(CORBA::object_reference<Objects::Base>()), "nil");
  EXPECT_EQ(text_of(Objects::Base::Mood::wild), "Objects::Base::Mood::wild");
}

}  // namespace

// A custom layout.
template <class Out>
struct IDL::formatter<Types::Block, Out> {
  void write(Out& out, const Types::Block& block) const { out << "block " << block.l(); }
};

namespace {
TEST(Text, FormattersAreUsedWhereverTheTypeOccurs) {
  EXPECT_EQ(text_of(Types::Blocks{{1, 'a', 2, 3, 4}}), "<block 2>");
}
}  // namespace

// In the mapping's form: a function object for one kind of stream.
template <>
struct IDL::formatter<Types::Point3, std::ostream> {
  std::ostream& operator()(std::ostream& out, const Types::Point3& point) const {
    return out << "at " << point.z();
  }
};

namespace {

struct Loud {
  std::ostream& operator()(std::ostream& out, const Types::Point& point) const {
    return out << "POINT " << point.x();
  }
};

TEST(Text, AFormatterForStandardStreamsServesAllThatDeriveFromThem) {
  const Types::Point3 point(Types::Point(1, 2), 7);
  EXPECT_EQ(text_of(point), "at 7");
  EXPECT_EQ(text_of(std::vector{point, point}), "<at 7,at 7>");
  std::ostringstream out;
  out << point;
  EXPECT_EQ(out.str(), "at 7");
}

TEST(Text, OneOutputCanHaveAFormatterOfItsOwn) {
  std::ostringstream out;
  out << IDL::traits<Types::Point>::write<Loud>(Types::Point(3, 4)) << ' ';
  IDL::traits<Types::Point>::write_on(out, Types::Point(5, 4), Loud());
  EXPECT_EQ(out.str(), "POINT 3 POINT 5");
}

TEST(Text, TheLayoutOfTheMappingIsAFormatterToo) {
  std::ostringstream out;
  using Formatter = IDL::formatter<Types::Octets, std::basic_ostream<char>>;
  out << IDL::traits<Types::Octets>::write<Formatter>(Types::Octets{1, 2});
  Formatter()(out, {3});
  EXPECT_EQ(out.str(), "<1,2><3>");
}

TEST(Text, BitSetsHaveTheirFields) {
  Types::Packed packed(5, true, -2);
  EXPECT_EQ(text_of(packed), "Types::Packed{a=5,flag=true,c=-2}");
  EXPECT_EQ(text_of(Types::Vacant()), "Types::Vacant{}");
  std::ostringstream out;
  out << packed << Types::Vacant();
  EXPECT_EQ(out.str(), "Types::Packed{a=5,flag=true,c=-2}Types::Vacant{}");
}

}  // namespace
