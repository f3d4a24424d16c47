#include "events/service/state_servant.h"

#include <algorithm>

#include <takt/cdr/decoder.h>
#include <takt/cdr/ior.h>

namespace takt::events {
namespace {

constexpr std::uint32_t iiop_tag = 0;

cdr::Ior ior_of(const CORBA::object_reference<CORBA::Object>& object) {
  CORBA::Any any;
  any <<= object;
  cdr::Decoder decoder(any._content().octets, 0, cdr::any_format());
  cdr::Ior ior;
  cdr::read_ior(decoder, ior);
  return ior;
}

// "host:port" of the first IIOP profile.
std::string address_in(const cdr::Ior& ior) {
  for (const cdr::TaggedProfile& profile : ior.profiles) {
    if (profile.tag != iiop_tag) continue;
    std::string host;
    std::uint16_t port = 0;
    const bool read = cdr::decapsulate(profile.data, [&](cdr::Decoder& in) {
      std::uint8_t version = 0;
      in.get(version);
      in.get(version);
      host = in.get_raw_string_view();
      in.get(port);
    });
    if (read)
      return (host.find(':') == std::string::npos ? host : '[' + host + ']') + ':' + std::to_string(port);
  }
  return {};
}

}  // namespace

Takt::Events::Client StateServant::client_of(const ProxyState& proxy) const {
  Takt::Events::Client client;
  client.kind(static_cast<Takt::Events::ProxyKind>(proxy.kind));
  client.connected(proxy.connected);
  client.answers(!proxy.suspect);
  if (!proxy.client.empty()) {
    const cdr::Ior ior = ior_of(orb_.string_to_object(proxy.client));
    client.address(address_in(ior));
    client.type_id(ior.type_id);
  }
  client.events(proxy.events);
  client.pending(proxy.pending);
  client.discarded(proxy.discarded);
  client.failures(proxy.failures);
  return client;
}

Takt::Events::State StateServant::look(std::uint32_t most_clients) {
  ServiceState now = look_();
  Takt::Events::State state;
  for (ChannelState& each : now.channels) {
    Takt::Events::Channel& channel = state.channels().emplace_back();
    channel.name(each.settings.name);
    channel.filter(each.settings.filter);
    channel.proxies(each.proxies.size());
    channel.received(each.received);
    channel.filtered(each.filtered);
    channel.delivered(each.delivered);
    channel.discarded(each.discarded);
    channel.failures(each.failures);
    channel.dead(each.dead);
    channel.pending(each.pending);
    std::ranges::stable_sort(each.proxies, std::greater<>(), &ProxyState::pending);
    each.proxies.resize(std::min<std::size_t>(each.proxies.size(), most_clients));
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
