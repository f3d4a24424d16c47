// Values of valuetypes.idl to a server of any ORB and back.
#pragma once

#include <cstdio>
#include <cstring>

#include "counting.h"
#include "value_servants.h"

inline Values::Node* new_node(CORBA::Long number, Values::Node* next) {
  OBV_Values::Node* const node = new OBV_Values::Node;
  node->number(number);
  node->label(number == 1 ? "one" : "other");
  node->next(next);
  return node;
}

inline void pass_graphs(Checks& checks, Values::Keeper_ptr keeper) {
  Values::Node_var second = new_node(2, nullptr), first = new_node(1, second), b = new_node(3, nullptr), c;
  Values::Node_var result = keeper->pass_nodes(first, b.inout(), c.out());
  CHECK(result->number() == 1 && std::strcmp(result->label(), "one") == 0 && result->next()->number() == 2);
  CHECK(result->next()->next() == nullptr && result.in() != first.in());
  CHECK(result.in() == b.in());  // one value in one message
  CHECK(c->number() == 3);
  CHECK(keeper->are_same(first, first) && !keeper->are_same(first, second));
  CHECK(keeper->are_same(nullptr, nullptr) && !keeper->are_same(first, nullptr));
  second->next(first);  // a ring
  CHECK(keeper->is_ring(first));
  second->next(nullptr);
  Values::Holder holder;
  CORBA::add_ref(first.in());
  CORBA::add_ref(first.in());
  holder.first = first.in();
  holder.second = first.in();
  holder.remark = new Values::Text("remark");
  Values::Holder_var held = keeper->pass_holders(holder);
  CHECK(held->first.in() == held->second.in() && held->first->number() == 1);
  CHECK(std::strcmp(held->remark->_value(), "remark") == 0);
  Values::Nodes nodes;
  nodes.length(3);
  nodes[0] = new_node(7, nullptr);
  nodes[2] = new_node(8, nullptr);
  Values::Nodes_var list = keeper->pass_list(nodes);
  Values::Node* const none = list[1u];
  CHECK(list->length() == 3 && none == nullptr && list[2u]->number() == 8);
  Values::Either either;
  either.chain(first.in());
  Values::Either_var chosen = keeper->pass_either(either);
  CHECK(chosen->_d() && chosen->chain()->number() == 1);
}

inline void pass_shapes(Checks& checks, Values::Keeper_ptr keeper) {
  const Values::Point at = {3, 4};
  ShapeFactory* const factory = new ShapeFactory;
  Values::Shape_var shape = factory->make("square", at);
  factory->_remove_ref();
  Values::Shape_var passed = keeper->pass_shapes(shape);
  CHECK(passed->area() == 12 && std::strcmp(passed->name(), "square") == 0);
  Circle_i* const circle = new Circle_i;
  circle->name("circle");
  circle->radius(2);
  shape = circle;
  passed = keeper->pass_shapes(shape);  // The server does not know circles.
  CHECK(std::strcmp(passed->name(), "circle") == 0 && Values::Circle::_downcast(passed.in()) == nullptr);
  Values::Shape_var none = keeper->pass_shapes(nullptr);
  CHECK(none.in() == nullptr);
}

inline void pass_boxes(Checks& checks, Values::Keeper_ptr keeper) {
  Values::Text_var text = new Values::Text("boxed"), back = keeper->pass_text(text);
  CHECK(std::strcmp(back->_value(), "boxed") == 0);
  back = keeper->pass_text(nullptr);
  CHECK(back.in() == nullptr);
  Values::Count_var count = new Values::Count(42), counted = keeper->pass_count(count);
  CHECK(counted->_value() == 42);
  Values::Longs_var longs = new Values::Longs;
  longs->_value().length(2);
  longs->_value()[1] = 9;
  Values::Longs_var listed = keeper->pass_longs(longs);
  CHECK(listed->_value().length() == 2 && listed->_value()[1] == 9);
  const Values::Point point = {5, 6};
  Values::Place_var place = new Values::Place(point), placed = keeper->pass_place(place);
  CHECK(placed->_value().y == 6);
}

inline void pass_everything(Checks& checks, Values::Keeper_ptr keeper) {
  OBV_Values::Everything* const all = new OBV_Values::Everything;
  Values::Everything_var owner = all;
  const Values::Point point = {1, 2};
  all->flag(true);
  all->shade(Values::green);
  all->place(point);
  all->thing() <<= "thing";
  all->who(keeper);
  all->list().length(1);
  all->list()[0] = new_node(1, nullptr);
  all->number(0.5);
  Values::Everything_var back = keeper->pass_everything(all);
  const char* text = nullptr;
  CHECK(back->flag() && back->shade() == Values::green && back->place().y == 2);
  CHECK((back->thing() >>= text) && std::strcmp(text, "thing") == 0);
  CHECK(back->who()->_is_equivalent(keeper) && back->list()[0]->number() == 1);
  CHECK(back->number() == 0.5);
}

inline void pass_values_in_anys(Checks& checks, Values::Keeper_ptr keeper) {
  CORBA::Any any;
  Values::Node_var second = new_node(2, nullptr), first = new_node(1, second);
  any <<= first.in();
  CORBA::Any_var back = keeper->pass_any(any);
  Values::Node* node = nullptr;
  CHECK((back.in() >>= node) && node->number() == 1 && node->next()->number() == 2);
  Values::Text_var text = new Values::Text("in an any");
  any <<= text.in();
  back = keeper->pass_any(any);
  Values::Text* boxed = nullptr;
  CHECK((back.in() >>= boxed) && std::strcmp(boxed->_value(), "in an any") == 0);
  CHECK(!(back.in() >>= node));
}

inline void pass_all_values(Checks& checks, Values::Keeper_ptr keeper) {
  pass_graphs(checks, keeper);
  pass_shapes(checks, keeper);
  pass_boxes(checks, keeper);
  pass_everything(checks, keeper);
  pass_values_in_anys(checks, keeper);
}
