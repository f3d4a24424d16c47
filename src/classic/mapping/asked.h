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
  raise_nil();
}

// The object's reference, as the runtime may keep it: that of a local object holds the object. The caller's.
Reference* lasting_reference(CORBA::Object_ptr object);
class OwnReference {
 public:
  explicit OwnReference(Reference* reference) : reference_(reference) {}
  ~OwnReference() { release(reference_); }
  OwnReference(const OwnReference&) = delete;
  OwnReference& operator=(const OwnReference&) = delete;
  Reference* get() const { return reference_; }

 private:
  Reference* const reference_;
};

}  // namespace classic
}  // namespace takt
