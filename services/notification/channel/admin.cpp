#include "notification/channel/admin.h"

#include <algorithm>
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

void Admin::set(const Qos& qos) {
  const std::unique_lock lock(mutex_);
  qos_ = qos;
}

Subscription Admin::subscription() const {
  const std::shared_lock lock(mutex_);
  return types_;
}

void Admin::restore(const Subscription& types) {
  const std::unique_lock lock(mutex_);
  types_ = types;
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

void Admin::add(const ProxyPtr& proxy) {
  const std::unique_lock lock(mutex_);
  proxies_.emplace(proxy->number(), proxy);
  listed_.reset();
}

void Admin::remove(Proxy& proxy) {
  const std::unique_lock lock(mutex_);
  proxies_.erase(proxy.number());
  listed_.reset();
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

void Admin::number_after(std::int32_t number) {
  const std::unique_lock lock(mutex_);
  last_ = std::max(last_, number);
}

bool Admin::passes(const FilterList& of_proxy, Candidate& event) const {
  if (combine_ == Combine::all) return filters.pass(event) && of_proxy.pass(event);
  return filters.pass(event) || of_proxy.pass(event);
}

}  // namespace takt::notification
