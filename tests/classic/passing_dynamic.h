// Calls without generated code to a server of any ORB.
#pragma once

#include "checks.h"

inline void pass_dynamically(Checks& checks, CORBA::Object_ptr object) {
  CORBA::Request_var request = object->_request("pass_records");
  const Broad::Record a = record("a", 1), b = record("b", 2);
  request->add_in_arg() <<= a;
  request->add_inout_arg() <<= b;
  request->add_out_arg() <<= Broad::Record();
  request->set_return_type(Broad::_tc_Record);
  request->send_deferred();
  request->get_response();
  const Broad::Record *result = nullptr, *inout = nullptr, *out = nullptr;
  CHECK(request->env()->exception() == nullptr);
  CHECK((request->return_value() >>= result) && same(*result, a));
  CHECK((*request->arguments()->item(1)->value() >>= inout) && same(*inout, a));
  CHECK((*request->arguments()->item(2)->value() >>= out) && same(*out, b));
  request = object->_request("refuse");
  request->add_in_arg() <<= "dynamically";
  request->exceptions()->add(Broad::_tc_Refused);
  request->invoke();
  const CORBA::UnknownUserException* const unknown =
      CORBA::UnknownUserException::_downcast(request->env()->exception());
  const Broad::Refused* refused = nullptr;
  CHECK(unknown && (const_cast<CORBA::UnknownUserException*>(unknown)->exception() >>= refused) &&
        same(refused->why.in(), "dynamically"));
}
