#include "events/channel/channel.h"

#include <mutex>
#include <utility>

#include "events/model/fullest.h"

namespace takt::events {
namespace {

// Removes the proxy at its place by moving the last one there.
template <class List>
void take_out(List& list, const Proxy& proxy) {
  if (proxy.place >= list.size() || list[proxy.place].get() != &proxy) return;
  const std::size_t place = proxy.place;
  list[place] = std::move(list.back());
  list[place]->place = place;
  list.pop_back();
}

template <class List, class P>
void put_in(List& list, std::shared_ptr<P> proxy) {
  proxy->place = list.size();
  list.push_back(std::move(proxy));
}

}  // namespace

std::size_t Channel::queue_limit() const {
  return settings_.queued_events ? settings_.queued_events : parts_.limits.queued_events;
}

std::size_t Channel::pull_proxy_limit() const {
  return settings_.pull_proxies ? settings_.pull_proxies : parts_.limits.pull_proxies;
}

bool Channel::passes(const CORBA::Any& data) const {
  if (settings_.filter.empty()) return true;
  try {
    return data.type()->id() == settings_.filter;
  } catch (const CORBA::TypeCode::BadKind&) {  // the type has no id
    return false;
  }
}

void Channel::publish(const CORBA::Any& data) {
  received_.fetch_add(1, std::memory_order_relaxed);
  if (!passes(data)) {
    filtered_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  auto event = std::make_shared<const Event>(data, parts_.memory);
  Ready ready(parts_.dispatcher);
  {
    const std::shared_lock lock(mutex_);
    for (const auto& receiver : receivers_) receiver->offer(event, ready);
  }
  event.reset();  // a queue that gives it up frees its memory
  parts_.shares.relieve();
}

void Channel::add(const std::shared_ptr<Proxy>& proxy) {
  const std::unique_lock lock(mutex_);
  if (proxy->is_receiver())
    put_in(receivers_, std::static_pointer_cast<Receiver>(proxy));
  else
    put_in(senders_, proxy);
  pull_suppliers_ += proxy->kind() == ProxyKind::pull_supplier;
}

void Channel::remove(Proxy& proxy, EndReason reason) {
  const ProxyState last = proxy.counts();
  const std::unique_lock lock(mutex_);
  if (proxy.is_receiver()) {
    delivered_ += last.events;
    discarded_ += last.discarded;
    take_out(receivers_, proxy);
  } else {
    take_out(senders_, proxy);
  }
  failures_ += last.failures;
  dead_ += reason == EndReason::dead;
  pull_suppliers_ -= proxy.kind() == ProxyKind::pull_supplier;
}

std::vector<std::shared_ptr<Proxy>> Channel::proxies() const {
  const std::shared_lock lock(mutex_);
  std::vector<std::shared_ptr<Proxy>> all(senders_.begin(), senders_.end());
  all.insert(all.end(), receivers_.begin(), receivers_.end());
  return all;
}

std::shared_ptr<Proxy> Channel::surplus_pull_supplier() const {
  const std::shared_lock lock(mutex_);
  if (pull_suppliers_ <= pull_proxy_limit()) return nullptr;
  std::shared_ptr<Proxy> oldest;
  Clock::time_point active;
  for (const auto& each : receivers_) {
    if (each->kind() != ProxyKind::pull_supplier) continue;
    const auto last = each->last_active();
    if (oldest && last >= active) continue;
    oldest = each;
    active = last;
  }
  return oldest;
}

ChannelState Channel::look_at_counts() const {
  ChannelState state{.id = id_, .settings = settings_, .received = received_, .filtered = filtered_};
  const std::shared_lock lock(mutex_);
  state.delivered = delivered_;
  state.discarded = discarded_;
  state.failures = failures_;
  state.dead = dead_;
  return state;
}

ChannelState Channel::look(std::size_t most_proxies) const {
  ChannelState state = look_at_counts();
  std::vector<std::pair<std::uint64_t, std::shared_ptr<Proxy>>> shown;
  for (auto& proxy : proxies()) {
    const ProxyState each = proxy->counts();
    if (proxy->is_receiver()) state.delivered += each.events;
    state.discarded += each.discarded;
    state.failures += each.failures;
    state.pending += each.pending;
    shown.emplace_back(each.pending, std::move(proxy));
  }
  state.proxy_count = shown.size();
  for (const auto& proxy : with_largest(std::move(shown), most_proxies))
    state.proxies.push_back(proxy->look());
  return state;
}

}  // namespace takt::events
