// References with something else in place of what they came with: a bridge's.
#pragma once

#include <memory>
#include <optional>

#include <takt/base/bytes.h>
#include <takt/cdr/ior.h>

namespace takt::reference {

class ObjectRef;
class References;

// The same with another object key in each profile that we understand, and without the others. Allocates.
cdr::Ior with_object_key(const References& references, const cdr::Ior& ior, ByteView object_key);

// One that leads here, under that key, and says of everything but the way what `inner` does: its type, GIOP
// version, code sets, ORB and priorities. So clients encode as for the object itself. Other components are
// left out, for they may name addresses. Nothing: `inner` has no profile that we understand. Allocates.
std::optional<cdr::Ior> outer_ior(const References& references, const cdr::Ior& inner, ByteView object_key);
// The same as a reference of ours; null for nothing.
std::shared_ptr<ObjectRef> make_outer_reference(References& references, const cdr::Ior& inner,
                                                ByteView object_key);

}  // namespace takt::reference
