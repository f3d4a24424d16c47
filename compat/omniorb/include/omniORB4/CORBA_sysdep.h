// omniORB's programs include this for the names of the standard library, which Takt's headers do not need.
#pragma once

#ifndef HAVE_STD
#define HAVE_STD
#endif

#include <takt/classic/basic_types.h>
