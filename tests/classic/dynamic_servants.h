// A servant of Basics without generated code, in the classic mapping of Takt and of omniORB.
#pragma once

#include <string>

#include "servants.h"

class Dynamic_i : public virtual PortableServer::DynamicImplementation {
 public:
  explicit Dynamic_i(CORBA::ORB_ptr orb) : orb_(CORBA::ORB::_duplicate(orb)), noted_(0) { ++alive(); }
  ~Dynamic_i() { --alive(); }
  static int& alive() {
    static int count = 0;
    return count;
  }

  void invoke(CORBA::ServerRequest_ptr request) {
    const std::string operation = request->operation();
    if (operation == "pass_longs") return pass(request, CORBA::_tc_long);
    if (operation == "pass_strings") return pass(request, CORBA::_tc_string);
    if (operation == "pass_records") return pass(request, Broad::_tc_Record);
    if (operation == "refuse") return refuse(request);
    if (operation == "note") return note(request);
    if (operation == "_get_counter") return counter(request);
    if (operation == "touch") return touch(request);
    if (operation == "shutdown") {
      take(request, 0, CORBA::_tc_long, CORBA::_tc_long);
      return orb_->shutdown(false);
    }
    if (operation == "fail") {
      CORBA::NVList_ptr arguments = take(request, 1, CORBA::_tc_long, CORBA::_tc_long);
      CORBA::Long kind = 0;
      *arguments->item(0)->value() >>= kind;
      if (kind == 1) throw CORBA::NO_PERMISSION(77, CORBA::COMPLETED_NO);
      if (kind == 2) throw Broad::Empty();  // only set_exception() says that it is expected
      CORBA::Any exception;
      exception <<= Broad::Empty();
      request->set_exception(exception);
      return;
    }
    throw CORBA::BAD_OPERATION(0, CORBA::COMPLETED_NO);
  }
  char* _primary_interface(const PortableServer::ObjectId&, PortableServer::POA_ptr) {
    return CORBA::string_dup("IDL:Broad/Basics:1.0");
  }

 private:
  // The request's arguments: in, inout and out ones as far as `count` goes.
  CORBA::NVList_ptr take(CORBA::ServerRequest_ptr request, int count, CORBA::TypeCode_ptr in,
                         CORBA::TypeCode_ptr others) {
    CORBA::NVList_ptr arguments;
    orb_->create_list(0, arguments);
    const CORBA::Flags flags[] = {CORBA::ARG_IN, CORBA::ARG_INOUT, CORBA::ARG_OUT};
    for (int i = 0; i < count; ++i) arguments->add(flags[i])->value()->replace(i ? others : in, nullptr);
    request->arguments(arguments);
    return arguments;
  }
  void pass(CORBA::ServerRequest_ptr request, CORBA::TypeCode_ptr type) {
    CORBA::NVList_ptr arguments = take(request, 3, type, type);
    const CORBA::Any in = *arguments->item(0)->value();
    *arguments->item(2)->value() = *arguments->item(1)->value();
    *arguments->item(1)->value() = in;
    request->set_result(in);
  }
  void refuse(CORBA::ServerRequest_ptr request) {
    CORBA::NVList_ptr arguments = take(request, 1, CORBA::_tc_string, CORBA::_tc_string);
    const char* why = nullptr;
    *arguments->item(0)->value() >>= why;
    Broad::Refused refused;
    refused.why = why;
    refused.code = 7;
    CORBA::Any exception;
    exception <<= refused;
    request->set_exception(exception);
  }
  void note(CORBA::ServerRequest_ptr request) {
    CORBA::NVList_ptr arguments = take(request, 1, CORBA::_tc_long, CORBA::_tc_long);
    *arguments->item(0)->value() >>= noted_;
  }
  void counter(CORBA::ServerRequest_ptr request) {
    take(request, 0, CORBA::_tc_long, CORBA::_tc_long);
    CORBA::Any result;
    result <<= noted_;
    request->set_result(result);
  }
  void touch(CORBA::ServerRequest_ptr request) {
    CORBA::Object_var self = _this();
    take(request, 0, CORBA::_tc_long, CORBA::_tc_long);
    if (!self->_is_a("IDL:Broad/Basics:1.0")) throw CORBA::INTERNAL();
  }

  const CORBA::ORB_var orb_;
  CORBA::Long noted_;
};
