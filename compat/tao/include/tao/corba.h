// For programs that were written for TAO: the classic IDL to C++ mapping. Each of TAO's headers for
// applications has all of it.
#pragma once

#include <takt/classic/corba.h>
#include <takt/classic/messaging.h>
#include <tao/Version.h>
