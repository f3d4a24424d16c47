// Generated valuetypes: the received value equals the sent one.
#include "passing.h"
#include "value_kinds.h"

namespace {

using CORBA::make_reference;
using namespace mapping_test;
using takt::cdr::ByteOrder;

TEST(Values, NullAndState) {
  for (const auto order : both_orders) {
    EXPECT_TRUE(sent(Values::Node::_ref_type(), order) == nullptr);
    const auto back = sent(node(1, node(2)), order);
    ASSERT_TRUE(back && back->next());
    EXPECT_EQ(back->number(), 1);
    EXPECT_EQ(back->next()->name(), "2");
    EXPECT_TRUE(back->next()->next() == nullptr);
    EXPECT_TRUE(sent(make_reference<Values::obv::Empty>(), order));
  }
}

TEST(Values, SharedAndCyclic) {
  for (const auto order : both_orders) {
    const auto first = node(1, node(2, node(3)));
    first->next()->next()->next(first);
    first->others({first->next(), nullptr, first->next()});
    const auto back = sent(first, order);
    ASSERT_TRUE(back && back->next() && back->next()->next());
    EXPECT_TRUE(back->next()->next()->next() == back);
    ASSERT_EQ(back->others().size(), 3u);
    EXPECT_TRUE(back->others()[0] == back->next() && back->others()[2] == back->next());
    EXPECT_TRUE(back->others()[1] == nullptr);
    for (const auto& cyclic : {first, back}) cyclic->next()->next()->next(nullptr);
  }
}

IDL::traits<Values::Further>::ref_type further() {
  const auto inner = make_reference<Values::obv::Base>(std::uint8_t{9}, std::string("inner"));
  return make_reference<Values::obv::Further>(std::uint8_t{7}, std::string("secret"), 2.5,
                                              Values::Point(3, 4), inner,
                                              std::array<std::int32_t, 3>{5, 6, 7});
}

TEST(Values, StateOfBases) {
  for (const auto order : both_orders) {
    const auto back = sent(further(), order);
    ASSERT_TRUE(back && back->inner());
    EXPECT_EQ(back->small(), 7);
    EXPECT_EQ(back->large(), 2.5);
    EXPECT_EQ(back->at().y(), 4);
    EXPECT_EQ(back->inner()->small(), 9);
    EXPECT_EQ(back->Row()[2], 7);
  }
}

TEST(Values, DerivedWhereTheBaseIsExpected) {
  Receiver factories;
  factories.add(Values::Derived::_repository_id(), std::make_shared<Values::Derived_init>());
  const Values::Base::_ref_type derived = make_reference<Values::obv::Derived>(
      std::uint8_t{1}, std::string("s"), 0.5, Values::Point(1, 2), Values::Base::_ref_type());
  for (const auto order : both_orders) {
    const auto back = IDL::traits<Values::Derived>::narrow(sent(derived, order, factories));
    ASSERT_TRUE(back);
    EXPECT_EQ(back->large(), 0.5);
  }
}

TEST(Values, TruncatedToTheBase) {
  const std::vector<Values::Base::_ref_type> both{
      make_reference<Values::obv::Derived>(std::uint8_t{1}, std::string("s"), 0.5, Values::Point(1, 2),
                                           Values::Base::_ref_type()),
      make_reference<Values::obv::Base>(std::uint8_t{2}, std::string())};
  for (const auto order : both_orders) {
    const auto back = sent(both, order);  // there is no factory for Derived
    ASSERT_EQ(back.size(), 2u);
    ASSERT_TRUE(back[0] && back[1]);
    EXPECT_TRUE(IDL::traits<Values::Derived>::narrow(back[0]) == nullptr);
    EXPECT_EQ(back[0]->small(), 1);
    EXPECT_EQ(back[1]->small(), 2);
  }
  // Further must not be truncated.
  const Values::Base::_ref_type whole = further();
  Values::Base::_ref_type none;
  Receiver empty;
  EXPECT_FALSE(decoded(mapping_test::encoded(whole, ByteOrder::big), ByteOrder::big, empty, none));
}

TEST(Values, WithOperationsComeFromTheirFactory) {
  const auto factory = std::make_shared<PersonFactory>();
  const auto made = factory->create("Ada", Values::Person::Title::doctor);
  Values::Person::_ref_type none;
  Receiver factories;
  EXPECT_FALSE(decoded(mapping_test::encoded(made, ByteOrder::big), ByteOrder::big, factories, none));
  factories.add(Values::Person::_repository_id(), factory);
  for (const auto order : both_orders) {
    const auto back = sent(made, order, factories);
    ASSERT_TRUE(back);
    EXPECT_EQ(back->full_name(), "Dr Ada");
    EXPECT_EQ(back->age(), 3);
    const auto named = sent(Values::Named::_ref_type(made), order, factories);  // through its abstract base
    ASSERT_TRUE(named);
    EXPECT_EQ(named->full_name(), "Dr Ada");
  }
}

TEST(Values, CustomStateIsTheApplications) {
  Receiver factories;
  factories.add(Values::Packed::_repository_id(), std::make_shared<PackedFactory>());
  const auto custom = make_reference<Packed>();
  custom->word("word");
  custom->values({1, -2, 3});
  for (const auto order : both_orders) {
    const auto back = sent(Values::Packed::_ref_type(custom), order, factories);
    ASSERT_TRUE(back);
    EXPECT_EQ(back->word(), "word");
    EXPECT_EQ(back->values(), Values::Longs({1, -2, 3}));
  }
}

TEST(Values, Boxes) {
  for (const auto order : both_orders) {
    EXPECT_EQ(sent(make_reference<Values::Text>("hi"), order)->_value(), "hi");
    EXPECT_EQ(sent(make_reference<Values::Numbers>(Values::Longs{1, 2}), order)->_value(),
              Values::Longs({1, 2}));
    EXPECT_EQ(sent(make_reference<Values::Place>(Values::Point(1, 2)), order)->_value(), Values::Point(1, 2));
    EXPECT_TRUE(sent(Values::Text::_ref_type(), order) == nullptr);
  }
}

TEST(Values, AsMembers) {
  const auto shared = node(4);
  for (const auto order : both_orders) {
    const Values::Holder holder(shared, {shared, nullptr}, make_reference<Values::Text>("label"), shared);
    const auto back = sent(holder, order);
    ASSERT_TRUE(back.one() && back.label());
    EXPECT_TRUE(back.many()[0] == back.one() && back.whatever() == back.one());
    EXPECT_EQ(back.label()->_value(), "label");
    Values::Either either;
    either.value(shared);
    EXPECT_EQ(sent(either, order).value()->number(), 4);
    const Values::Broken broken(make_reference<Values::obv::Base>(std::uint8_t{3}, std::string()));
    EXPECT_EQ(sent(broken, order).part()->small(), 3);
  }
}

TEST(Values, InAny) {
  CORBA::Any any;
  const auto first = node(1);
  first->next(first);
  any <<= first;
  EXPECT_EQ(any.type()->id(), Values::Node::_repository_id());
  Values::Node::_ref_type out;
  ASSERT_TRUE(any >>= out);
  EXPECT_TRUE(out == first);
  Receiver factories;  // an Any has its value's type but not its factory
  factories.add(Values::Node::_repository_id(), std::make_shared<Values::Node_init>());
  for (const auto order : both_orders) {
    ASSERT_TRUE(sent(any, order, factories) >>= out);
    EXPECT_EQ(out->number(), 1);
    EXPECT_TRUE(out->next() == out);
    out->next(nullptr);
  }
  first->next(nullptr);
  any <<= make_reference<Values::Text>("boxed");
  Values::Text::_ref_type text;
  ASSERT_TRUE(any >>= text);
  EXPECT_EQ(text->_value(), "boxed");
  EXPECT_FALSE(any >>= out);
}

TEST(Values, InAnAnyAreMadeWhenTheyAreTakenOut) {
  CORBA::Any any;
  const auto shared = node(7);
  any <<= Values::Nodes{shared, node(1, shared)};
  CORBA::Any person;
  person <<= PersonFactory().create("Ada", Values::Person::Title::none);
  for (const auto order : both_orders) {
    Values::Nodes nodes;
    ASSERT_TRUE(sent(any, order) >>= nodes);  // needs no factory
    ASSERT_EQ(nodes.size(), 2u);
    EXPECT_EQ(nodes[0]->number(), 7);
    EXPECT_TRUE(nodes[1]->next() == nodes[0]);
    Receiver receiver;
    CORBA::Any arrived;
    ASSERT_TRUE(decoded(encoded(person, order), order, receiver, arrived));
    Values::Person::_ref_type none;
    try {
      arrived >>= none;
      ADD_FAILURE() << "nobody can have made it";
    } catch (const CORBA::MARSHAL& failure) {
      EXPECT_EQ(failure.minor(), CORBA::omg_minor(1));
    }
  }
}

TEST(Values, ReferencesToObjectsInAnAny) {
  CORBA::Any any;
  const auto object = Receiver::orb()->string_to_object("corbaloc:iiop:127.0.0.1:1/thing");
  any <<= object;
  CORBA::object_reference<CORBA::Object> out;
  ASSERT_TRUE(any >>= out);
  EXPECT_TRUE(out->_is_equivalent(object));
}

TEST(Values, CopiesKeepWhatIsShared) {
  const auto first = node(1, node(2));
  first->next()->next(first);
  first->others({first->next(), nullptr, first});
  const auto copy = IDL::traits<Values::Node>::narrow(first->_copy_value());
  ASSERT_TRUE(copy && copy->next());
  EXPECT_TRUE(copy != first && copy->next() != first->next());
  EXPECT_TRUE(copy->next()->next() == copy);
  EXPECT_TRUE(copy->others()[0] == copy->next() && copy->others()[2] == copy);
  copy->next()->name("changed");
  EXPECT_EQ(first->next()->name(), "2");
  for (const auto& cyclic : {first, copy}) {
    cyclic->next()->next(nullptr);
    cyclic->others().clear();
  }

  auto list = node(0);
  for (int i = 1; i < 100'000; ++i) list = node(i, list);
  auto copied = IDL::traits<Values::Node>::narrow(list->_copy_value());
  int length = 0;
  for (auto* both : {&list, &copied})  // frees the nodes one by one
    for (; *both; *both = Values::Node::_ref_type((*both)->next())) ++length;
  EXPECT_EQ(length, 200'000);
}

TEST(Values, CopiesAreOfTheSameClass) {
  const auto person = PersonFactory().create("Ada", Values::Person::Title::doctor);
  const auto copy = IDL::traits<Values::Person>::narrow(person->_copy_value());
  ASSERT_TRUE(copy);
  EXPECT_EQ(copy->full_name(), "Dr Ada");
  EXPECT_EQ(IDL::traits<Values::Further>::narrow(further()->_copy_value())->inner()->small(), 9);
  const auto packed = make_reference<Packed>();
  packed->values({1, 2});
  EXPECT_EQ(IDL::traits<Values::Packed>::narrow(packed->_copy_value())->values(), Values::Longs({1, 2}));
  const auto text = make_reference<Values::Text>("boxed");
  const auto other = IDL::traits<Values::Text>::narrow(text->_copy_value());
  other->_value("other");
  EXPECT_EQ(text->_value(), "boxed");

  class Unrepeatable final : public Values::obv::Base {
   public:
    explicit Unrepeatable(std::uint8_t is) : Base(is, "") {}
  };
  EXPECT_THROW(make_reference<Unrepeatable>(std::uint8_t{1})->_copy_value(), CORBA::NO_IMPLEMENT);
}

TEST(Values, EventsAreValues) {
  EXPECT_EQ(Values::_tc_Alarm->kind(), CORBA::TCKind::tk_event);
  EXPECT_EQ(Values::_tc_Alarm->member_name(0), "text");
  CORBA::Any any;
  any <<= make_reference<Values::obv::Alarm>("fire");
  for (const auto order : both_orders) {
    Values::Alarm::_ref_type alarm;
    ASSERT_TRUE(sent(any, order) >>= alarm);
    EXPECT_EQ(alarm->text(), "fire");
    EXPECT_EQ(sent(Values::Alarm::_ref_type(alarm), order)->text(), "fire");
  }
}

TEST(Values, TypeCodes) {
  const CORBA::typecode_reference derived = Values::_tc_Derived;
  EXPECT_EQ(derived->kind(), CORBA::TCKind::tk_value);
  EXPECT_EQ(derived->type_modifier(), CORBA::VM_TRUNCATABLE);
  EXPECT_TRUE(derived->concrete_base_type()->equal(IDL::type_code<Values::Base::_ref_type>()));
  EXPECT_EQ(Values::_tc_Base->member_visibility(1), CORBA::PRIVATE_MEMBER);
  EXPECT_EQ(Values::_tc_Packed->type_modifier(), CORBA::VM_CUSTOM);
  EXPECT_EQ(Values::_tc_Named->type_modifier(), CORBA::VM_ABSTRACT);
  EXPECT_EQ(Values::_tc_Text->kind(), CORBA::TCKind::tk_value_box);
  EXPECT_EQ(Values::_tc_Node->member_type(2)->id(), "IDL:Values/Node:1.0");
  EXPECT_EQ(Values::_tc_Holder->member_type(3)->id(), "IDL:omg.org/CORBA/ValueBase:1.0");
}

}  // namespace
