// The policies of Messaging, with the classic mapping.
#pragma once

#include <omniORB4/CORBA.h>
