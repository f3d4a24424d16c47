#include <algorithm>
#include <functional>

#include "rt_events/service/servants.h"

namespace takt::rt_events {
namespace {

std::uint64_t number(std::chrono::nanoseconds time) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(time.count(), 0));
}

Takt::RtEvents::Client client_of(const ProxyState& proxy) {
  Takt::RtEvents::Client client;
  client.consumer(proxy.is_consumer);
  client.connected(proxy.connected);
  client.answers(proxy.answers);
  client.suspended(proxy.counts.suspended);
  client.address(proxy.address);
  client.level(static_cast<std::uint32_t>(proxy.counts.level));
  client.events(proxy.events);
  client.lost(proxy.lost);
  client.pending(proxy.counts.pending);
  client.discarded(proxy.counts.discarded);
  client.missed(proxy.counts.missed);
  client.slow_calls(proxy.counts.slow_calls);
  client.longest_call_ns(number(std::max(proxy.counts.longest_call, proxy.counts.in_call)));
  client.longest_wait_ns(number(proxy.counts.longest_wait));
  return client;
}

}  // namespace

Takt::RtEvents::State StateServant::look(std::uint32_t most_clients) {
  Takt::RtEvents::State state;
  const EventChannel& channel = parts_.proxies->channel();
  for (const EventLevel& level : channel.levels()) {
    Takt::RtEvents::Level& each = state.levels().emplace_back();
    each.name(level.name);
    each.priority(level.priority);
  }
  const EventChannelCounts events = channel.counts();
  state.pushed(events.pushed);
  state.without_consumer(events.without_consumer);
  state.refused(events.refused);
  state.held(events.events);
  state.threads_replaced(events.threads_replaced);
  const Proxies::Counts counts = parts_.proxies->counts();
  state.proxies(counts.proxies);
  state.observers(counts.observers);
  state.dead(counts.dead);
  for (const auto& gateway : parts_.gateways) {
    const GatewayState each = gateway->look();
    Takt::RtEvents::Peer& peer = state.peers().emplace_back();
    peer.channel(each.channel);
    peer.connected(each.connected);
    peer.received(each.received);
    peer.expired(each.expired);
  }
  {
    const std::lock_guard lock(parts_.shown_mutex);
    if (parts_.datagrams) state.datagrams(parts_.datagrams());
    if (parts_.rings) state.rings(parts_.rings(most_clients));
  }
  std::vector<ProxyState> proxies;
  for (const auto& proxy : parts_.proxies->all()) proxies.push_back(proxy->look());
  for (const ProxyState& proxy : proxies) {
    if (!proxy.is_consumer) continue;
    state.sent(state.sent() + proxy.events);
    state.lost(state.lost() + proxy.lost);
    state.discarded(state.discarded() + proxy.counts.discarded);
    state.pending(state.pending() + proxy.counts.pending);
  }
  std::ranges::stable_sort(proxies, std::greater<>(),
                           [](const ProxyState& proxy) { return proxy.counts.pending; });
  proxies.resize(std::min<std::size_t>(proxies.size(), most_clients));
  for (const ProxyState& proxy : proxies) state.clients().push_back(client_of(proxy));
  return state;
}

}  // namespace takt::rt_events
