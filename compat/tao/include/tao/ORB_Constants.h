// The classic mapping, whole, and the number in TAO's own minor codes.
#pragma once

#include <tao/corba.h>

namespace TAO {
const CORBA::ULong VMCID = 0x54410000;
}  // namespace TAO
