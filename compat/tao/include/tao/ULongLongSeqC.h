// The classic mapping, whole.
#pragma once

#include <tao/corba.h>
