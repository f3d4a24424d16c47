// Every operation of a Register.
#pragma once

#include <cstdio>
#include <cstring>

#include "abstract_servants.h"
#include "counting.h"

inline bool describes(Faces::Described_ptr described, const char* text) {
  CORBA::String_var found = described->describe();
  return std::strcmp(found, text) == 0;
}
inline bool is_object(Faces::Described_ptr described) {
  CORBA::Object_var object = described->_to_object();
  CORBA::ValueBase_var value = described->_to_value();
  return !CORBA::is_nil(object) && !value.in();
}
inline bool is_value(Faces::Described_ptr described) {
  CORBA::Object_var object = described->_to_object();
  CORBA::ValueBase_var value = described->_to_value();
  return CORBA::is_nil(object) && value.in();
}

inline void pass_single(Checks& checks, Faces::Register_ptr registry) {
  Faces::Station_var station = registry->the_station();
  Faces::Note_var note = new Note_i(7);
  CHECK(describes(station, "station") && describes(note, "note 7"));
  Faces::Described_var inout = Faces::Described::_duplicate(note), out;
  Faces::Described_var back = registry->pass(station, inout.inout(), out.out());
  CHECK(is_object(back) && describes(back, "station") && back->twice(2) == 4);
  CHECK(is_object(inout) && is_value(out) && describes(out, "note 7") && out->twice(2) == 5);
  CHECK(static_cast<CORBA::Boolean>(out.in() != static_cast<Faces::Described_ptr>(note.in())));
  back = registry->pass(Faces::Described::_nil(), inout.inout(), out.out());
  CHECK(CORBA::is_nil(back) && CORBA::is_nil(inout) && describes(out, "station"));
  CORBA::String_var asked = registry->ask(note);
  CHECK(std::strcmp(asked, "note 7") == 0);
  asked = registry->ask(station);
  CHECK(std::strcmp(asked, "station") == 0);
  Faces::Marked_var marked = registry->pass_marked(station);
  marked->mark(3);
  CHECK(station->mark() == 3);
}

inline void narrow(Checks& checks, Faces::Register_ptr registry) {
  Faces::Station_var station = registry->the_station();
  Faces::Note_var note = new Note_i(1);
  Faces::Described_var inout = Faces::Described::_nil(), out;
  Faces::Described_var described = registry->pass(station, inout.inout(), out.out());
  Faces::Marked_var marked = Faces::Marked::_narrow(described);
  CHECK(!CORBA::is_nil(marked) && describes(marked, "station"));
  Faces::Station_var again = Faces::Station::_narrow(described);
  CORBA::String_var name = again->name();
  CHECK(std::strcmp(name, "name") == 0);
  described = Faces::Described::_duplicate(note);
  again = Faces::Station::_narrow(described);
  CHECK(CORBA::is_nil(again));
  CORBA::ValueBase_var value = described->_to_value();
  CHECK(Faces::Note::_downcast(value) == note.in());
}

inline void pass_compounds(Checks& checks, Faces::Register_ptr registry) {
  Faces::Station_var station = registry->the_station();
  Faces::Note_var note = new Note_i(7);
  Faces::Many many;
  many.length(3);
  many[0] = Faces::Described::_duplicate(note);
  many[1] = Faces::Described::_duplicate(station);
  Faces::Many_var back = registry->pass_many(many);
  const Faces::Many& read = back.in();
  CHECK(back->length() == 3 && is_value(read[0]) && is_object(read[1]) && CORBA::is_nil(read[2]));
  Faces::Pair pair;
  pair.first = Faces::Described::_duplicate(note);
  pair.second = Faces::Marked::_duplicate(note);
  Faces::Pair_var paired = registry->pass_pair(pair);
  CHECK(describes(paired->first, "note 7"));
  CORBA::ValueBase_var first = paired->first->_to_value(), second = paired->second->_to_value();
  CHECK(first.in() == second.in());  // shared
}

inline void pass_in_anys(Checks& checks, Faces::Register_ptr registry) {
  Faces::Station_var station = registry->the_station();
  Faces::Note_var note = new Note_i(7);
  CORBA::Any any;
  any <<= Faces::Described_ptr(note.in());
  CORBA::Any_var back = registry->pass_any(any);
  Faces::Described_ptr described = nullptr;
  CHECK((back.in() >>= described) && describes(described, "note 7"));
  any <<= Faces::Described_ptr(station.in());
  back = registry->pass_any(any);
  CORBA::AbstractBase_var base;
  CHECK(back.in() >>= CORBA::Any::to_abstract_base(base.out()));
  CORBA::Object_var object = base->_to_object();
  CHECK(object->_is_equivalent(station));
}

inline void pass_all_abstract(Checks& checks, Faces::Register_ptr registry) {
  pass_single(checks, registry);
  narrow(checks, registry);
  pass_compounds(checks, registry);
  pass_in_anys(checks, registry);
}
