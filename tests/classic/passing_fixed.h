// Every operation of a Till.
#pragma once

#include <cstdio>
#include <cstring>

#include "counting.h"
#include "fixed_servants.h"

inline bool is(const CORBA::Fixed& value, const char* text) { return value == CORBA::Fixed(text); }

inline void pass_numbers(Checks& checks, Fixeds::Till_ptr till) {
  Fixeds::Money b("-0.05"), c;
  CHECK(is(till->pass_money("12345678.99", b, c), "12345678.99") && is(b, "12345678.99"));
  CHECK(is(c, "-0.05"));
  const char* const least = "0.0000000000000000000000000000001";
  const char* const most = "-9999999999999999999999999999999";
  Fixeds::Share share("0.5"), share_out;
  CHECK(is(till->pass_share(least, share, share_out), least) && is(share, least) && is(share_out, "0.5"));
  Fixeds::Count count(7), count_out;
  CHECK(is(till->pass_count(most, count, count_out), most) && is(count, most) && is(count_out, "7"));
  CHECK(is(till->pass_price(Fixeds::fee), "0.5"));
  CHECK(is(till->pass_price("1.999"), "1.99"));
}

inline void pass_compounds(Checks& checks, Fixeds::Till_ptr till) {
  Fixeds::Moneys some, others;
  some.length(3);
  some[1] = "-1.5";
  some[2] = CORBA::Fixed("2.25") * Fixeds::rate;
  others.length(1);
  Fixeds::Moneys_var others_out, moneys = till->pass_moneys(some, others, others_out.out());
  CHECK(moneys->length() == 3 && is(moneys[0], "0") && is(moneys[1], "-1.5") && is(moneys[2], "2.81"));
  CHECK(others.length() == 3 && others_out->length() == 1);
  Fixeds::Pair pair = {"1.25", 2}, in_pair = {3, "4.5"}, out_pair;
  Fixeds::Pair_var paired = till->pass_pair(in_pair, pair, out_pair);
  CHECK(is(paired[1], "4.5") && is(pair[0], "3") && is(out_pair[0], "1.25"));
}

// Structs and unions. omniORB ends a program that sends their copies.
inline void pass_items(Checks& checks, Fixeds::Till_ptr till) {
  Fixeds::Item item, other;
  item.name = static_cast<const char*>("scale");
  item.cost = "19.99";
  item.weight = "1234.5";
  other.name = static_cast<const char*>("other");
  Fixeds::Item_var item_out, passed = till->pass_item(item, other, item_out.out());
  CHECK(is(passed->cost, "19.99") && is(passed->weight, "1234.5") && is(other.weight, "1234.5"));
  CHECK(std::strcmp(item_out->name.in(), "other") == 0);
  Fixeds::Part part, part_b, part_out;
  part.amount("7.5");
  part_b.portion("0.125");
  const Fixeds::Part part_back = till->pass_part(part, part_b, part_out);
  CHECK(part_back._d() == 1 && is(part_back.amount(), "7.5") && is(part_b.amount(), "7.5"));
  CHECK(part_out._d() != 1 && is(part_out.portion(), "0.125"));
}

inline void pass_in_anys(Checks& checks, Fixeds::Till_ptr till) {
  CORBA::Any any;
  CORBA::Fixed number;
  any <<= CORBA::Any::from_fixed("123.456", 5, 2);
  CORBA::Any_var back = till->pass_any(any);
  CHECK((back.in() >>= CORBA::Any::to_fixed(number, 5, 2)) && is(number, "123.45"));
  CHECK(!(back.in() >>= CORBA::Any::to_fixed(number, 6, 2)));
  CHECK(!(back.in() >>= CORBA::Any::to_fixed(number, 5, 3)) && is(number, "123.45"));
#ifndef CLASSIC_BY_OMNIORB  // it cannot send copies of structs
  Fixeds::Item item;
  item.name = static_cast<const char*>("scale");
  item.cost = "19.99";
  item.weight = "-1.5";
  any <<= item;
  back = till->pass_any(any);
  const Fixeds::Item* in_any = nullptr;
  CHECK((back.in() >>= in_any) && is(in_any->cost, "19.99") && is(in_any->weight, "-1.5"));
#endif
}

inline void pay(Checks& checks, Fixeds::Till_ptr till) {
  till->balance("10.5");
  till->pay("3.25");
  CHECK(is(till->balance(), "7.25"));
  try {
    till->pay(8);
    CHECK(!"paid");
  } catch (const Fixeds::Missing& missing) {
    CHECK(is(missing.amount, "0.75"));
  }
}

inline void pass_all_fixed(Checks& checks, Fixeds::Till_ptr till) {
  pass_numbers(checks, till);
  pass_compounds(checks, till);
  pass_in_anys(checks, till);
  pay(checks, till);
}
