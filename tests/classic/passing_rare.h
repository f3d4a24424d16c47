// Every operation of a Rare::Keeper.
#pragma once

#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>

#include "rare_servants.h"

class RareChecks {
 public:
  void that(bool holds, const char* what) {
    ++made_;
    if (holds) return;
    ++failed_;
    std::printf("FAIL %s\n", what);
  }
  int made() const { return made_; }
  int failed() const { return failed_; }

 private:
  int made_ = 0, failed_ = 0;
};
#define RARE_CHECK(CONDITION) checks.that((CONDITION), #CONDITION)

inline void set_value(CORBA::Context_ptr context, const char* name, const char* value) {
  CORBA::Any any;
  any <<= value;
  context->set_one_value(name, any);
}

inline void pass_contexts(RareChecks& checks, CORBA::ORB_ptr orb, Rare::Keeper_ptr keeper) {
  CORBA::Context_var root, mine;
  orb->get_default_context(root.out());
  root->create_child("mine", mine.out());
  set_value(root, "sys_host", "here");
  set_value(root, "home", "/above");
  set_value(mine, "home", "/mine");
  set_value(mine, "other", "hidden");
  CORBA::Long found = 0;
  CORBA::String_var text = keeper->look("p", found, mine);
  RARE_CHECK(std::strcmp(text, "p;home=/mine;sys_host=here") == 0 && found == 2);
  text = keeper->look("p", found, CORBA::Context::_nil());
  RARE_CHECK(std::strcmp(text, "p") == 0 && found == 0);
  set_value(mine, "note", "noted");
  keeper->forget(0, mine);
  keeper->note(0, mine);
  CORBA::String_var noted = keeper->noted();
  for (int i = 0; i < 500 && std::strcmp(noted, "noted") != 0; ++i) {  // a oneway may be served later
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    noted = keeper->noted();
  }
  RARE_CHECK(std::strcmp(noted, "noted") == 0);
}

inline void pass_diamonds(RareChecks& checks, Rare::Keeper_ptr keeper) {
  Rare::Deep_var deep = keeper->the_deep();
  RARE_CHECK(deep->on_top(10) == 11 && deep->on_left(10) == 12 && deep->on_right(10) == 13);
  RARE_CHECK(deep->on_bottom(10) == 14 && deep->on_side(10) == 15 && deep->on_deep(10) == 16);
  Rare::Right_ptr right = deep;
  Rare::Top_ptr top = right;
  RARE_CHECK(right->on_right(10) == 13 && top->on_top(10) == 11);
  Rare::Side_var side = Rare::Side::_narrow(top);
  RARE_CHECK(side->on_side(10) == 15 && side->on_top(10) == 11);
  Rare::Left_var left = Rare::Left::_narrow(side);
  RARE_CHECK(left->on_left(10) == 12 && left->_is_equivalent(top));
  RARE_CHECK(keeper->ask(deep, 10) == 11 && keeper->ask(left, 20) == 21);
  RARE_CHECK(deep->_is_a("IDL:Rare/Top:1.0") && !deep->_is_a("IDL:Rare/Named:1.0"));
}

inline void pass_things(RareChecks& checks, Rare::Keeper_ptr keeper) {
  Rare::Thing_var thing = new_thing(3), back = keeper->pass_thing(thing);
  RARE_CHECK(back.in() != thing.in() && back->number() == 3 && back->twice(2) == 7);
  CORBA::String_var own = back->own();
  RARE_CHECK(std::strcmp(own, "own") == 0);
  back = keeper->pass_thing(nullptr);
  RARE_CHECK(!back.in());
  Rare::Named_var named = keeper->serve(100);
  RARE_CHECK(named->twice(1) == 102);
  CORBA::String_var name = named->name();
  RARE_CHECK(std::strcmp(name, "thing") == 0);
  Rare::Counted_var counted = Rare::Counted::_narrow(named);
  counted->count(5);
  RARE_CHECK(counted->count() == 5);
}
