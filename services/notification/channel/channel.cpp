#include "notification/channel/channel.h"

#include <algorithm>
#include <utility>

#include "events/model/fullest.h"
#include "notification/channel/senders.h"

namespace takt::notification {
namespace {

Side side_of(const Proxy& proxy) { return proxy.is_receiver() ? Side::consumers : Side::suppliers; }

}  // namespace

Qos Channel::qos() const {
  const std::shared_lock lock(mutex_);
  return qos_;
}

void Channel::set(const Qos& qos) {
  const std::unique_lock lock(mutex_);
  qos_ = qos;
  keeps_events_ = qos.event_reliability == CosNotification::Persistent;
}

AdminProperties Channel::admin_properties() const {
  const std::shared_lock lock(mutex_);
  return admin_;
}

void Channel::set(const AdminProperties& admin) {
  const std::unique_lock lock(mutex_);
  admin_ = admin;
  most_held_ = admin.max_queue_length;
  rejects_ = admin.reject_new_events;
}

void Channel::add(const AdminPtr& admin) {
  const std::unique_lock lock(mutex_);
  list(admin->side()).emplace(admin->number(), admin);
  listed_.reset();
}

void Channel::remove(const Admin& admin) {
  const std::unique_lock lock(mutex_);
  list(admin.side()).erase(admin.number());
  listed_.reset();
}

AdminPtr Channel::admin(Side side, std::int32_t number) const {
  const std::shared_lock lock(mutex_);
  const auto found = list(side).find(number);
  return found == list(side).end() ? nullptr : found->second;
}

std::vector<AdminPtr> Channel::admins(Side side) const {
  const std::shared_lock lock(mutex_);
  std::vector<AdminPtr> all;
  for (const auto& [number, admin] : list(side)) all.push_back(admin);
  return all;
}

std::int32_t Channel::next_admin(Side side) {
  const std::unique_lock lock(mutex_);
  std::int32_t& last = side == Side::consumers ? last_consumers_ : last_suppliers_;
  return last == INT32_MAX ? 0 : ++last;
}

void Channel::admin_number_after(Side side, std::int32_t number) {
  const std::unique_lock lock(mutex_);
  std::int32_t& last = side == Side::consumers ? last_consumers_ : last_suppliers_;
  last = std::max(last, number);
}

void Channel::restore_proxy(Proxy& proxy) {
  const Side side = side_of(proxy);
  {
    const std::unique_lock lock(mutex_);
    ++(side == Side::consumers ? consumer_proxies_ : supplier_proxies_);
  }
  const std::lock_guard lock(types_mutex_);
  if (!proxy.is_connected()) return;
  proxy.counted = true;
  (side == Side::consumers ? wanted_ : offered_).change(proxy.types(), {});
}

std::expected<void, std::int32_t> Channel::count_proxy(Side side) {
  const std::unique_lock lock(mutex_);
  const std::int32_t most = side == Side::consumers ? admin_.max_consumers : admin_.max_suppliers;
  std::int32_t& count = side == Side::consumers ? consumer_proxies_ : supplier_proxies_;
  if (most > 0 && count >= most) return std::unexpected(most);
  ++count;
  return {};
}

void Channel::uncount_proxy(Side side) {
  const std::unique_lock lock(mutex_);
  --(side == Side::consumers ? consumer_proxies_ : supplier_proxies_);
}

bool Channel::has_room(std::size_t events) const {
  const std::int32_t most = most_held_;
  return most == 0 || !rejects_ || *held_ + events <= static_cast<std::uint64_t>(most);
}

bool Channel::admits(std::size_t events) {
  const bool admitted = has_room(events);
  if (!admitted) rejected_ += events;
  return admitted;
}

void Channel::tell(Side side, Subscription::Change of_types) {
  if (of_types.empty()) return;
  const auto change = std::make_shared<const SharedChange>(std::move(of_types), parts_.untold);
  Ready ready(parts_.dispatcher);
  for (const AdminPtr& admin : admins(side == Side::consumers ? Side::suppliers : Side::consumers))
    for (const ProxyPtr& proxy : admin->proxies()) proxy->update(change, ready);
}

void Channel::change_types(Proxy& proxy, const std::set<TypeName>& added, const std::set<TypeName>& removed) {
  const std::lock_guard lock(types_mutex_);
  const auto change = proxy.change_types(added, removed);
  if (!proxy.counted) return;
  const Side side = side_of(proxy);
  tell(side, (side == Side::consumers ? wanted_ : offered_).change(change.added, change.removed));
}

void Channel::count_types(Proxy& proxy) {
  const std::lock_guard lock(types_mutex_);
  if (proxy.counted || !proxy.is_connected()) return;
  proxy.counted = true;
  const Side side = side_of(proxy);
  tell(side, (side == Side::consumers ? wanted_ : offered_).change(proxy.types(), {}));
}

void Channel::uncount_types(Proxy& proxy) {
  const std::lock_guard lock(types_mutex_);
  if (!std::exchange(proxy.counted, false)) return;
  const Side side = side_of(proxy);
  tell(side, (side == Side::consumers ? wanted_ : offered_).change({}, proxy.types()));
}

std::vector<TypeName> Channel::types(Side side) const {
  const std::lock_guard lock(types_mutex_);
  return (side == Side::consumers ? wanted_ : offered_).types();
}

void Channel::add_counts(ChannelState& sum, const Proxy& proxy, const ProxyState& state) {
  sum.filtered += state.filtered;
  if (proxy.is_receiver()) sum.delivered += state.events;
  sum.discarded += state.discarded;
  sum.expired += state.expired;
  sum.failures += state.failures;
}

void Channel::note_end(const Proxy& proxy, EndReason reason) {
  const ProxyState state = proxy.counts();
  const std::unique_lock lock(mutex_);
  add_counts(past_, proxy, state);
  past_.dead += reason == EndReason::dead;
}

ChannelState Channel::look(std::size_t most_proxies) const {
  ChannelState state;
  {
    const std::shared_lock lock(mutex_);
    state = past_;
    state.consumer_admins = consumers_.size();
    state.supplier_admins = suppliers_.size();
  }
  state.number = number_;
  state.name = name_;
  state.stored = stored;
  state.received = received_;
  state.rejected = rejected_;
  state.held = *held_;
  std::vector<std::pair<std::uint64_t, ProxyPtr>> shown;
  for (const Side side : {Side::suppliers, Side::consumers})
    for (const AdminPtr& admin : admins(side))
      for (const ProxyPtr& proxy : admin->proxies()) {
        const ProxyState each = proxy->counts();
        add_counts(state, *proxy, each);
        state.pending += each.pending;
        shown.emplace_back(each.pending, proxy);
      }
  state.proxy_count = shown.size();
  for (const auto& proxy : events::with_largest(std::move(shown), most_proxies))
    state.proxies.push_back(proxy->look());
  return state;
}

}  // namespace takt::notification
