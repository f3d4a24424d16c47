#include "events/channel/registry.h"

#include <algorithm>
#include <random>
#include <utility>

namespace takt::events {

Registry::Registry(CORBA::ORB& orb, const Limits& limits)
    : parts_(orb, limits, *this), sweeper_([this] { sweep(); }) {}

Registry::~Registry() {
  stop();
  for (const auto& [id, proxy] : proxies_) proxy->channel().remove(*proxy, EndReason::destroyed);
}

void Registry::stop() {
  {
    const std::lock_guard lock(sweeping_);
    stopping_ = true;
  }
  stops_.notify_all();
  if (sweeper_.joinable()) sweeper_.join();
  parts_.stopping = true;
  std::vector<ProxyPtr> all;
  {
    const std::shared_lock lock(mutex_);
    for (const auto& [id, proxy] : proxies_) all.push_back(proxy);
  }
  for (const ProxyPtr& proxy : all) proxy->end();
  parts_.dispatcher.stop();
}

std::uint64_t Registry::new_id() const {
  static thread_local std::random_device device("/dev/urandom");  // the processor's own source can be slow
  while (true) {
    const std::uint64_t id =
        (static_cast<std::uint64_t>(device()) << 32 | device()) >> 1;  // fits SQLite's integers
    if (id != 0 && !channels_.contains(id) && !proxies_.contains(id)) return id;
  }
}

std::expected<Registry::ChannelPtr, Refusal> Registry::make_channel(ChannelSettings settings) {
  const std::unique_lock lock(mutex_);
  if (!settings.name.empty() && named_.contains(settings.name)) return std::unexpected(Refusal::name_taken);
  if (channels_.size() >= parts_.limits.channels) return std::unexpected(Refusal::too_many);
  const auto channel = std::make_shared<Channel>(new_id(), std::move(settings), parts_);
  channels_.emplace(channel->id(), channel);
  if (!channel->settings().name.empty()) named_.emplace(channel->settings().name, channel);
  return channel;
}

bool Registry::destroy_channel(ChannelId id) {
  ChannelPtr channel;
  {
    const std::unique_lock lock(mutex_);
    const auto found = channels_.find(id);
    if (found == channels_.end()) return false;
    channel = found->second;
    channels_.erase(found);
    if (const std::string& name = channel->settings().name; !name.empty()) {
      parts_.orb.register_object_key(name, nullptr);
      named_.erase(name);
    }
  }
  for (const ProxyPtr& proxy : channel->proxies()) remove(proxy, EndReason::destroyed);
  return true;
}

Registry::ChannelPtr Registry::channel(ChannelId id) const {
  const std::shared_lock lock(mutex_);
  const auto found = channels_.find(id);
  return found == channels_.end() ? nullptr : found->second;
}

Registry::ChannelPtr Registry::channel(const std::string& name) const {
  const std::shared_lock lock(mutex_);
  const auto found = named_.find(name);
  return found == named_.end() ? nullptr : found->second;
}

std::vector<Registry::ChannelPtr> Registry::channels() const {
  const std::shared_lock lock(mutex_);
  std::vector<ChannelPtr> all;
  for (const auto& [id, channel] : channels_) all.push_back(channel);
  std::sort(all.begin(), all.end(), [](const ChannelPtr& a, const ChannelPtr& b) {
    return std::pair(a->settings().name, a->id()) < std::pair(b->settings().name, b->id());
  });
  return all;
}

std::expected<Registry::ProxyPtr, Refusal> Registry::make_proxy(ChannelId id, ProxyKind kind) {
  ProxyPtr proxy, surplus;
  {
    const std::unique_lock lock(mutex_);
    const auto found = channels_.find(id);
    if (found == channels_.end()) return std::unexpected(Refusal::gone);
    if (proxies_.size() >= parts_.limits.proxies) return std::unexpected(Refusal::too_many);
    proxy = events::make_proxy(new_id(), kind, found->second, Clock::now());
    proxies_.emplace(proxy->id(), proxy);
    found->second->add(proxy);
  }
  if (kind == ProxyKind::pull_supplier) surplus = proxy->channel().surplus_pull_supplier();
  if (surplus) remove(surplus, EndReason::replaced);
  return proxy;
}

std::expected<void, Refusal> Registry::connect(ProxyId id, ProxyKind kind, const ObjectRef& client) {
  const ProxyPtr found = proxy(id, kind);
  if (!found) return std::unexpected(Refusal::gone);
  if (client && parts_.orb.object_to_string(client).size() / 2 > parts_.limits.reference_bytes)
    return std::unexpected(Refusal::too_long);
  if (!found->connect(client)) return std::unexpected(Refusal::already_connected);
  return {};
}

bool Registry::disconnect(ProxyId id, ProxyKind kind) {
  const ProxyPtr found = proxy(id, kind);
  if (!found) return false;
  remove(found, EndReason::client);
  return true;
}

Registry::ProxyPtr Registry::proxy(ProxyId id, ProxyKind kind) const {
  const std::shared_lock lock(mutex_);
  const auto found = proxies_.find(id);
  return found == proxies_.end() || found->second->kind() != kind ? nullptr : found->second;
}

std::size_t Registry::proxies() const {
  const std::shared_lock lock(mutex_);
  return proxies_.size();
}

void Registry::end(Proxy& proxy, EndReason reason) {
  remove(std::static_pointer_cast<Proxy>(proxy.shared_from_this()), reason);
}

void Registry::remove(const ProxyPtr& proxy, EndReason reason) {
  {
    const std::unique_lock lock(mutex_);
    if (proxies_.erase(proxy->id()) == 0) return;  // another thread has removed it
  }
  const ObjectRef client = proxy->end();
  proxy->channel().remove(*proxy, reason);
  // A client that was disconnected because it does not answer gets its one call too: it may live.
  if (client) parts_.dispatcher.ready(std::make_shared<Farewell>(client, proxy->kind(), proxy->is_suspect()));
}

void Registry::sweep() {
  const auto period = std::min({parts_.limits.ping_after, parts_.limits.connect_within}) / 4;
  std::unique_lock lock(sweeping_);
  while (!stops_.wait_for(lock, period, [this] { return stopping_; })) {
    lock.unlock();
    std::vector<ProxyPtr> all, unused;
    {
      const std::shared_lock reading(mutex_);
      all.reserve(proxies_.size());
      for (const auto& [id, proxy] : proxies_) all.push_back(proxy);
    }
    const auto now = Clock::now();
    Ready ready;
    for (const ProxyPtr& proxy : all) {
      if (proxy->is_unused(now))
        remove(proxy, EndReason::unused);
      else
        proxy->ping_if_silent(now, ready);
    }
    parts_.dispatcher.ready(ready);
    lock.lock();
  }
}

}  // namespace takt::events
