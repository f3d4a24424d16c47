// The ORB's own types, of Takt or of omniORB.
#pragma once

#ifdef CLASSIC_BY_OMNIORB
#include <omniORB4/CORBA.h>
#else
#include <takt/classic/corba.h>
#endif
