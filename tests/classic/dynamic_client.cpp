// Calls a Basics whose servant has no generated code: dynamic_client REFERENCE_FILE.
#include <string>

#include "calling.h"
#include "checks.h"

namespace {

void pass(Checks& checks, Broad::Basics_ptr basics) {
  CORBA::Long b = 2, c = 0;
  CHECK(basics->pass_longs(1, b, c) == 1 && b == 1 && c == 2);
  CORBA::String_var text = CORBA::string_dup("before"), out;
  CORBA::String_var result = basics->pass_strings("a text", text.inout(), out.out());
  CHECK(same(result, "a text") && same(text, "a text") && same(out, "before"));
  Broad::Record inout(record("b", 2));
  Broad::Record_var record_out, passed = basics->pass_records(record("a", 1), inout, record_out.out());
  CHECK(same(passed.in(), record("a", 1)) && same(inout, record("a", 1)));
  CHECK(same(record_out.in(), record("b", 2)));
}

void fail(Checks& checks, Broad::Basics_ptr basics) {
  try {
    basics->refuse("because");
    CHECK(!"refused");
  } catch (const Broad::Refused& refused) {
    CHECK(same(refused.why.in(), "because") && refused.code == 7);
  }
  try {
    basics->fail(1);
    CHECK(!"failed");
  } catch (const CORBA::NO_PERMISSION& failure) {
    CHECK(failure.minor() == 77 && failure.completed() == CORBA::COMPLETED_NO);
  }
  for (int kind = 2; kind < 4; ++kind) try {  // an exception that fail() does not raise
      basics->fail(kind);
      CHECK(!"failed");
    } catch (const CORBA::UNKNOWN&) {
      CHECK(true);
    }
  try {
    basics->twice(2);
    CHECK(!"an operation that the servant does not know");
  } catch (const CORBA::BAD_OPERATION&) {
    CHECK(true);
  }
}

}  // namespace

int main(int argc, char** argv) {
  return call_object(argc, argv, 1, [](Checks& checks, CORBA::ORB_var&, CORBA::Object_var& object) {
    CHECK(object->_is_a("IDL:Broad/Basics:1.0") && !object->_is_a("IDL:Broad/Listener:1.0"));
    CHECK(!object->_non_existent());
    Broad::Basics_var basics = Broad::Basics::_narrow(object);
    pass(checks, basics);
    fail(checks, basics);
    basics->note(42);
    basics->touch();
    CHECK(basics->counter() == 42);
    basics->shutdown();
  });
}
