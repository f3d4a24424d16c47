// Generated abstract interfaces: one reference type for objects and values.
#include "abstract_kinds.h"
#include "passing.h"

namespace {

using CORBA::make_reference;
using namespace mapping_test;
using takt::cdr::ByteOrder;
using DescribedRef = IDL::traits<Shapes::Described>::ref_type;

static_assert(IDL::traits<Shapes::Described>::is_abstract::value);
static_assert(!IDL::traits<Shapes::Window>::is_abstract::value);
static_assert(std::is_same_v<IDL::traits<Shapes::Described>::in_type, DescribedRef>);

// A reference to a window that does not exist.
IDL::traits<Shapes::Window>::ref_type window() {
  const auto object = Receiver::orb()->string_to_object("corbaloc:iiop:127.0.0.1:1/window");
  return takt::reference::unchecked_narrow<Shapes::Window>(object);
}

Receiver knowing_circles() {
  Receiver receiver;
  receiver.add(Shapes::Circle::_repository_id(), make_reference<CircleFactory>());
  return receiver;
}

TEST(Abstract, ABooleanSaysWhatFollows) {
  const auto object = encoded(DescribedRef(window()), ByteOrder::big);
  EXPECT_EQ(object[0], 1);
  EXPECT_EQ(object.size(), 4 + encoded(window(), ByteOrder::big).size());
  const auto value = encoded(DescribedRef(make_reference<Circle>(1.0)), ByteOrder::big);
  EXPECT_EQ(value[0], 0);
  EXPECT_EQ(value[4], 0x7f);
  EXPECT_EQ(encoded(DescribedRef(), ByteOrder::big), std::vector<std::uint8_t>(8, 0));
}

TEST(Abstract, ObjectsStayObjects) {
  for (const auto order : both_orders) {
    const auto back = sent(DescribedRef(window()), order);
    ASSERT_TRUE(back);
    EXPECT_TRUE(back->_to_value() == nullptr);
    ASSERT_TRUE(back->_to_object());
    EXPECT_TRUE(back->_to_object()->_is_equivalent(window()));
  }
}

TEST(Abstract, ValuesStayValues) {
  for (const auto order : both_orders) {
    const auto back = sent(DescribedRef(make_reference<Circle>(2.0, window())), order, knowing_circles());
    ASSERT_TRUE(back);
    EXPECT_TRUE(back->_to_object() == nullptr);
    EXPECT_EQ(back->describe(Shapes::Described::Detail::brief), "a circle");
    const auto circle = IDL::traits<Shapes::Circle>::narrow(back->_to_value());
    ASSERT_TRUE(circle && circle->inside());
    EXPECT_EQ(circle->radius(), 2.0);
    EXPECT_TRUE(circle->inside()->_to_object()->_is_equivalent(window()));
    EXPECT_TRUE(IDL::traits<Shapes::Scaled>::narrow(back).get() == circle.get());
  }
}

TEST(Abstract, NilIsNeither) {
  for (const auto order : both_orders) EXPECT_TRUE(sent(DescribedRef(), order) == nullptr);
  DescribedRef read = window();
  const std::vector<std::uint8_t> nil_object{1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0};
  Receiver receiver;
  ASSERT_TRUE(decoded(nil_object, ByteOrder::big, receiver, read));
  EXPECT_TRUE(read == nullptr);
  EXPECT_THROW(read->kind(), CORBA::INV_OBJREF);
}

TEST(Abstract, AValueThatIsNoneOfThemIsRefused) {
  Receiver receiver = knowing_circles();
  receiver.add(Shapes::Set::_repository_id(), make_reference<Shapes::Set_init>());
  std::vector<std::uint8_t> octets(4, 0);
  const auto set = encoded(Shapes::Set::_ref_type(make_reference<Shapes::obv::Set>()), ByteOrder::big);
  octets.insert(octets.end(), set.begin(), set.end());
  DescribedRef none;
  EXPECT_FALSE(decoded(octets, ByteOrder::big, receiver, none));
}

TEST(Abstract, AsMembersSharedBetweenReferencesOfAnyKind) {
  const auto circle = make_reference<Circle>(3.0);
  circle->inside(circle);
  for (const auto order : both_orders) {
    const auto back = sent(Shapes::Holder(circle, circle), order, knowing_circles());
    ASSERT_TRUE(back.one() && back.two());
    EXPECT_TRUE(back.one()->_to_value() == back.two()->_to_value());
    EXPECT_EQ(back.two()->size(), 6.0);
    IDL::traits<Shapes::Circle>::narrow(back.one()->_to_value())->inside(nullptr);
    Shapes::Either either;
    either.some(window());
    EXPECT_TRUE(sent(either, order).some()->_to_object());
  }
  circle->inside(nullptr);
}

TEST(Abstract, InTheChunksOfAValue) {
  const auto circle = make_reference<Circle>(4.0);
  const Shapes::Set::_ref_type set =
      make_reference<Shapes::obv::Chunked>(circle, Shapes::Many{window(), nullptr, circle}, window());
  Receiver whole = knowing_circles(), base = knowing_circles();
  whole.add(Shapes::Chunked::_repository_id(), make_reference<Shapes::Chunked_init>());
  for (const auto order : both_orders)
    for (const Receiver& receiver : {whole, base}) {
      const auto back = sent(set, order, receiver);
      ASSERT_TRUE(back);
      ASSERT_EQ(back->rest().size(), 3u);
      EXPECT_TRUE(back->first() == back->rest()[2]);
      EXPECT_TRUE(back->rest()[0]->_to_object());
      EXPECT_TRUE(back->rest()[1] == nullptr);
    }
}

TEST(Abstract, InAny) {
  CORBA::Any any;
  any <<= DescribedRef(make_reference<Circle>(5.0));
  EXPECT_EQ(any.type()->kind(), CORBA::TCKind::tk_abstract_interface);
  DescribedRef out;
  ASSERT_TRUE(any >>= out);
  EXPECT_EQ(out->kind(), "value");
  CORBA::Any here;
  here <<= DescribedRef(window());
  ASSERT_TRUE(here >>= out);
  EXPECT_TRUE(out->_to_object()->_is_equivalent(window()));
  Shapes::Scaled::_ref_type other;
  EXPECT_FALSE(any >>= other);
  for (const auto order : both_orders) {
    ASSERT_TRUE(sent(any, order, knowing_circles()) >>= out);
    EXPECT_EQ(out->describe(Shapes::Described::Detail::full), "a circle of 5.000000");
    CORBA::Any object;
    object <<= DescribedRef(window());
    ASSERT_TRUE(sent(object, order) >>= out);
    EXPECT_TRUE(out->_to_object());
  }
}

TEST(Abstract, TypeCodes) {
  EXPECT_EQ(Shapes::_tc_Scaled->kind(), CORBA::TCKind::tk_abstract_interface);
  EXPECT_EQ(Shapes::_tc_Scaled->id(), "IDL:Shapes/Scaled:1.0");
  EXPECT_EQ(Shapes::_tc_Circle->member_type(1)->kind(), CORBA::TCKind::tk_abstract_interface);
  EXPECT_EQ(Shapes::_tc_Many->content_type()->content_type()->name(), "Described");
  EXPECT_EQ(text_of(DescribedRef()), "nil");
  EXPECT_EQ(text_of(DescribedRef(window())), "abstract IDL:Shapes/Described:1.0");
}

TEST(Abstract, CopiesReferToTheSameObjectsAndToCopiesOfValues) {
  const auto outer = make_reference<Circle>(1.0, make_reference<Circle>(2.0, window()));
  const auto copy = IDL::traits<Shapes::Circle>::narrow(outer->_copy_value());
  ASSERT_TRUE(copy && copy->inside());
  EXPECT_TRUE(copy->inside() != outer->inside());
  const auto inner = IDL::traits<Shapes::Circle>::narrow(copy->inside()->_to_value());
  EXPECT_EQ(inner->radius(), 2.0);
  EXPECT_TRUE(inner->inside()->_to_object()->_is_equivalent(window()));
}

class Sketch final : public virtual IDL::traits<Shapes::Sketch>::base_type {
 public:
  std::string describe(Shapes::Described::Detail) override { return text_; }
  std::string kind() override { return "local"; }
  std::string text() override { return text_; }
  void text(const std::string& value) override { text_ = value; }

 private:
  std::string text_;
};

TEST(Abstract, LocalObjectsToo) {
  const DescribedRef sketch = make_reference<Sketch>();
  EXPECT_EQ(sketch->kind(), "local");
  EXPECT_TRUE(IDL::traits<Shapes::Sketch>::narrow(sketch->_to_object()));
  CORBA::Any any;
  EXPECT_THROW(any <<= sketch, CORBA::MARSHAL);
}

}  // namespace
