// Every operation of a Rare::Keeper.
#pragma once

#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>

#include "counting.h"
#include "rare_servants.h"

inline void set_value(CORBA::Context_ptr context, const char* name, const char* value) {
  CORBA::Any any;
  any <<= value;
  context->set_one_value(name, any);
}

inline void pass_contexts(Checks& checks, CORBA::ORB_ptr orb, Rare::Keeper_ptr keeper) {
  CORBA::Context_var root, mine;
  orb->get_default_context(root.out());
  root->create_child("mine", mine.out());
  set_value(root, "sys_host", "here");
  set_value(root, "home", "/above");
  set_value(mine, "home", "/mine");
  set_value(mine, "other", "hidden");
  CORBA::Long found = 0;
  CORBA::String_var text = keeper->look("p", found, mine);
  CHECK(std::strcmp(text, "p;home=/mine;sys_host=here") == 0 && found == 2);
  text = keeper->look("p", found, CORBA::Context::_nil());
  CHECK(std::strcmp(text, "p") == 0 && found == 0);
  set_value(mine, "note", "noted");
  keeper->forget(0, mine);
  keeper->note(0, mine);
  CORBA::String_var noted = keeper->noted();
  for (int i = 0; i < 500 && std::strcmp(noted, "noted") != 0; ++i) {  // a oneway may be served later
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    noted = keeper->noted();
  }
  CHECK(std::strcmp(noted, "noted") == 0);
}

inline void pass_diamonds(Checks& checks, Rare::Keeper_ptr keeper) {
  Rare::Deep_var deep = keeper->the_deep();
  CHECK(deep->on_top(10) == 11 && deep->on_left(10) == 12 && deep->on_right(10) == 13);
  CHECK(deep->on_bottom(10) == 14 && deep->on_side(10) == 15 && deep->on_deep(10) == 16);
  Rare::Right_ptr right = deep;
  Rare::Top_ptr top = right;
  CHECK(right->on_right(10) == 13 && top->on_top(10) == 11);
  Rare::Side_var side = Rare::Side::_narrow(top);
  CHECK(side->on_side(10) == 15 && side->on_top(10) == 11);
  Rare::Left_var left = Rare::Left::_narrow(side);
  CHECK(left->on_left(10) == 12 && left->_is_equivalent(top));
  CHECK(keeper->ask(deep, 10) == 11 && keeper->ask(left, 20) == 21);
  CHECK(deep->_is_a("IDL:Rare/Top:1.0") && !deep->_is_a("IDL:Rare/Named:1.0"));
}

inline void pass_points(Checks& checks, Rare::Keeper_ptr keeper) {
  Rare::Points given(2);
  given.length(2);
  for (CORBA::ULong i = 0; i < 6; ++i) given[i / 3][i % 3] = i;
  Rare::ManyCodes codes;
  codes.length(1);
  codes[0][1] = CORBA::string_dup("12345");
  Rare::FewPoints_var few;
  Rare::Points_var back = keeper->pass_points(given, codes, few);
  CHECK(back->length() == 2 && back[1u][2] == 5 && back[0u][1] == 1);
  CHECK(few->length() == 1 && few[0u][0] == 3);
  CHECK(codes.length() == 2 && std::strcmp(codes[0][2], "new") == 0 &&
        std::strcmp(codes[1][1], "12345") == 0);
  Rare::Points copy = given;
  copy[0][0] = 7;
  copy.length(30);
  CHECK(copy[1][2] == 5 && copy[0][0] == 7 && given[0][0] == 0);
  const Rare::Points& constant = copy;
  const Rare::Point_slice* slice = constant[1];
  CHECK(slice[0] == 3);
  CORBA::Any any;
  any <<= given;
  const Rare::Points* held = nullptr;
  CHECK((any >>= held) && held->length() == 2 && (*held)[1][1] == 4);
  Rare::Point lent[2] = {{1, 2, 3}, {4, 5, 6}};
  Rare::Points of_others(2, 2, lent, false);
  of_others[1][0] = 8;
  CHECK(lent[1][0] == 8);
  Rare::Point* const own = Rare::Points::allocbuf(2);
  own[1][2] = 9;
  Rare::Points adopted(2, 2, own, true);
  CHECK(adopted[1][2] == 9);
}

inline void pass_things(Checks& checks, Rare::Keeper_ptr keeper) {
  Rare::Thing_var thing = new_thing(3), back = keeper->pass_thing(thing);
  CHECK(back.in() != thing.in() && back->number() == 3 && back->twice(2) == 7);
  CORBA::String_var own = back->own();
  CHECK(std::strcmp(own, "own") == 0);
  back = keeper->pass_thing(nullptr);
  CHECK(!back.in());
  Rare::Named_var named = keeper->serve(100);
  CHECK(named->twice(1) == 102);
  CORBA::String_var name = named->name();
  CHECK(std::strcmp(name, "thing") == 0);
  Rare::Counted_var counted = Rare::Counted::_narrow(named);
  counted->count(5);
  CHECK(counted->count() == 5);
}
