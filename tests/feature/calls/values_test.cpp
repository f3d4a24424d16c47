// Valuetypes between two ORBs over loopback.
#include <gtest/gtest.h>

#include "carrier_servant.h"
#include "orbs.h"
#include "value_kinds.h"

namespace feature {

namespace {

using CORBA::make_reference;
using namespace mapping_test;
using CarrierRef = IDL::traits<Values::Carrier>::ref_type;

class ValueCalls : public testing::TestWithParam<const char*> {
 protected:
  template <class V, class Factory>
  void both_know() {
    for (const Orb& orb : {orbs.server, orbs.client})
      orb->register_value_factory(V::_repository_id(), std::make_shared<Factory>());
  }

  ServerAndClient orbs{{"-ORBServerConcurrency", GetParam(), "-ORBFragmentSize", "2048"},
                       {"-ORBFragmentSize", "1024"}};
  CarrierRef carrier = orbs.publish<Values::Carrier>(make_reference<CarrierServant>());
};

TEST_P(ValueCalls, InInoutOutAndReturned) {
  Values::Base::_ref_type base = make_reference<Values::obv::Base>(std::uint8_t{3}, std::string("s"));
  Values::Text::_ref_type text;
  const auto back = carrier->carry(node(1, node(2, node(3))), base, text);
  ASSERT_TRUE(back && back->next() && text);
  EXPECT_EQ(back->number(), 2);
  EXPECT_EQ(back->next()->name(), "3");
  EXPECT_TRUE(base == nullptr);
  EXPECT_EQ(text->_value(), "1");
}

TEST_P(ValueCalls, NullAndInAnException) {
  EXPECT_TRUE(carrier->keep(nullptr) == nullptr);
  EXPECT_TRUE(carrier->owner() == nullptr);
  try {
    carrier->fail(9);
    FAIL() << "nothing was thrown";
  } catch (const Values::Broken& broken) {
    ASSERT_TRUE(broken.part());
    EXPECT_EQ(broken.part()->small(), 9);
  }
}

TEST_P(ValueCalls, SharedAndCyclicAcrossTheElementsOfASequence) {
  const auto first = node(1, node(2));
  first->next()->next(first);
  const auto back = carrier->rotate({first, first->next(), first, nullptr});
  first->next()->next(nullptr);
  ASSERT_EQ(back.size(), 4u);
  ASSERT_TRUE(back[0] && back[1]);
  EXPECT_TRUE(back[1] == back[3] && back[2] == nullptr);
  EXPECT_TRUE(back[1]->next() == back[0] && back[0]->next() == back[1]);
  EXPECT_EQ(back[1]->number(), 1);
  back[0]->next(nullptr);
}

TEST_P(ValueCalls, TruncatedToTheBaseWhereTheFactoryIsUnknown) {
  const Values::Base::_ref_type derived =
      make_reference<Values::obv::Derived>(std::uint8_t{7}, std::string("s"), 0.5, Values::Point(1, 2),
                                           make_reference<Values::obv::Base>(std::uint8_t{8}, std::string()));
  const auto base = carrier->keep(derived);
  ASSERT_TRUE(base);
  EXPECT_EQ(base->small(), 7);
  EXPECT_TRUE(IDL::traits<Values::Derived>::narrow(base) == nullptr);

  both_know<Values::Derived, Values::Derived_init>();
  const auto whole = IDL::traits<Values::Derived>::narrow(carrier->keep(derived));
  ASSERT_TRUE(whole && whole->inner());
  EXPECT_EQ(whole->large(), 0.5);
  EXPECT_EQ(whole->inner()->small(), 8);
}

TEST_P(ValueCalls, CustomStateAndOperationsComeFromTheirFactories) {
  both_know<Values::Packed, PackedFactory>();
  const auto packed = make_reference<Packed>();
  packed->word("word");
  packed->values({1, -2, 3});
  const auto back = carrier->repack(packed);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->word(), "word!");
  EXPECT_EQ(back->values(), Values::Longs({1, -2, 3, 3}));

  both_know<Values::Person, PersonFactory>();
  carrier->owner(PersonFactory().create("Ada", Values::Person::Title::doctor));
  const auto owner = carrier->owner();
  ASSERT_TRUE(owner);
  EXPECT_EQ(owner->full_name(), "Dr Ada");
}

// The minor code of the MARSHAL exception of the call.
template <class Call>
std::uint32_t marshal_minor(Call call, CORBA::CompletionStatus completed) {
  try {
    call();
  } catch (const CORBA::MARSHAL& failure) {
    EXPECT_EQ(failure.completed(), completed);
    return failure.minor();
  }
  ADD_FAILURE() << "nothing was thrown";
  return 0;
}

TEST_P(ValueCalls, WithoutAFactoryOnEitherSideItIsMarshalMinorOne) {
  const auto packed = make_reference<Packed>();
  const std::uint32_t no_factory = CORBA::omg_minor(1);
  EXPECT_EQ(marshal_minor([&] { carrier->repack(packed); }, CORBA::COMPLETED_NO), no_factory);
  orbs.server->register_value_factory(Values::Packed::_repository_id(), std::make_shared<PackedFactory>());
  EXPECT_EQ(marshal_minor([&] { carrier->repack(packed); }, CORBA::COMPLETED_YES), no_factory);
  orbs.client->register_value_factory(Values::Packed::_repository_id(), std::make_shared<PackedFactory>());
  EXPECT_EQ(carrier->repack(packed)->word(), "!");
  EXPECT_TRUE(orbs.client->lookup_value_factory(Values::Packed::_repository_id()));
  orbs.client->unregister_value_factory(Values::Packed::_repository_id());
  EXPECT_EQ(marshal_minor([&] { carrier->repack(packed); }, CORBA::COMPLETED_YES), no_factory);
}

TEST_P(ValueCalls, AsValueBaseEachComesFromItsFactory) {
  both_know<Values::Node, Values::Node_init>();
  both_know<Values::Text, IDL::traits<Values::Text>::factory_type>();
  const auto back = IDL::traits<Values::Node>::narrow(carrier->pass(node(5)));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->number(), 5);
  const auto text = IDL::traits<Values::Text>::narrow(carrier->pass(make_reference<Values::Text>("boxed")));
  ASSERT_TRUE(text);
  EXPECT_EQ(text->_value(), "boxed");
}

TEST_P(ValueCalls, InAnAnyTheServerNeedsNoFactory) {
  const auto first = node(1);
  first->others({first, first});
  CORBA::Any any;
  any <<= first;
  orbs.client->register_value_factory(Values::Node::_repository_id(), std::make_shared<Values::Node_init>());
  const CORBA::Any passed = carrier->pass_any(any);
  first->others().clear();
  Values::Node::_ref_type back;
  ASSERT_TRUE(passed >>= back);
  EXPECT_EQ(back->number(), 1);
  ASSERT_EQ(back->others().size(), 2u);
  EXPECT_TRUE(back->others()[0] == back && back->others()[1] == back);
  back->others().clear();
}

// Counts existing instances.
class CountedNode final : public Values::obv::Node {
 public:
  CountedNode() { ++count; }
  ~CountedNode() override { --count; }
  static inline std::atomic<int> count{0};
};
class CountedNodeFactory final : public Values::Node_init {
 public:
  AnyValue create_for_unmarshal() override { return make_reference<CountedNode>(); }
};

TEST_P(ValueCalls, CyclesEndWithTheRequestThatBroughtThem) {
  orbs.server->register_value_factory(Values::Node::_repository_id(), make_reference<CountedNodeFactory>());
  const auto first = node(1, node(2));
  first->next()->next(first);
  for (int i = 0; i < 3; ++i) {
    const auto back = carrier->rotate({first, nullptr, first->next()});
    back[2]->next()->next(nullptr);  // the received values are ours, so break their cycle
  }
  first->next()->next(nullptr);
  orbs.stop_server();
  EXPECT_EQ(CountedNode::count, 0);
}

class Parrot final : public virtual CORBA::servant_traits<Values::Parrot>::base_type {
 public:
  Parrot() = default;
  explicit Parrot(std::string favourite) : Values::obv::Parrot(std::move(favourite)) {}
  std::string speak(const std::string& text) override { return favourite() + " " + text; }
};

// The same, not as an object reference.
class SentParrot final : public Values::obv::Parrot {
 public:
  std::string speak(const std::string& text) override { return "sent " + favourite() + " " + text; }
};
class ParrotFactory final : public Values::Parrot_init {
 public:
  AnyValue create_for_unmarshal() override { return make_reference<SentParrot>(); }
};

TEST_P(ValueCalls, AValueThatSupportsAnInterfaceIsAServant) {
  const CORBA::servant_traits<Values::Parrot>::ref_type servant = make_reference<Parrot>("nut");
  const auto speaker = orbs.publish<Values::Speaker>(servant);
  ASSERT_TRUE(speaker);
  EXPECT_EQ(speaker->speak("please"), "nut please");
  EXPECT_EQ(speaker->_repository_id(), "IDL:Values/Speaker:1.0");
  EXPECT_TRUE(servant->_this()->_is_a("IDL:Values/Speaker:1.0"));

  both_know<Values::Parrot, ParrotFactory>();
  const Values::Parrot::_ref_type value(servant.shared());
  const auto back = IDL::traits<Values::Parrot>::narrow(carrier->pass(value));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->speak("x"), "sent nut x");
  const auto copy = IDL::traits<Values::Parrot>::narrow(value->_copy_value());
  ASSERT_TRUE(copy);
  EXPECT_EQ(copy->speak("x"), "nut x");
}

TEST_P(ValueCalls, MoreOfThemThanOneFragmentHolds) {
  Values::Nodes sent{node(0)};
  while (sent.size() < 200) sent.push_back(node(0, sent.back()));
  const auto chain = carrier->rotate(sent);
  EXPECT_TRUE(chain[100]->next() == chain[99]);
  sent.assign(5000, nullptr);
  for (int i = 0; i < 5000; ++i) sent[static_cast<std::size_t>(i)] = node(i);
  const auto back = carrier->rotate(sent);
  ASSERT_EQ(back.size(), 5000u);
  EXPECT_EQ(back[4998]->number(), 4999);
  EXPECT_EQ(back[4999]->number(), 0);
}

INSTANTIATE_TEST_SUITE_P(Server, ValueCalls, testing::Values("thread-per-connection", "reactive"),
                         [](const auto& which) {
                           return std::string(which.param) == "reactive" ? "reactive"
                                                                         : "thread_per_connection";
                         });

}  // namespace
}  // namespace feature
