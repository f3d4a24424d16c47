#include "client/channel/client_channel.h"

#include "transport/peer_text.h"

namespace takt::client {

// Not inline, so that calls without clean-up save no registers for it.
void ClientChannel::tidy() {
  pinned_.clear();
  offered_ = nullptr;
  deadline_ = never;
  at_once_ = false;
  needs_cleanup_ = watches_octets_left_ ? unusual : 0;
}

// A channel that has no connection yet describes the server's address after the protocol's name.
[[gnu::cold]] void ClientChannel::find_peer() {
  peer_ = transport::peer_in(describe());
  peer_.erase(0, peer_.find(' ') + 1);
}

}  // namespace takt::client
