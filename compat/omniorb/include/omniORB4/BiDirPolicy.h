// The bidirectional policy, with the classic mapping.
#pragma once

#include <omniORB4/CORBA.h>
