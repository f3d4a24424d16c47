#include "notification/channel/admin.h"

#include <utility>

#include "notification/channel/channel.h"

namespace takt::notification {

Admin::Admin(ObjectId id, std::int32_t number, Side side, Combine combine, std::shared_ptr<Channel> channel)
    : Object(id),
      filters(channel->parts().limits),
      number_(number),
      side_(side),
      combine_(combine),
      channel_(std::move(channel)),
      qos_(channel_->qos()),
      types_(side == Side::consumers ? Subscription::to_all() : Subscription::to_none()) {}

Qos Admin::qos() const {
  const std::shared_lock lock(mutex_);
  return qos_;
}

std::expected<void, PropertyErrors> Admin::set_qos(const CosNotification::QoSProperties& properties) {
  const std::unique_lock lock(mutex_);
  auto now = changed(qos_, properties, Level::admin, channel_->parts().limits);
  if (!now) return std::unexpected(std::move(now.error()));
  qos_ = *now;
  return {};
}

Subscription Admin::subscription() const {
  const std::shared_lock lock(mutex_);
  return types_;
}

void Admin::change_types(const std::set<TypeName>& added, const std::set<TypeName>& removed) {
  std::vector<ProxyPtr> all;
  {
    const std::unique_lock lock(mutex_);
    types_.change(added, removed);
    for (const auto& [number, proxy] : proxies_) all.push_back(proxy);
  }
  for (const ProxyPtr& proxy : all) channel_->change_types(*proxy, added, removed);
}

bool Admin::add(const ProxyPtr& proxy) {
  const std::unique_lock lock(mutex_);
  if (!ended_) proxies_.emplace(proxy->number(), proxy);
  return !ended_;
}

void Admin::remove(Proxy& proxy) {
  const std::unique_lock lock(mutex_);
  proxies_.erase(proxy.number());
}

ProxyPtr Admin::proxy(std::int32_t number) const {
  const std::shared_lock lock(mutex_);
  const auto found = proxies_.find(number);
  return found == proxies_.end() ? nullptr : found->second;
}

std::vector<ProxyPtr> Admin::proxies() const {
  const std::shared_lock lock(mutex_);
  std::vector<ProxyPtr> all;
  for (const auto& [number, proxy] : proxies_) all.push_back(proxy);
  return all;
}

std::int32_t Admin::next_number() {
  const std::unique_lock lock(mutex_);
  return last_ == INT32_MAX ? 0 : ++last_;
}

void Admin::end() {
  const std::unique_lock lock(mutex_);
  ended_ = true;
}

void Admin::offer(const Arrival& arrival, events::Ready& ready) const {
  const std::shared_lock lock(mutex_);
  for (const auto& [number, proxy] : proxies_) static_cast<Receiver&>(*proxy).offer(arrival, ready);
}

bool Admin::passes(const FilterList& of_proxy, Candidate& event) const {
  if (combine_ == Combine::all) return filters.pass(event) && of_proxy.pass(event);
  return filters.pass(event) || of_proxy.pass(event);
}

}  // namespace takt::notification
