#include "connection/server/present_peer.h"

#include <takt/connection/peer.h>

namespace takt {

std::optional<PeerProcess> present_peer() noexcept {
  const os::ProcessIdentity* const peer = connection::PresentPeer::present();
  if (!peer) return std::nullopt;
  return PeerProcess{peer->process, peer->user, peer->group};
}

}  // namespace takt
