#include "events/channel/proxy.h"

#include <utility>

#include "events/channel/channel.h"

namespace takt::events {

Proxy::Proxy(ProxyId id, ProxyKind kind, std::shared_ptr<Channel> channel, Clock::time_point now)
    : ClientLink(channel->parts().limits, channel->parts().dispatcher, now),
      id_(id),
      kind_(kind),
      channel_(std::move(channel)) {}

Parts& Proxy::parts() const { return channel_->parts(); }

void Proxy::give_up() { parts().keeper.end(*this, EndReason::dead); }

ProxyState Proxy::counts() const {
  ProxyState state;
  state.id = id_;
  state.kind = kind_;
  const std::lock_guard lock(mutex_);
  state.connected = is_live();
  state.suspect = is_suspect();
  state.events = events_;
  state.failures = failures_;
  add_to(state);
  return state;
}

ProxyState Proxy::look() const {
  ProxyState state = counts();
  if (const ObjectRef client = given_client()) state.client = parts().orb.object_to_string(client);
  return state;
}

}  // namespace takt::events
