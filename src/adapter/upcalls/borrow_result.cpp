#include <takt/adapter/borrow_result.h>

#include "connection/octet_pool.h"
#include "connection/server/present_peer.h"

namespace takt {

OctetBuffer borrow_result(std::size_t bytes) {
  OctetBuffer octets;
  if (const auto* const peer = connection::PresentPeer::present()) octets = peer->stream.borrow(bytes);
  return octets.size() == bytes ? std::move(octets) : connection::OctetPool::borrow(bytes);
}

}  // namespace takt
