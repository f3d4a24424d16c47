// The same sources are compiled against Takt and against omniORB.
#pragma once

#ifdef CLASSIC_BY_OMNIORB
#include "broad.hh"
#else
#include "broadS.h"
#endif
