#pragma once

#include "plain.h"

#include <takt/dynamic/dyn_any.h>
#include <takt/dynamic/request.h>
#include <takt/dynamic/server_request.h>

inline CORBA::typecode_reference point;
