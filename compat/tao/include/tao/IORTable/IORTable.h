// The ORB's table of plain object keys.
#pragma once

#include <tao/corba.h>

#include <takt/classic/ior_table.h>
