// The ORB's table of plain object keys.
#pragma once

#include <takt/classic/ior_table.h>
#include <tao/corba.h>
