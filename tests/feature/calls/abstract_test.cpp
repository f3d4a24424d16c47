// Abstract interfaces between two ORBs over loopback: objects are called back, valuetypes are copied.
#include <gtest/gtest.h>

#include "abstractS.h"
#include "abstract_kinds.h"
#include "orbs.h"

namespace feature {

namespace {

using CORBA::make_reference;
using mapping_test::Circle;
using mapping_test::CircleFactory;
using Detail = Shapes::Described::Detail;
using DescribedRef = IDL::traits<Shapes::Described>::ref_type;
using ScaledRef = IDL::traits<Shapes::Scaled>::ref_type;

class WindowServant final : public virtual CORBA::servant_traits<Shapes::Window>::base_type {
 public:
  void close() override { size_ = 0; }
  std::string describe(Detail how) override { return how == Detail::full ? "a window in full" : "a window"; }
  std::string kind() override { return "object"; }
  void scale(double by) override {
    if (by <= 0) throw Shapes::Refused(this->_this(), "too small");
    size_ = size_ * by;
  }
  double size() override { return size_; }
  void size(double value) override { size_ = value; }

 private:
  std::atomic<double> size_{1};
};

class GalleryServant final : public virtual CORBA::servant_traits<Shapes::Gallery>::base_type {
 public:
  DescribedRef pass(DescribedRef one, ScaledRef& two, DescribedRef& three) override {
    three = two;
    if (two) two->scale(2);
    return one;
  }
  Shapes::Many rotate(const Shapes::Many& all) override { return {all.rbegin(), all.rend()}; }
  Shapes::Set::_ref_type repack(Shapes::Set::_ref_type all) override { return all; }
  CORBA::Any pass_any(const CORBA::Any& some) override { return some; }
  void refuse(DescribedRef by) override { throw Shapes::Refused(by, by->kind()); }
  ScaledRef favourite() override { return favourite_; }
  void favourite(ScaledRef value) override { favourite_ = value; }

 private:
  ScaledRef favourite_;
};

class AbstractCalls : public testing::Test {
 protected:
  AbstractCalls() {
    for (const Orb& orb : {orbs.server, orbs.client})
      orb->register_value_factory(Shapes::Circle::_repository_id(), make_reference<CircleFactory>());
  }

  ServerAndClient orbs;
  IDL::traits<Shapes::Window>::ref_type window =
      orbs.publish<Shapes::Window>(make_reference<WindowServant>());
  IDL::traits<Shapes::Gallery>::ref_type gallery =
      orbs.publish<Shapes::Gallery>(make_reference<GalleryServant>());
};

TEST_F(AbstractCalls, InheritedOperationsCallTheObject) {
  window->size(3);
  window->scale(2);
  EXPECT_EQ(window->size(), 6);
  EXPECT_EQ(window->describe(Detail::full), "a window in full");
  EXPECT_TRUE(window->_is_a("IDL:Shapes/Described:1.0"));
}

TEST_F(AbstractCalls, AnObjectIsPassedByReference) {
  window->size(1);
  ScaledRef two = window;
  DescribedRef three;
  const DescribedRef back = gallery->pass(window, two, three);
  ASSERT_TRUE(back && two && three);
  EXPECT_EQ(window->size(), 2) << "the servant scaled the same window";
  EXPECT_EQ(back->kind(), "object");
  EXPECT_EQ(three->describe(Detail::brief), "a window");
  EXPECT_TRUE(back->_to_object()->_is_equivalent(window));
  EXPECT_TRUE(back->_to_value() == nullptr);
  const auto scaled = IDL::traits<Shapes::Scaled>::narrow(back);
  ASSERT_TRUE(scaled);
  EXPECT_EQ(scaled->size(), 2);
  EXPECT_TRUE(IDL::traits<Shapes::Window>::narrow(back->_to_object()));
  EXPECT_TRUE(IDL::traits<Shapes::Described>::narrow(gallery) == nullptr);
}

TEST_F(AbstractCalls, AValueIsCopied) {
  const auto circle = make_reference<Circle>(1.0);
  ScaledRef two = circle;
  DescribedRef three;
  const DescribedRef back = gallery->pass(circle, two, three);
  ASSERT_TRUE(back && two && three);
  EXPECT_EQ(circle->radius(), 1.0) << "the servant scaled its copy";
  EXPECT_EQ(two->size(), 4.0);
  EXPECT_EQ(back->kind(), "value");
  EXPECT_TRUE(back == three && two.get() == dynamic_cast<Shapes::Scaled*>(back.get()))
      << "what the servant gave thrice is one value";
}

TEST_F(AbstractCalls, NilBothWays) {
  ScaledRef two;
  DescribedRef three;
  EXPECT_TRUE(gallery->pass(nullptr, two, three) == nullptr);
  EXPECT_TRUE(two == nullptr && three == nullptr);
  EXPECT_TRUE(gallery->favourite() == nullptr);
  gallery->favourite(window);
  EXPECT_EQ(gallery->favourite()->kind(), "object");
}

TEST_F(AbstractCalls, BothInOneSequenceAndInAValue) {
  const auto circle = make_reference<Circle>(2.0, window);
  const auto back = gallery->rotate({window, nullptr, circle, circle});
  ASSERT_EQ(back.size(), 4u);
  EXPECT_TRUE(back[0] == back[1] && back[2] == nullptr);
  EXPECT_EQ(back[3]->kind(), "object");
  const auto copy = IDL::traits<Shapes::Circle>::narrow(back[0]->_to_value());
  EXPECT_EQ(copy->inside()->describe(Detail::brief), "a window");
  const auto set = gallery->repack(make_reference<Shapes::obv::Set>(window, Shapes::Many{circle}));
  EXPECT_EQ(set->first()->kind() + " " + set->rest()[0]->kind(), "object value");
}

TEST_F(AbstractCalls, InAnExceptionAndInAny) {
  try {
    window->scale(0);
    FAIL() << "nothing was thrown";
  } catch (const Shapes::Refused& refused) {
    EXPECT_TRUE(refused.by()->_to_object()->_is_equivalent(window));
  }
  try {
    gallery->refuse(make_reference<Circle>(1.0));
    FAIL() << "nothing was thrown";
  } catch (const Shapes::Refused& refused) {
    EXPECT_EQ(refused.why() + refused.by()->kind(), "valuevalue");
  }
  for (const DescribedRef& one : {DescribedRef(window), DescribedRef(make_reference<Circle>(1.0))}) {
    CORBA::Any any;
    any <<= one;
    DescribedRef back;
    ASSERT_TRUE(gallery->pass_any(any) >>= back);
    EXPECT_EQ(back->kind(), one->kind());
  }
}

TEST_F(AbstractCalls, CollocatedObjectsAreCalledDirectly) {
  const auto here = orbs.server->string_to_object(orbs.client->object_to_string(window));
  const auto described = IDL::traits<Shapes::Described>::narrow(here);
  ASSERT_TRUE(described);
  EXPECT_EQ(described->describe(Detail::full), "a window in full");
}

}  // namespace
}  // namespace feature
