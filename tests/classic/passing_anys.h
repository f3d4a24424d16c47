// Anys and TypeCodes in each direction.
#pragma once

#include "checks.h"

inline bool holds_record(const CORBA::Any& any, const Broad::Record& wanted) {
  const Broad::Record* held = nullptr;
  return (any >>= held) && same(*held, wanted);
}
inline bool holds_text(const CORBA::Any& any, const char* wanted) {
  const char* held = nullptr;
  return (any >>= held) && same(held, wanted);
}
inline bool holds_number(const CORBA::Any& any, CORBA::Long wanted) {
  CORBA::Long held = 0;
  return (any >>= held) && held == wanted;
}

// A record with the number in it. Broad::Record() zeros what has no constructor.
inline Broad::Record any_record(CORBA::Long number) {
  Broad::Record made = Broad::Record();
  made.name = static_cast<const char*>("in any");
  made.numbers.length(1);
  made.numbers[0] = number;
  made.letter = 'r';
  return made;
}

inline void pass_anys(Checks& checks, Broad::Basics_ptr basics) {
  const Broad::Record record = any_record(5);
  CORBA::Any a, b, text;
  a <<= record;
  b <<= static_cast<CORBA::Long>(-7);
  CORBA::Any_var c;
  CORBA::Any_var result = basics->pass_any(a, b, c.out());
  CHECK(holds_record(result.in(), record) && holds_record(b, record) && holds_number(c.in(), -7));
  CORBA::TypeCode_var type = result->type();
  CHECK(type->equal(Broad::_tc_Record));

  text <<= "a text";
  CORBA::Any nested;
  nested <<= text;
  b = CORBA::Any();
  result = basics->pass_any(nested, b, c.out());
  const CORBA::Any* inner = nullptr;
  CHECK((result.in() >>= inner) && holds_text(*inner, "a text"));
  type = c->type();
  CHECK(type->kind() == CORBA::tk_null);

  CORBA::Any reference;
  reference <<= basics;
  b <<= record;
  result = basics->pass_any(reference, b, c.out());
  Broad::Basics_ptr held;
  CHECK((result.in() >>= held) && held->_is_equivalent(basics));
  CORBA::Object_var object;
  CHECK((result.in() >>= CORBA::Any::to_object(object.out())) && object->_is_equivalent(basics));
  CHECK(holds_record(c.in(), record));

  Broad::Anys several, few, more;
  several.length(3);
  several[0] = text;
  several[1] <<= Broad::green;
  several[2] <<= record;
  Broad::Anys_var more_out, anys = basics->pass_anys(several, few, more_out.out());
  Broad::Colour colour = Broad::red;
  CHECK(anys->length() == 3 && (anys[1u] >>= colour) && colour == Broad::green);
  CHECK(holds_text(anys[0u], "a text") && holds_record(anys[2u], record) && more_out->length() == 0);
}

inline void pass_types(Checks& checks, Broad::Basics_ptr basics) {
  CORBA::TypeCode_var b = CORBA::TypeCode::_duplicate(Broad::_tc_Chosen), c;
  CORBA::TypeCode_var result = basics->pass_types(Broad::_tc_Node, b.inout(), c.out());
  CHECK(result->equal(Broad::_tc_Node) && b->equal(Broad::_tc_Node) && c->equal(Broad::_tc_Chosen));
  CHECK(same(result->id(), "IDL:Broad/Node:1.0") && !result->equal(Broad::_tc_Record));

  Broad::Labelled a, other;
  a.label = static_cast<const char*>("label");
  a.value <<= "value";
  a.more.length(1);
  a.more[0] <<= static_cast<CORBA::Long>(1);
  a.type = CORBA::TypeCode::_duplicate(Broad::_tc_Names);
  other.type = CORBA::TypeCode::_duplicate(CORBA::_tc_long);
  Broad::Labelled_var out, labelled = basics->pass_labelled(a, other, out.out());
  CHECK(holds_text(labelled->value, "value") && holds_number(labelled->more[0], 1));
  CHECK(labelled->type->equal(Broad::_tc_Names) && out->type->equal(CORBA::_tc_long));
  CHECK(same(other.label, "label"));
}
