// Values of the classic mapping. The same source runs against omniORB; under ASan, leaks and double frees
// fail it.
#include <gtest/gtest.h>

#include <string>

#include "passing_values.h"

namespace {

class Valuetypes : public testing::Test {
 protected:
  void SetUp() override {
    int argc = 0;
    orb_ = CORBA::ORB_init(argc, nullptr);
    register_factories(orb_);
    CORBA::Object_var object = orb_->resolve_initial_references("RootPOA");
    PortableServer::POA_var root = PortableServer::POA::_narrow(object);
    PortableServer::POAManager_var manager = root->the_POAManager();
    manager->activate();
    Keeper_i* const servant = new Keeper_i(orb_);
    PortableServer::ServantBase_var owner = servant;
    keeper_ = servant->_this();
  }
  void TearDown() override {
    keeper_ = Values::Keeper::_nil();
    orb_->destroy();
    EXPECT_EQ(shapes_alive(), 0);
  }
  CORBA::ORB_var orb_;
  Values::Keeper_var keeper_;
};

TEST_F(Valuetypes, AreCopiedWithinAProcess) {
  Checks checks;
  pass_graphs(checks, keeper_);
  pass_boxes(checks, keeper_);
  pass_everything(checks, keeper_);
  pass_values_in_anys(checks, keeper_);
  EXPECT_EQ(checks.result(), 0);
}

TEST_F(Valuetypes, CountTheirReferences) {
  Values::Node_var node = new_node(1, nullptr);
  EXPECT_EQ(node->_refcount_value(), 1u);
  {
    Values::Node_var same = node;  // a _var's copy shares the value
    EXPECT_EQ(node->_refcount_value(), 2u);
  }
  Values::Node_var before = new_node(0, node);
  EXPECT_EQ(node->_refcount_value(), 2u);
  before->next(nullptr);
  EXPECT_EQ(node->_refcount_value(), 1u);
}

TEST_F(Valuetypes, ElementsOfSequencesAreCounted) {
  Values::Nodes nodes;
  nodes.length(1);
  nodes[0] = new_node(1, nullptr);
  const Values::Nodes& same_nodes = nodes;
  Values::Node_var node = nodes[0], same_node = same_nodes[0], assigned;
  assigned = nodes[0];
  EXPECT_EQ(node->_refcount_value(), 4u);
}

TEST_F(Valuetypes, AreDowncast) {
  Circle_i* const circle = new Circle_i;
  CORBA::ValueBase_var base = circle;
  EXPECT_NE(Values::Shape::_downcast(base.in()), nullptr);
  EXPECT_NE(Values::Circle::_downcast(base.in()), nullptr);
  EXPECT_EQ(Values::Node::_downcast(base.in()), nullptr);
  EXPECT_EQ(Values::Node::_downcast(nullptr), nullptr);
}

TEST_F(Valuetypes, AnyClassOfTheApplicationIsSent) {
  const Values::Point at = {2, 5};
  Values::Shape_var shape = new Shape_i("mine", at);
  Values::Shape_var passed = keeper_->pass_shapes(shape);
  EXPECT_EQ(passed->area(), 10);
  EXPECT_NE(dynamic_cast<Shape_i*>(passed.in()), nullptr);
  CORBA::ValueBase_var copy = shape->_copy_value();
  EXPECT_EQ(Values::Shape::_downcast(copy.in())->area(), 10);
}

// The generated _copy_value() and constructors of omniORB differ.
#ifndef CLASSIC_BY_OMNIORB
TEST_F(Valuetypes, ADeepCopyKeepsTheGraph) {
  Values::Node_var second = new_node(2, nullptr), first = new_node(1, second);
  second->next(first);
  CORBA::ValueBase_var base = first->_copy_value();
  Values::Node* const copy = Values::Node::_downcast(base.in());
  ASSERT_NE(copy, nullptr);
  EXPECT_EQ(copy->next()->next(), copy);
  EXPECT_NE(copy->next(), second.in());
  copy->next()->next(nullptr);
  second->next(nullptr);
}

TEST_F(Valuetypes, ThatReferToARingArriveWhole) {
  Values::Node_var first = new_node(1, nullptr);
  first->next(first);
  OBV_Values::Everything* const all = new OBV_Values::Everything;
  Values::Everything_var owner = all;
  all->thing() <<= "thing";
  all->list().length(1);
  all->list()[0] = Values::Node::_duplicate(first);
  CORBA::Any any;
  any <<= all;
  Values::Everything* back = nullptr;
  ASSERT_TRUE(any >>= back);
  const char* text = nullptr;
  EXPECT_TRUE(back->thing() >>= text);
  ASSERT_EQ(back->list().length(), 1u);
  Values::Node* const node = back->list()[0];
  ASSERT_NE(node, nullptr);
  EXPECT_EQ(node->next(), node);
  node->next(nullptr);
  first->next(nullptr);
}

TEST_F(Valuetypes, ConstructorsTakeTheWholeState) {
  Values::Node::_extra_seq extra;
  extra.length(1);
  Values::Node_var node = new OBV_Values::Node(4, "four", nullptr, extra);
  EXPECT_EQ(node->number(), 4);
  EXPECT_STREQ(node->label(), "four");
}

TEST_F(Valuetypes, ADerivedTypeIsTruncatedOrMade) {
  Circle_i* const circle = new Circle_i;
  Values::Shape_var shape = circle;
  circle->radius(2);
  Values::Shape_var truncated = keeper_->pass_shapes(shape);
  EXPECT_EQ(Values::Circle::_downcast(truncated.in()), nullptr);
  CircleFactory* const factory = new CircleFactory;
  EXPECT_EQ(orb_->register_value_factory("IDL:Values/Circle:1.0", factory), nullptr);
  factory->_remove_ref();
  Values::Shape_var whole = keeper_->pass_shapes(shape);
  ASSERT_NE(Values::Circle::_downcast(whole.in()), nullptr);
  EXPECT_EQ(whole->area(), 12);
  CORBA::ValueFactoryBase_var found = orb_->lookup_value_factory("IDL:Values/Circle:1.0");
  EXPECT_EQ(found.in(), factory);
  orb_->unregister_value_factory("IDL:Values/Circle:1.0");
  EXPECT_THROW(orb_->unregister_value_factory("IDL:Values/Circle:1.0"), CORBA::BAD_PARAM);
  EXPECT_THROW(orb_->register_value_factory("IDL:X:1.0", nullptr), CORBA::BAD_PARAM);
}

TEST_F(Valuetypes, ATypeWithoutFactoryIsRefused) {
  const Values::Point at = {2, 5};
  Values::Shape_var shape = new Shape_i("mine", at);
  orb_->unregister_value_factory("IDL:Values/Shape:1.0");
  EXPECT_THROW(keeper_->pass_shapes(shape), CORBA::MARSHAL);
}

TEST_F(Valuetypes, AreExtractedAsTheirBase) {
  CORBA::Any any;
  Values::Node_var node = new_node(1, nullptr);
  any <<= node.in();
  CORBA::ValueBase* base = nullptr;
  ASSERT_TRUE(any >>= CORBA::Any::to_value(base));
  EXPECT_EQ(base, node.in());
  base->_remove_ref();
  any <<= "text";
  EXPECT_FALSE(any >>= CORBA::Any::to_value(base));
  Values::Node* given = new_node(2, nullptr);
  any <<= &given;  // which the Any takes over
  Values::Node* held = nullptr;
  ASSERT_TRUE(any >>= held);
  EXPECT_EQ(held->number(), 2);
}

TEST_F(Valuetypes, HaveArrays) {
  const Values::Pair pair = {3, 4};
  OBV_Values::Grid* const grid = new OBV_Values::Grid;
  Values::Grid_var owner = grid;
  grid->two(pair);
  grid->cells()[1][2] = 77;
  Values::Grid_var back = keeper_->pass_grid(grid);
  EXPECT_EQ(back->two()[1], 4);
  EXPECT_EQ(back->cells()[1][2], 77);
  Values::Grid::_cells matrix = {{1, 2, 3}, {4, 5, 6}};
  owner = new OBV_Values::Grid(pair, matrix, pair);
  EXPECT_EQ(owner->cells()[1][2], 6);
  Values::Twice_var twice = new Values::Twice(pair), both = keeper_->pass_twice(twice);
  EXPECT_EQ(both->_value()[1], 4);
}

TEST_F(Valuetypes, BoxesAreCopiedWithTheirContents) {
  Values::Text_var text = new Values::Text("one");
  CORBA::ValueBase_var copy = text->_copy_value();
  text->_value("two");
  EXPECT_STREQ(Values::Text::_downcast(copy.in())->_value(), "one");
  EXPECT_STREQ(text->_boxed_in(), "two");
  text->_boxed_out() = CORBA::string_dup("three");
  EXPECT_STREQ(text->_value(), "three");
  *text = "four";
  EXPECT_STREQ(text->_value(), "four");
}
#endif

TEST_F(Valuetypes, BoxesHaveTheMembersOfWhatTheyBox) {
  Values::Longs_var longs = new Values::Longs(4);
  longs->length(2);
  (*longs.in())[1] = 7;
  EXPECT_EQ(longs->length(), 2u);
  EXPECT_EQ(longs->maximum(), 4u);
  EXPECT_EQ(longs->_value()[1], 7);
  CORBA::Long lent[] = {1, 2, 3};
  longs = new Values::Longs(3, 3, lent);
  EXPECT_EQ((*longs.in())[2], 3);
  Values::Place_var place = new Values::Place;
  place->x(3);
  place->y(4);
  EXPECT_EQ(place->_value().x, 3);
  EXPECT_EQ(place->y(), 4);
  Values::Text_var text = new Values::Text("one");
  (*text.in())[0] = 'O';
  EXPECT_STREQ(text->_value(), "One");
  Values::Count_var count = new Values::Count(3);
  count->_boxed_out() = 5;
  EXPECT_EQ(count->_value(), 5);
}

TEST_F(Valuetypes, HaveTypeCodes) {
  const CORBA::TypeCode_ptr circle = Values::_tc_Circle;
  EXPECT_EQ(circle->kind(), CORBA::tk_value);
  EXPECT_STREQ(circle->id(), "IDL:Values/Circle:1.0");
  EXPECT_EQ(circle->type_modifier(), CORBA::VM_TRUNCATABLE);
  ASSERT_EQ(circle->member_count(), 1u);
  CORBA::TypeCode_var base = circle->concrete_base_type();
  EXPECT_TRUE(base->equal(Values::_tc_Shape));
#ifndef CLASSIC_BY_OMNIORB  // which has private members as public, and public ones as private
  EXPECT_EQ(circle->member_visibility(0), CORBA::PUBLIC_MEMBER);
  EXPECT_EQ(base->member_visibility(1), CORBA::PRIVATE_MEMBER);
#endif
  EXPECT_EQ(Values::_tc_Text->kind(), CORBA::tk_value_box);
  CORBA::TypeCode_var boxed = Values::_tc_Longs->content_type();
  EXPECT_EQ(boxed->kind(), CORBA::tk_sequence);
  CORBA::TypeCode_var next = Values::_tc_Node->member_type(2);
  EXPECT_EQ(next->kind(), CORBA::tk_value);
  EXPECT_EQ(Values::_tc_Described->type_modifier(), CORBA::VM_ABSTRACT);
}

}  // namespace
