#include "notification/service/state_servant.h"

namespace takt::notification {
namespace {

Takt::Notification::ClientKind kind_of(ProxyKind proxy) {
  using Takt::Notification::ClientKind;
  switch (proxy) {
    case ProxyKind::push_consumer:
      return ClientKind::push_supplier;
    case ProxyKind::pull_consumer:
      return ClientKind::pull_supplier;
    case ProxyKind::push_supplier:
      return ClientKind::push_consumer;
    case ProxyKind::pull_supplier:
      break;
  }
  return ClientKind::pull_consumer;
}

Takt::Notification::Client client_of(const ProxyState& proxy, CORBA::ORB& orb) {
  Takt::Notification::Client client;
  client.kind(kind_of(proxy.kind));
  client.form(static_cast<Takt::Notification::EventForm>(proxy.form));
  client.admin(proxy.admin);
  client.proxy(proxy.number);
  client.suspended(proxy.suspended);
  client.stored(proxy.stored);
  client.filtered(proxy.filtered);
  client.expired(proxy.expired);
  events::show(proxy, client, orb);
  return client;
}

Takt::Notification::Channel channel_of(const ChannelState& now, CORBA::ORB& orb) {
  Takt::Notification::Channel channel;
  channel.id(now.number);
  channel.name(now.name);
  channel.stored(now.stored);
  channel.consumer_admins(now.consumer_admins);
  channel.supplier_admins(now.supplier_admins);
  channel.proxies(now.proxy_count);
  channel.received(now.received);
  channel.rejected(now.rejected);
  channel.filtered(now.filtered);
  channel.delivered(now.delivered);
  channel.discarded(now.discarded);
  channel.expired(now.expired);
  channel.failures(now.failures);
  channel.dead(now.dead);
  channel.pending(now.pending);
  channel.held(now.held);
  for (const ProxyState& proxy : now.proxies) channel.clients().push_back(client_of(proxy, orb));
  return channel;
}

}  // namespace

Takt::Notification::State StateServant::look(std::uint32_t most_clients) {
  const Parts& parts = registry_.parts();
  Takt::Notification::State state;
  for (const ChannelPtr& channel : registry_.channels())
    state.channels().push_back(channel_of(channel->look(most_clients), parts.orb));
  state.proxies(registry_.proxies());
  state.filters(registry_.filters());
  state.queued_octets(parts.memory.used_bytes());
  state.waiting_pulls(parts.waiting_pulls);
  if (parts.persistence) {
    state.stored_events(parts.persistence->stored);
    state.repeatable_deliveries(parts.persistence->repeated);
  }
  const auto threads = parts.dispatcher.counts();
  state.threads(threads.threads);
  state.blocked_threads(threads.blocked);
  state.threads_replaced(threads.replaced);
  return state;
}

Ref<CosNotifyChannelAdmin::EventChannel> StateServant::find_channel(const std::string& name) {
  const ChannelPtr found = registry_.channel(name);
  return found ? references_.of(*found) : nullptr;
}

}  // namespace takt::notification
