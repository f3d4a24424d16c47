// References with something else in place of what they came with: a bridge's.
#pragma once

#include <memory>

#include <takt/base/bytes.h>
#include <takt/cdr/ior.h>

namespace takt::connection {

class ObjectRef;
class OrbCore;

// The same with another object key in each profile that we understand, and without the others. Allocates.
cdr::Ior with_object_key(const OrbCore& core, const cdr::Ior& ior, ByteView object_key);

// A reference that leads here, under that key, and says of everything but the way what `inner` does: its
// type, GIOP version, code sets, ORB and priorities. So clients encode as for the object itself. Other
// components are left out, for they may name addresses. Null: `inner` has no profile that we understand.
std::shared_ptr<ObjectRef> make_outer_reference(OrbCore& core, const cdr::Ior& inner, ByteView object_key);

}  // namespace takt::connection
