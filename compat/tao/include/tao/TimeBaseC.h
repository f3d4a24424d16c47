// Module TimeBase, with its TypeCodes, and the classic mapping.
#pragma once

#include <tao/corba.h>

#include <tao/TimeBase_takt_C.h>
