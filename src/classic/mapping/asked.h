// Helpers of the classes of the mapping.
#pragma once

#include <takt/classic/object.h>

#include "classic/bridge/failures.h"

namespace takt {
namespace classic {

// UNKNOWN: a user exception that the operation does not raise (CORBA 3.0.3, table 4-3).
const CORBA::ULong not_listed_minor = 0x4f4d0001;

// The reference of an object that is asked something. Throws INV_OBJREF for nil.
inline Reference& asked(const CORBA::Object& object) {
  if (Reference* const reference = object._takt_reference()) return *reference;
  raise_system("IDL:omg.org/CORBA/INV_OBJREF:1.0", 0, CORBA::COMPLETED_NO,
               "an operation was called on a nil reference");
}

}  // namespace classic
}  // namespace takt
