#include <takt/adapter/borrow_result.h>

#include "os/memory/octet_pool.h"
#include "server/request/present_peer.h"

namespace takt {

OctetBuffer borrow_result(std::size_t bytes) {
  OctetBuffer octets;
  if (const auto* const peer = server::PresentPeer::present()) octets = peer->stream.borrow(bytes);
  return octets.size() == bytes ? std::move(octets) : os::OctetPool::borrow(bytes);
}

}  // namespace takt
