// Module TimeBase, with its TypeCodes, and the classic mapping.
#pragma once

#include <tao/TimeBase_takt_C.h>
#include <tao/corba.h>
