#include "events/service/state_servant.h"

namespace takt::events {

Takt::Events::State StateServant::look(std::uint32_t most_clients) {
  const ServiceState now = look_(most_clients);
  Takt::Events::State state;
  for (const ChannelState& each : now.channels) {
    Takt::Events::Channel& channel = state.channels().emplace_back();
    channel.name(each.settings.name);
    channel.filter(each.settings.filter);
    channel.proxies(each.proxy_count);
    channel.received(each.received);
    channel.filtered(each.filtered);
    channel.delivered(each.delivered);
    channel.discarded(each.discarded);
    channel.failures(each.failures);
    channel.dead(each.dead);
    channel.pending(each.pending);
    for (const ProxyState& proxy : each.proxies) {
      Takt::Events::Client& client = channel.clients().emplace_back();
      client.kind(static_cast<Takt::Events::ProxyKind>(proxy.kind));
      show(proxy, client, orb_);
    }
  }
  state.proxies(now.proxies);
  state.queued_octets(now.queued_bytes);
  state.waiting_pulls(now.waiting_pulls);
  state.threads(now.threads.threads);
  state.blocked_threads(now.threads.blocked);
  state.threads_replaced(now.threads.replaced);
  return state;
}

}  // namespace takt::events
