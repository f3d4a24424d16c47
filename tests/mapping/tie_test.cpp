// Generated tie classes: servants that pass calls on to objects of classes that know nothing of CORBA.
#include <gtest/gtest.h>

#include <takt/corba.h>

#include "tiedS.h"

namespace {

// No servant: an ordinary class.
class Person {
 public:
  explicit Person(std::string called) : called_(std::move(called)) {}
  std::string name() { return called_; }
  std::string greet(const std::string& whom, std::int32_t& times) {
    if (++times > limit_) throw Tied::Refused("too often");
    return called_ + " greets " + whom;
  }
  std::int32_t limit() { return limit_; }
  void limit(std::int32_t limit) { limit_ = limit; }
  void _cxx_class(std::int32_t) { throw Tied::Refused("no classes"); }
  std::int32_t warm(const Tied::T& degrees) { return degrees.degrees() + 1; }

 private:
  std::string called_;
  std::int32_t limit_ = 2;
};

using Tie = CORBA::servant_traits<Tied::Greeter>::tie_type<Person>;

class Ties : public testing::Test {
 protected:
  ~Ties() override { orb_->destroy(); }

  int none_ = 0;
  const IDL::traits<CORBA::ORB>::ref_type orb_ = CORBA::ORB_init(none_, nullptr, "ties");
  const IDL::traits<PortableServer::POA>::ref_type root_ =
      IDL::traits<PortableServer::POA>::narrow(orb_->resolve_initial_references("RootPOA"));
};

TEST_F(Ties, PassCallsOn) {
  root_->the_POAManager()->activate();
  const auto servant = CORBA::make_reference<Tie>(std::make_shared<Person>("Ada"));
  const Tied::Greeter::_ref_type greeter = servant->_this();
  std::int32_t times = 0;
  EXPECT_EQ(greeter->greet("Bob", times), "Ada greets Bob");
  EXPECT_EQ(times, 1);
  EXPECT_EQ(greeter->name(), "Ada");
  greeter->limit(1);
  EXPECT_EQ(greeter->limit(), 1);
  EXPECT_THROW(greeter->greet("Bob", times), Tied::Refused);
  EXPECT_THROW(greeter->_cxx_class(1), Tied::Refused);
  EXPECT_EQ(greeter->warm(Tied::T(20)), 21);
}

TEST_F(Ties, HaveAnObjectThatCanBeReplaced) {
  const auto ada = std::make_shared<Person>("Ada");
  const auto servant = CORBA::make_reference<Tie>(ada);
  EXPECT_EQ(servant->_tied_object(), ada);
  servant->_tied_object(std::make_shared<Person>("Eve"));
  EXPECT_EQ(servant->name(), "Eve");
  EXPECT_EQ(ada.use_count(), 1);
}

TEST_F(Ties, ActivateThemselvesInTheirAdapter) {
  const auto child =
      root_->create_POA("child", root_->the_POAManager(),
                        {root_->create_implicit_activation_policy(
                            PortableServer::ImplicitActivationPolicyValue::IMPLICIT_ACTIVATION)});
  const auto servant = CORBA::make_reference<Tie>(std::make_shared<Person>("Ada"), child);
  EXPECT_EQ(servant->_default_POA(), child);
  EXPECT_EQ(child->reference_to_servant(servant->_this()), servant);
  EXPECT_EQ(CORBA::make_reference<Tie>(std::make_shared<Person>("Ada"))->_default_POA(), root_);
}

}  // namespace
