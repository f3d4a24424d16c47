// For programs that were written for omniORB: the classic IDL to C++ mapping, what applications use of
// namespace omniORB, threads, and the naming service's stubs.
#pragma once

#ifndef HAVE_STD
#define HAVE_STD
#endif

#include <omniORB4/minorCode.h>
#include <omniORB4/omniORB.h>
#include <omniORB4/omniPolicy.h>
#include <takt/classic/corba.h>
#include <takt/classic/messaging.h>
#include <omniORB4/Naming.hh>

namespace CORBA {
// The types of out arguments in the servants that `omniidl -Wbexample` writes.
typedef Any_out Any_OUT_arg;
typedef Object_out Object_OUT_arg;
typedef TypeCode_out TypeCode_OUT_arg;
// Strings as structs have them: empty by default, and copied with what holds them.
typedef takt::classic::TextMember<char> String_member;
typedef takt::classic::TextMember<wchar_t> WString_member;
}  // namespace CORBA
