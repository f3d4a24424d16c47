#include "events/channel/registry.h"

#include <algorithm>
#include <utility>

#include "events/delivery/farewell.h"
#include "octets/random.h"

namespace takt::events {

Registry::Registry(CORBA::ORB& orb, const Limits& limits, std::unique_ptr<Journal> journal)
    : parts_(orb, limits, *this),
      journal_(std::move(journal)),
      sweeper_(std::min(limits.ping_after, limits.connect_within) / 4, [this] { look_after_all(); }) {}

Registry::~Registry() {
  stop();
  for (const auto& [id, proxy] : proxies_) proxy->channel().remove(*proxy, EndReason::destroyed);
}

void Registry::stop() {
  sweeper_.stop();
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
  while (true) {
    const std::uint64_t id = octets::random_number() >> 1;  // fits SQLite's integers
    if (id != 0 && !channels_.contains(id) && !proxies_.contains(id)) return id;
  }
}

std::expected<void, Refusal> Registry::write(const Change& change) {
  const auto written = journal_->write(change);
  if (written) return {};
  return std::unexpected(written.error().maybe_done ? Refusal::maybe_stored : Refusal::not_stored);
}

// If it cannot be written, the proxy comes back with a restart, and its client is found to be gone then.
void Registry::write_removal(ProxyId id) {
  Change change;
  change.action = Change::Action::remove_proxy;
  change.proxy.id = id;
  (void)journal_->write(change);
}

void Registry::restore(const Stored& stored) {
  for (const StoredChannel& each : stored.channels) {
    const auto channel = std::make_shared<Channel>(each.id, each.settings, parts_);
    const std::unique_lock lock(mutex_);
    channels_.emplace(each.id, channel);
    if (!each.settings.name.empty()) named_.emplace(each.settings.name, channel);
  }
  std::vector<std::pair<ProxyPtr, ObjectRef>> receivers, senders;
  for (const StoredProxy& each : stored.proxies) {
    ObjectRef client;
    try {
      if (!each.client.empty()) client = parts_.orb.string_to_object(each.client);
    } catch (const CORBA::SystemException&) {
      continue;
    }
    const auto proxy = events::make_proxy(each.id, each.kind, channel(each.channel), Clock::now());
    {
      const std::unique_lock lock(mutex_);
      proxies_.emplace(each.id, proxy);
    }
    proxy->channel().add(proxy);
    if (each.connected) (proxy->is_receiver() ? receivers : senders).emplace_back(proxy, client);
  }
  // A supplier may be pulled from at once, and its events are for all consumers.
  for (const auto* each : {&receivers, &senders})
    for (const auto& [proxy, client] : *each)
      if (proxy->reserve()) proxy->connect(client);
}

std::expected<Registry::ChannelPtr, Refusal> Registry::make_channel(ChannelSettings settings) {
  const std::string name = settings.name;
  ChannelPtr channel;
  {
    const std::unique_lock lock(mutex_);
    if (!name.empty() && named_.contains(name)) return std::unexpected(Refusal::name_taken);
    if (channels_.size() + new_channels_ >= parts_.limits.channels) return std::unexpected(Refusal::too_many);
    channel = std::make_shared<Channel>(new_id(), std::move(settings), parts_);
    if (!name.empty()) named_.emplace(name, nullptr);
    ++new_channels_;
  }
  Change change;
  change.action = Change::Action::add_channel;
  change.channel = {.id = channel->id(), .settings = channel->settings()};
  const auto written = write(change);
  const std::unique_lock lock(mutex_);
  --new_channels_;
  if (!written) {
    named_.erase(name);
    return std::unexpected(written.error());
  }
  channels_.emplace(channel->id(), channel);
  if (!name.empty()) named_[name] = channel;
  return channel;
}

std::expected<void, Refusal> Registry::destroy_channel(ChannelId id) {
  const ChannelPtr channel = this->channel(id);
  if (!channel) return std::unexpected(Refusal::gone);
  Change change;
  change.action = Change::Action::remove_channel;
  change.channel.id = id;
  if (const auto written = write(change); !written) return written;
  {
    const std::unique_lock lock(mutex_);
    if (channels_.erase(id) == 0) return std::unexpected(Refusal::gone);
    if (const std::string& name = channel->settings().name; !name.empty()) {
      parts_.orb.register_object_key(name, nullptr);
      named_.erase(name);
    }
  }
  for (const ProxyPtr& proxy : channel->proxies()) remove(proxy, EndReason::destroyed);
  return {};
}

void Registry::register_name(const Channel& channel, const ObjectRef& object) {
  const std::shared_lock lock(mutex_);  // destroy_channel() takes the key back under this lock
  const std::string& name = channel.settings().name;
  if (!name.empty() && channels_.contains(channel.id())) parts_.orb.register_object_key(name, object);
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
  ProxyPtr proxy;
  {
    const std::unique_lock lock(mutex_);
    const auto found = channels_.find(id);
    if (found == channels_.end()) return std::unexpected(Refusal::gone);
    if (proxies_.size() + new_proxies_ >= parts_.limits.proxies) return std::unexpected(Refusal::too_many);
    proxy = events::make_proxy(new_id(), kind, found->second, Clock::now());
    ++new_proxies_;
  }
  Change change;
  change.action = Change::Action::add_proxy;
  change.proxy.id = proxy->id();
  change.proxy.channel = id;
  change.proxy.kind = kind;
  const auto written = write(change);
  bool destroyed = false;
  {
    const std::unique_lock lock(mutex_);
    --new_proxies_;
    if (!written) return std::unexpected(written.error());
    destroyed = !channels_.contains(id);
    if (!destroyed) {
      proxies_.emplace(proxy->id(), proxy);
      proxy->channel().add(proxy);
    }
  }
  if (destroyed) {
    write_removal(proxy->id());
    return std::unexpected(Refusal::gone);
  }
  const ProxyPtr surplus =
      kind == ProxyKind::pull_supplier ? proxy->channel().surplus_pull_supplier() : nullptr;
  if (surplus && remove(surplus, EndReason::replaced)) write_removal(surplus->id());
  return proxy;
}

std::expected<void, Refusal> Registry::connect(ProxyId id, ProxyKind kind, const ObjectRef& client) {
  const ProxyPtr found = proxy(id, kind);
  if (!found) return std::unexpected(Refusal::gone);
  Change change;
  change.action = Change::Action::connect_proxy;
  change.proxy.id = id;
  if (client) change.proxy.client = parts_.orb.object_to_string(client);
  if (change.proxy.client.size() / 2 > parts_.limits.reference_bytes)
    return std::unexpected(Refusal::too_long);
  if (!found->reserve()) return std::unexpected(Refusal::already_connected);
  const auto written = write(change);
  if (written)
    found->connect(client);
  else
    found->release();
  return written;
}

std::expected<void, Refusal> Registry::disconnect(ProxyId id, ProxyKind kind) {
  const ProxyPtr found = proxy(id, kind);
  if (!found) return std::unexpected(Refusal::gone);
  Change change;
  change.action = Change::Action::remove_proxy;
  change.proxy.id = id;
  if (const auto written = write(change); !written) return written;
  if (!remove(found, EndReason::client)) return std::unexpected(Refusal::gone);
  return {};
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
  if (remove(std::static_pointer_cast<Proxy>(proxy.shared_from_this()), reason)) write_removal(proxy.id());
}

bool Registry::remove(const ProxyPtr& proxy, EndReason reason) {
  {
    const std::unique_lock lock(mutex_);
    if (proxies_.erase(proxy->id()) == 0) return false;
  }
  const ObjectRef client = proxy->end();
  proxy->channel().remove(*proxy, reason);
  // A client that was disconnected because it does not answer gets its one call too: it may live.
  if (client)
    say_farewell(
        client, [kind = proxy->kind()](const ObjectRef& bounded) { events::disconnect(bounded, kind); },
        parts_.limits, parts_.dispatcher);
  return true;
}

void Registry::look_after_all() {
  std::vector<ProxyPtr> all;
  {
    const std::shared_lock reading(mutex_);
    all.reserve(proxies_.size());
    for (const auto& [id, proxy] : proxies_) all.push_back(proxy);
  }
  const auto now = Clock::now();
  Ready ready(parts_.dispatcher);
  for (const ProxyPtr& proxy : all) {
    if (!proxy->is_unused(now))
      proxy->ping_if_silent(now, ready);
    else if (remove(proxy, EndReason::unused))
      write_removal(proxy->id());
  }
}

}  // namespace takt::events
