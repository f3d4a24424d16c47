#include "events/service/state_servant.h"

#include "addresses/address_in.h"

namespace takt::events {

Takt::Events::Client StateServant::client_of(const ProxyState& proxy) const {
  Takt::Events::Client client;
  client.kind(static_cast<Takt::Events::ProxyKind>(proxy.kind));
  client.connected(proxy.connected);
  client.answers(!proxy.suspect);
  if (!proxy.client.empty()) {
    const cdr::Ior ior = addresses::ior_of(orb_.string_to_object(proxy.client));
    client.address(addresses::address_in(ior));
    client.type_id(ior.type_id);
  }
  client.events(proxy.events);
  client.pending(proxy.pending);
  client.discarded(proxy.discarded);
  client.failures(proxy.failures);
  return client;
}

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
    for (const ProxyState& proxy : each.proxies) channel.clients().push_back(client_of(proxy));
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
