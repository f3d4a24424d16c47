// The servant with 1,000 operations.
#pragma once

#include "demux_thousandS.h"
#include "servants.h"

DEMUX_SERVANT(1000)
