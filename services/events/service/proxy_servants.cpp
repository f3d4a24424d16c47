#include "events/service/proxy_servants.h"

#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "events/delivery/client_link.h"
#include "events/service/refusals.h"

namespace takt::events {

std::optional<ProxyAccess::Link> ProxyAccess::link_of(const Proxy& proxy, const ObjectRef& client) const {
  if (!client || !calls_client(proxy.kind())) return std::nullopt;
  const bool pushes = proxy.kind() == ProxyKind::push_supplier;
  const ProxyKind other = pushes ? ProxyKind::push_consumer : ProxyKind::pull_supplier;
  const auto its = registry_.proxy(own_number(*adapters_.of(other), client), other);
  if (!its) return std::nullopt;
  const ChannelId own = proxy.channel().id(), far = its->channel().id();
  return pushes ? Link{own, far} : Link{far, own};
}

bool ProxyAccess::closes_circle(const Link& link) const {
  std::multimap<ChannelId, ChannelId> links;
  for (const auto& channel : registry_.channels())
    for (const auto& proxy : channel->proxies())
      if (const auto each = link_of(*proxy, proxy->given_client())) links.emplace(each->from, each->to);
  std::set<ChannelId> seen{link.to};
  for (std::vector<ChannelId> open{link.to}; !open.empty();) {
    const ChannelId at = open.back();
    open.pop_back();
    if (at == link.from) return true;
    const auto [begin, end] = links.equal_range(at);
    for (auto next = begin; next != end; ++next)
      if (seen.insert(next->second).second) open.push_back(next->second);
  }
  return false;
}

void ProxyAccess::connect(ProxyKind kind, const ObjectRef& client) const {
  require_client(client, kind);
  const auto proxy = registry_.proxy(adapters_.target(), kind);
  const auto link = proxy ? link_of(*proxy, client) : std::nullopt;
  const auto no_other_link = link ? registry_.hold_links() : std::unique_lock<std::mutex>();
  if (link && closes_circle(*link)) throw CosEventChannelAdmin::TypeError();
  if (const auto connected = registry_.connect(adapters_.target(), kind, client); !connected)
    throw_refusal(connected.error());
}

void ProxyAccess::disconnect(ProxyKind kind) const {
  if (const auto done = registry_.disconnect(adapters_.target(), kind); !done) throw_refusal(done.error());
}

bool ProxyAccess::missing(ProxyKind kind) const { return !registry_.proxy(adapters_.target(), kind); }

void PushConsumerServant::push(const CORBA::Any& data) {
  existing<PushedProxy>(ProxyKind::push_consumer)->push(data);
}

CORBA::Any PullSupplierServant::pull() {
  return existing<PulledProxy>(ProxyKind::pull_supplier)->pull()->data();
}

CORBA::Any PullSupplierServant::try_pull(bool& has_event) {
  const EventPtr event = existing<PulledProxy>(ProxyKind::pull_supplier)->try_pull();
  has_event = event != nullptr;
  return event ? event->data() : CORBA::Any();
}

}  // namespace takt::events
