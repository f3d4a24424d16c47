// For programs that were written for TAO: the classic IDL to C++ mapping. Each of TAO's headers for
// applications has all of it.
#pragma once

// Before all of the classic mapping: elements of const sequences of strings have in(), and a _var is a
// pointer where one is needed.
#define TAKT_CLASSIC_TEXTS_HAVE_IN
#define TAKT_CLASSIC_VARS_ARE_POINTERS

#include <takt/classic/corba.h>
#include <takt/classic/messaging.h>
#include <takt/classic/present_orb.h>
#include <takt/config/other_orbs.h>
#include <takt/reference/failure_codes.h>
#include <tao/Version.h>

namespace takt {
namespace tao {
namespace {

// The ORBs of programs with this header take TAO's settings and fail with its minor codes, and dynamic
// requests throw. TAO's own codes begin with 0x5441, have the place in bits 7 to 11, and below an error of
// the system, which is left out here.
const struct Behaviour {
  Behaviour() {
    take_settings_of_tao();
    classic::let_requests_throw();
    FailureCodes codes;
    codes.timed_out = 0x54410580;          // timeout during recv
    codes.connect_timed_out = 0x54410480;  // timeout during connect
    codes.lost = 0x54410300;               // failed to recv request response
    codes.no_object = 0x4f4d0002;
    codes.no_operation = 0;
    codes.not_corba = 0x54410280;  // unhandled C++ exception in server side
    set_failure_codes(codes);
  }
} behaviour;

}  // namespace

template <class Factory>
void register_factory(const char* repository_id) {
  const CORBA::ORB_var orb = classic::present_orb();
  const CORBA::ValueFactory factory = new Factory;
  if (const CORBA::ValueFactory former = orb->register_value_factory(repository_id, factory))
    former->_remove_ref();
  factory->_remove_ref();
}

}  // namespace tao

namespace classic {
// Inserts a copy. A _var is a pointer too here, so that the insertion that takes a value over would do as
// well.
template <class T>
void operator<<=(CORBA::Any& any, const ValueVar<T>& value) {
  any <<= value.in();
}
}  // namespace classic
}  // namespace takt

typedef CORBA::LocalObject TAO_Local_RefCounted_Object;
typedef PortableServer::DynamicImplementation TAO_DynamicImplementation;

// With the ORB that the program has made last. A block, so that a semicolon after it may be missing.
#define TAO_OBV_REGISTER_FACTORY(FACTORY, VALUE)                                  \
  {                                                                               \
    takt::tao::register_factory<FACTORY>(VALUE::_tao_obv_static_repository_id()); \
  }
