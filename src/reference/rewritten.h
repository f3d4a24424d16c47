// References with replaced parts, for a bridge.
#pragma once

#include <memory>
#include <optional>

#include <takt/base/bytes.h>
#include <takt/cdr/ior.h>

namespace takt::reference {

class ObjectRef;
class References;

// The same reference with another object key in each profile that we understand; other profiles are dropped.
// Allocates.
cdr::Ior with_object_key(const References& references, const cdr::Ior& ior, ByteView object_key);

// A reference that leads to this process under the key and otherwise copies `inner`: type, GIOP version, code
// sets, ORB type and priorities. Clients then encode as for the inner object. Other components are dropped,
// since they may contain addresses. nullopt if `inner` has no profile that we understand. Allocates.
std::optional<cdr::Ior> bridged_ior(const References& references, const cdr::Ior& inner, ByteView object_key);
// The same as a reference of this ORB; null instead of nullopt.
std::shared_ptr<ObjectRef> make_bridged_reference(References& references, const cdr::Ior& inner,
                                                  ByteView object_key);

}  // namespace takt::reference
