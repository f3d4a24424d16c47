#include "client/channel/client_channel.h"

namespace takt::client {

// Not inline, so that calls without clean-up save no registers for it.
void ClientChannel::tidy() {
  pinned_.clear();
  offered_ = nullptr;
  deadline_ = never;
  at_once_ = false;
  needs_cleanup_ = watches_octets_left_ ? untidy : 0;
}

}  // namespace takt::client
