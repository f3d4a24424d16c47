#include <takt/invocation/borrow_octets.h>

#include <takt/invocation/client_call.h>

#include "os/memory/octet_pool.h"
#include "reference/object_ref.h"

namespace takt {

OctetBuffer borrow_octets(const CORBA::Object& target, std::size_t bytes) {
  const reference::ObjectRef* const ref = target._ref().get();
  const bool is_local = ref && !ref->local_key().empty();
  OctetBuffer octets;
  if (!is_local)
    octets =
        invocation::ClientCall(target, "borrow_octets", {.response_expected = false, .has_arguments = false})
            .borrow(bytes);
  return octets.size() == bytes ? std::move(octets) : os::OctetPool::borrow(bytes);
}

}  // namespace takt
