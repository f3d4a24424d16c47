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
