// Checks a Basics whose reference is in the file that the first argument names, and ends its server.
#include <chrono>
#include <string>
#include <thread>

#include "calling.h"
#include "passing.h"
#include "passing_anys.h"
#include "passing_dynamic.h"
#include "servants.h"

namespace {

void pass_references(Checks& checks, Broad::Basics_ptr basics) {
  Broad::Basics_var b = Broad::Basics::_nil(), c;
  Broad::Basics_var result = basics->pass_references(basics, b.inout(), c.out());
  CHECK(!CORBA::is_nil(result) && result->_is_equivalent(basics) && result->twice(4) == 8);
  CHECK(b->_is_equivalent(basics) && CORBA::is_nil(c));
  CORBA::Object_var object = basics->pass_objects(basics);
  Broad::Base_var base = Broad::Base::_narrow(object);
  CHECK(!CORBA::is_nil(base) && base->twice(21) == 42);
  CORBA::String_var name = base->name();
  CHECK(same(name, "basics"));
  Broad::Other_var other = Broad::Other::_narrow(base);
  CHECK(!CORBA::is_nil(other));
  Broad::Listener_var listener = Broad::Listener::_narrow(object);
  CHECK(CORBA::is_nil(listener));
  CHECK(basics->_is_a("IDL:Broad/Other:1.0") && !basics->_is_a("IDL:Broad/Listener:1.0"));
  CHECK(!basics->_non_existent());
  CHECK(basics->_hash(1000) < 1000);
  object = basics->pass_objects(CORBA::Object::_nil());
  CHECK(CORBA::is_nil(object));
}

void use_attributes(Checks& checks, Broad::Basics_ptr basics) {
  basics->counter(5);
  basics->touch();
  CHECK(basics->counter() == 6);
  basics->label("new label");
  CORBA::String_var label = basics->label();
  CHECK(same(label, "new label"));
  const Broad::Point point = {3, 0.5};
  basics->origin(point);
  CHECK(same(basics->origin(), point));
  Broad::Strings lines;
  lines.length(2);
  lines[1] = static_cast<const char*>("line");
  basics->lines(lines);
  Broad::Strings_var back = basics->lines();
  CHECK(back->length() == 2 && same(back[1u].in(), "line"));
  basics->note(99);
  // omniORB may run the next request of the connection in another thread, before the oneway.
  for (int tries = 0; basics->counter() != 99 && tries < 1000; ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  CHECK(basics->counter() == 99);
}

void catch_user_exceptions(Checks& checks, Broad::Basics_ptr basics) {
  try {
    basics->refuse("because");
    CHECK(!"refuse() returned");
  } catch (const Broad::Refused& refused) {
    CHECK(same(refused.why, "because") && refused.code == 17 && refused.numbers.length() == 2 &&
          refused.numbers[1] == 2);
  }
  try {
    basics->refuse("");
    CHECK(!"refuse() returned");
  } catch (CORBA::Exception& exception) {
    CHECK(Broad::Empty::_downcast(&exception) && !Broad::Refused::_downcast(&exception));
    CHECK(CORBA::UserException::_downcast(&exception) && same(exception._name(), "Empty"));
    CHECK(same(exception._rep_id(), "IDL:Broad/Empty:1.0"));
    try {
      exception._raise();
      CHECK(!"_raise() returned");
    } catch (const Broad::Empty&) {
      CHECK("_raise() throws by the most derived type");
    }
  }
  Broad::Basics::Inner inner;
  inner.now = Broad::Basics::idle;
  inner.note = static_cast<const char*>("note");
  Broad::Basics::Inner_var passed = basics->pass_inner(inner);
  CHECK(same(passed->note, "note"));
  inner.now = Broad::Basics::busy;
  try {
    passed = basics->pass_inner(inner);
    CHECK(!"pass_inner() returned");
  } catch (const Broad::Basics::Wrong& wrong) {
    CHECK(wrong.was == Broad::Basics::busy);
  }
}

void catch_system_exceptions(Checks& checks, Broad::Basics_ptr basics) {
  try {
    basics->fail(0);
    CHECK(!"fail() returned");
  } catch (const CORBA::NO_PERMISSION& exception) {
    CHECK(exception.minor() == 99 && exception.completed() == CORBA::COMPLETED_YES);
  }
  for (const CORBA::Long kind : {1, 2}) {
    try {
      basics->fail(kind);
      CHECK(!"fail() returned");
    } catch (const CORBA::SystemException& exception) {
      CHECK(CORBA::UNKNOWN::_downcast(&exception) && exception.completed() == CORBA::COMPLETED_MAYBE);
    }
  }
  try {
    Broad::Basics_var nil = Broad::Basics::_nil();
    nil->twice(1);
    CHECK(!"an operation of nil returned");
  } catch (const CORBA::INV_OBJREF&) {
    CHECK("nil throws INV_OBJREF");
  }
#ifndef CLASSIC_BY_OMNIORB  // which ends the program
  try {
    CORBA::String_var b = CORBA::string_dup("b"), c;
    CORBA::String_var result = basics->pass_strings(nullptr, b.inout(), c.out());
    CHECK(!"a null string was sent");
  } catch (const CORBA::BAD_PARAM&) {
    CHECK("a null string throws BAD_PARAM");
  }
#endif
}

void be_called_back(Checks& checks, Broad::Basics_ptr basics, CORBA::ORB_ptr orb) {
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
  PortableServer::POAManager_var manager = poa->the_POAManager();
  manager->activate();
  Listener_i* const servant = new Listener_i;
  PortableServer::ServantBase_var owner = servant;
  Broad::Listener_var listener = servant->_this();
  CHECK(basics->call_back(listener, 41) == 42);
  Broad::Listeners listeners;
  listeners.length(2);
  listeners[1] = Broad::Listener::_duplicate(listener);
  Broad::Listeners_var back = basics->pass_listeners(listeners);
  Broad::Listener_var second = Broad::Listener::_duplicate(static_cast<Broad::Listener_ptr>(back[1u]));
  CHECK(back->length() == 2 && CORBA::is_nil(back[0u]) && second->told(5) == 6);
}

}  // namespace

int main(int argc, char** argv) {
  return call_object(argc, argv, 1, [](Checks& checks, CORBA::ORB_var& orb, CORBA::Object_var& object) {
    Broad::Basics_var basics = Broad::Basics::_narrow(object);
    CHECK(!CORBA::is_nil(basics) && basics->cube_octet(5) == 125);
    pass_numbers(checks, basics);
    pass_texts(checks, basics);
    pass_structures(checks, basics);
    pass_unions(checks, basics);
    pass_arrays(checks, basics);
    pass_anys(checks, basics);
    pass_types(checks, basics);
    pass_references(checks, basics);
    use_attributes(checks, basics);
    catch_user_exceptions(checks, basics);
    catch_system_exceptions(checks, basics);
    pass_dynamically(checks, object);
    be_called_back(checks, basics, orb);
    basics->shutdown();
  });
}
