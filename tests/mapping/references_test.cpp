// References of every kind: narrowing nil, weak references, making objects by their traits.
#include "abstractC.h"
#include "objectsC.h"
#include "objectsS.h"
#include "passing.h"
#include "value_kinds.h"
#include "valuesC.h"

namespace {

using namespace mapping_test;

TEST(Narrow, OfNullptrIsNil) {
  EXPECT_FALSE(IDL::traits<Objects::Base>::narrow(nullptr));
  EXPECT_FALSE(IDL::traits<Objects::Here>::narrow(nullptr));
  EXPECT_FALSE(IDL::traits<CORBA::Object>::narrow(nullptr));
  EXPECT_FALSE(IDL::traits<Values::Node>::narrow(nullptr));
  EXPECT_FALSE(IDL::traits<Shapes::Described>::narrow(nullptr));
  EXPECT_FALSE(CORBA::servant_traits<Objects::Base>::narrow(nullptr));
  EXPECT_FALSE(IDL::traits<CORBA::ValueFactoryBase>::narrow(nullptr));
}

TEST(WeakReferences, OfAbstractInterfacesExpire) {
  using Traits = IDL::traits<Shapes::Described>;
  Traits::ref_type strong =
      CORBA::make_reference<Shapes::obv::Set>() ? Traits::ref_type() : Traits::ref_type();
  Traits::weak_ref_type weak = strong;
  EXPECT_TRUE(weak.expired());
  const auto object = Receiver::orb()->string_to_object("corbaloc:iiop:127.0.0.1:1/window");
  strong = takt::reference::unchecked_narrow<Shapes::Window>(object);
  weak = strong.weak_reference();
  EXPECT_EQ(weak.lock(), strong);
  Traits::weak_ref_type other;
  other.swap(weak);
  EXPECT_TRUE(weak.expired());
  EXPECT_FALSE(other.expired());
  strong.reset();
  EXPECT_TRUE(other.expired());
  EXPECT_FALSE(other.lock());
  other.reset();
}

TEST(WeakReferences, OfValuesSwap) {
  auto value = CORBA::make_reference<Values::obv::Node>();
  IDL::traits<Values::obv::Node>::weak_ref_type weak = value, other;
  other.swap(weak);
  EXPECT_TRUE(weak.expired());
  EXPECT_EQ(other.lock(), value);
}

class HereImpl : public virtual IDL::traits<Objects::Here>::base_type {
 public:
  std::int32_t count(IDL::traits<Objects::Base>::ref_type) override { return level_; }
  std::int32_t level() override { return level_; }
  void level(std::int32_t level) override { level_ = level; }
  bool nil_when_made() const { return nil_when_made_; }

 protected:
  explicit HereImpl(std::int32_t level) : level_(level), nil_when_made_(!_this()) {}

 private:
  std::int32_t level_;
  const bool nil_when_made_;
};

TEST(LocalObjects, ReferToThemselves) {
  auto here = IDL::traits<Objects::Here>::make_reference<HereImpl>(3);
  EXPECT_TRUE(here->nil_when_made());
  EXPECT_EQ(here->_this(), here);
  static_assert(std::is_same_v<decltype(here->_this()), IDL::traits<Objects::Here>::ref_type>);
  EXPECT_EQ(IDL::traits<Objects::Here>::narrow(here->_lock()), here);
  auto second = here->_this();
  here.reset();
  EXPECT_EQ(second->level(), 3);
  EXPECT_EQ(CORBA::make_reference<HereImpl>(4)->level(), 4) << "with a protected constructor too";
}

struct OnTheStack final : HereImpl {
  OnTheStack() : HereImpl(1) {}
};

TEST(LocalObjects, ThatNoReferenceMadeHaveNone) {
  OnTheStack here;
  EXPECT_FALSE(here._this());
  EXPECT_FALSE(here._lock());
}

TEST(Traits, MakeValuesAndServants) {
  EXPECT_EQ(IDL::traits<Values::Text>::make_reference("x")->_value(), "x");
  EXPECT_EQ(IDL::traits<Values::Node>::make_reference()->number(), 0);
  static_assert(std::is_same_v<IDL::traits<Values::Node>::value_type, IDL::traits<Values::Node>::ref_type>);
  static_assert(!IDL::traits<Values::Node>::is_abstract::value &&
                !IDL::traits<Values::Text>::is_abstract::value);
  static_assert(IDL::traits<Values::Named>::is_abstract::value);
  class Quiet final : public virtual CORBA::servant_traits<Objects::Nothing>::base_type {};
  const auto servant = CORBA::servant_traits<Objects::Nothing>::make_reference<Quiet>();
  CORBA::servant_traits<PortableServer::Servant>::ref_type any_servant = servant;
  CORBA::servant_traits<PortableServer::Servant>::weak_ref_type weak = any_servant;
  EXPECT_EQ(weak.lock(), servant);
  EXPECT_EQ(CORBA::servant_traits<Objects::Nothing>::narrow(any_servant), servant);
  EXPECT_FALSE(CORBA::servant_traits<Objects::Base>::narrow(any_servant));
}

TEST(Traits, PrintValues) {
  EXPECT_EQ(text_of(IDL::traits<Values::Node>::ref_type()), "nil");
  std::ostringstream out;
  const auto node = IDL::traits<Values::Node>::make_reference();
  out << IDL::traits<Values::Node>::write(node) << ' ';
  IDL::traits<Values::Node>::write_on(out, node);
  EXPECT_EQ(out.str(), "valuetype IDL:Values/Node:1.0 valuetype IDL:Values/Node:1.0");
}

TEST(Traits, FactoriesHaveThemToo) {
  static_assert(std::is_same_v<CORBA::ValueFactory, IDL::traits<CORBA::ValueFactoryBase>::ref_type>);
  const CORBA::ValueFactory factory = CORBA::make_reference<Values::Node_init>();
  EXPECT_TRUE(IDL::traits<Values::Node_init>::narrow(factory));
  EXPECT_FALSE(IDL::traits<Values::Base_init>::narrow(factory));
  IDL::traits<Values::Node_init>::weak_ref_type weak = IDL::traits<Values::Node_init>::narrow(factory);
  EXPECT_TRUE(weak.lock());
  EXPECT_TRUE(factory->create_for_unmarshal());
}

TEST(Traits, CountTheDimensionsOfArrays) {
  static_assert(IDL::traits<Types::Matrix>::dimensions::value == 2);
  static_assert(IDL::traits<std::array<std::string, 5>>::dimensions() == 1);
  using Element = IDL::traits<Types::Matrix>::element_traits::value_type;
  static_assert(std::is_same_v<Element, Types::Matrix::value_type::value_type>);
  SUCCEED();
}

TEST(Traits, ListsOfAdaptersAndManagersAreTypes) {
  static_assert(
      std::is_same_v<PortableServer::POAList, std::vector<IDL::traits<PortableServer::POA>::ref_type>>);
  static_assert(std::is_same_v<PortableServer::POAManagerFactory::POAManagerSeq,
                               std::vector<IDL::traits<PortableServer::POAManager>::ref_type>>);
  static_assert(std::is_same_v<CORBA::ORB::ObjectId, CORBA::ORB::ObjectIdList::value_type>);
  SUCCEED();
}

}  // namespace
