// For programs that were written for omniORB: the classic IDL to C++ mapping, and the naming service's stubs.
#pragma once

#ifndef HAVE_STD
#define HAVE_STD
#endif

#include <takt/classic/corba.h>
#include <omniORB4/Naming.hh>
