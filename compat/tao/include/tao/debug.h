// The classic mapping, whole, and the variable for which programs of TAO look before they print.
#pragma once

#include <tao/corba.h>

// A variable of each source that only the program sets: the level of -ORBDebugLevel is that of Takt's log.
static unsigned int TAO_debug_level __attribute__((unused)) = 0;
