#include "notification/channel/registry.h"

#include <algorithm>
#include <limits>
#include <random>
#include <utility>

#include "events/delivery/with_timeout.h"
#include "notification/channel/receivers.h"
#include "notification/channel/senders.h"

namespace takt::notification {
namespace {

std::shared_ptr<Proxy> new_proxy(ObjectId id, std::int32_t number, ProxyKind kind, Form form,
                                 const AdminPtr& admin) {
  switch (kind) {
    case ProxyKind::push_consumer:
      return std::make_shared<PushedProxy>(id, number, form, admin);
    case ProxyKind::pull_consumer:
      return std::make_shared<PullingProxy>(id, number, form, admin);
    case ProxyKind::push_supplier:
      return std::make_shared<PushingProxy>(id, number, form, admin);
    case ProxyKind::pull_supplier:
      return std::make_shared<PulledProxy>(id, number, form, admin);
  }
  return nullptr;
}

// Tells a filter's callback of a change, once.
class CallbackTask final : public events::Task {
 public:
  CallbackTask(Filter::Callback callback, Subscription::Change change)
      : callback_(std::move(callback)), change_(std::move(change)) {}
  std::optional<Clock::time_point> run() override {
    events::answer_of(
        [&] { callback_->subscription_change(types_of(change_.added), types_of(change_.removed)); });
    return {};
  }
  // A callback is not known to answer.
  bool is_suspect() const override { return true; }

 private:
  const Filter::Callback callback_;
  const Subscription::Change change_;
};

}  // namespace

Registry::Registry(CORBA::ORB& orb, const Limits& limits)
    : parts_(orb, limits, *this), sweeper_([this] { sweep(); }) {}

Registry::~Registry() {
  stop();
  for (const auto& [number, channel] : channels_)  // they and their administrators refer to each other
    for (const Side side : {Side::suppliers, Side::consumers})
      for (const AdminPtr& admin : channel->admins(side)) channel->remove(*admin);
}

void Registry::stop() {
  {
    const std::lock_guard lock(sweeping_);
    stopping_ = true;
  }
  stops_.notify_all();
  if (sweeper_.joinable()) sweeper_.join();
  parts_.stopping = true;
  for (const ChannelPtr& channel : channels())
    for (const Side side : {Side::suppliers, Side::consumers})
      for (const AdminPtr& admin : channel->admins(side))
        for (const ProxyPtr& proxy : admin->proxies()) {
          proxy->end();
          admin->remove(*proxy);  // they refer to each other
        }
  parts_.dispatcher.stop();
}

ObjectId Registry::new_id() const {
  static thread_local std::random_device device("/dev/urandom");  // the processor's own source can be slow
  while (true) {
    const ObjectId id = (static_cast<ObjectId>(device()) << 32 | device()) >> 1;
    if (id != 0 && !objects_.contains(id)) return id;
  }
}

std::expected<ChannelPtr, Registry::ChannelFault> Registry::make_channel(
    const std::string& name, const CosNotification::QoSProperties& qos_properties,
    const CosNotification::AdminProperties& admin_properties) {
  auto qos = changed(Qos(), qos_properties, Level::channel, parts_.limits);
  if (!qos) return std::unexpected(UnsupportedQos(std::move(qos.error())));
  auto admin = changed(AdminProperties(), admin_properties);
  if (!admin) return std::unexpected(UnsupportedAdmin(std::move(admin.error())));
  const std::unique_lock lock(mutex_);
  if (!name.empty() && named_.contains(name)) return std::unexpected(Refusal::name_taken);
  if (channels_.size() >= parts_.limits.channels || last_channel_ == std::numeric_limits<std::int32_t>::max())
    return std::unexpected(Refusal::too_many);
  const auto made = std::make_shared<Channel>(new_id(), ++last_channel_, name, *qos, *admin, parts_);
  objects_.emplace(made->object_id(), made);
  channels_.emplace(made->number(), made);
  if (!name.empty()) named_.emplace(name, made);
  for (const Side side : {Side::consumers, Side::suppliers}) {
    const auto of_side = std::make_shared<Admin>(new_id(), 0, side, Combine::all, made);
    made->add(of_side);
    objects_.emplace(of_side->object_id(), of_side);
    ++counts_.admins;
  }
  return made;
}

ChannelPtr Registry::channel(std::int32_t number) const {
  const std::shared_lock lock(mutex_);
  const auto found = channels_.find(number);
  return found == channels_.end() ? nullptr : found->second;
}

ChannelPtr Registry::channel(const std::string& name) const {
  const std::shared_lock lock(mutex_);
  const auto found = named_.find(name);
  return found == named_.end() ? nullptr : found->second;
}

std::vector<ChannelPtr> Registry::channels() const {
  const std::shared_lock lock(mutex_);
  std::vector<ChannelPtr> all;
  for (const auto& [number, channel] : channels_) all.push_back(channel);
  return all;
}

std::expected<void, Refusal> Registry::destroy(const ChannelPtr& channel) {
  {
    const std::unique_lock lock(mutex_);
    if (objects_.erase(channel->object_id()) == 0) return std::unexpected(Refusal::gone);
    channels_.erase(channel->number());
    if (!channel->name().empty()) {
      parts_.orb.register_object_key(channel->name(), nullptr);
      named_.erase(channel->name());
    }
  }
  channel->end();
  for (const Side side : {Side::suppliers, Side::consumers})
    for (const AdminPtr& admin : channel->admins(side)) (void)destroy(admin);
  return {};
}

bool Registry::forget(const Object& object, std::size_t& count) {
  const std::unique_lock lock(mutex_);
  const bool was_there = objects_.erase(object.object_id()) > 0;
  count -= was_there;
  return was_there;
}

std::expected<AdminPtr, Refusal> Registry::make_admin(const ChannelPtr& channel, Side side, Combine combine) {
  const std::int32_t number = channel->next_admin(side);
  if (number == 0) return std::unexpected(Refusal::too_many);
  AdminPtr made;
  {
    const std::unique_lock lock(mutex_);
    if (counts_.admins >= parts_.limits.admins) return std::unexpected(Refusal::too_many);
    made = std::make_shared<Admin>(new_id(), number, side, combine, channel);
    objects_.emplace(made->object_id(), made);
    ++counts_.admins;
  }
  // Outside the lock, because the channel may be passing events on.
  if (channel->add(made)) return made;
  forget(*made, counts_.admins);
  return std::unexpected(Refusal::gone);
}

std::expected<void, Refusal> Registry::destroy(const AdminPtr& admin) {
  {
    const std::unique_lock lock(mutex_);
    if (objects_.erase(admin->object_id()) == 0) return std::unexpected(Refusal::gone);
    --counts_.admins;
  }
  admin->end();
  for (const ProxyPtr& proxy : admin->proxies()) remove(*proxy, EndReason::destroyed);
  admin->channel().remove(*admin);
  return {};
}

std::expected<ProxyPtr, Registry::ProxyFault> Registry::make_proxy(const AdminPtr& admin, ProxyKind kind,
                                                                   Form form) {
  Channel& channel = admin->channel();
  if (const auto counted = channel.count_proxy(admin->side()); !counted)
    return std::unexpected(LimitExceeded(admin->side(), counted.error()));
  Refusal refusal = Refusal::too_many;
  // The administrator is asked outside the lock, because it may be passing events on.
  if (const auto made = add_proxy(admin, kind, form)) {
    if (admin->add(made)) return made;
    refusal = Refusal::gone;
    if (!forget(*made, counts_.proxies)) return std::unexpected(refusal);
  }
  channel.uncount_proxy(admin->side());
  return std::unexpected(refusal);
}

ProxyPtr Registry::add_proxy(const AdminPtr& admin, ProxyKind kind, Form form) {
  const std::int32_t number = admin->next_number();
  if (number == 0) return nullptr;
  ObjectId id = 0;
  {
    const std::unique_lock lock(mutex_);
    if (counts_.proxies >= parts_.limits.proxies) return nullptr;
    ++counts_.proxies;
    id = new_id();
  }
  auto made = new_proxy(id, number, kind, form, admin);
  const std::unique_lock lock(mutex_);
  objects_.emplace(id, made);
  return made;
}

std::expected<void, Refusal> Registry::connect(const ProxyPtr& proxy, const ObjectRef& client) {
  if (client && parts_.orb.object_to_string(client).size() > parts_.limits.reference_bytes)
    return std::unexpected(Refusal::too_long);
  if (!proxy->reserve()) return std::unexpected(Refusal::already_connected);
  proxy->connect(client);
  proxy->channel().count_types(*proxy);
  return {};
}

std::expected<void, Refusal> Registry::disconnect(const ProxyPtr& proxy) {
  if (!remove(*proxy, EndReason::client)) return std::unexpected(Refusal::gone);
  return {};
}

void Registry::end(Proxy& proxy, EndReason reason) { remove(proxy, reason); }

bool Registry::remove(Proxy& proxy, EndReason reason) {
  std::shared_ptr<Object> kept;
  {
    const std::unique_lock lock(mutex_);
    const auto found = objects_.find(proxy.object_id());
    if (found == objects_.end()) return false;
    kept = std::move(found->second);
    objects_.erase(found);
    --counts_.proxies;
  }
  const ObjectRef client = proxy.end();
  proxy.admin().remove(proxy);
  Channel& channel = proxy.channel();
  channel.uncount_types(proxy);
  channel.uncount_proxy(proxy.admin().side());
  channel.note_end(proxy, reason);
  // A client that was disconnected because it does not answer gets its one call too: it may live.
  if (client)
    parts_.dispatcher.ready(
        std::make_shared<Farewell>(client, proxy.kind(), proxy.form(), proxy.is_suspect()));
  return true;
}

std::expected<FilterPtr, Refusal> Registry::make_filter(const std::string& grammar) {
  const std::unique_lock lock(mutex_);
  if (counts_.filters >= parts_.limits.filters) return std::unexpected(Refusal::too_many);
  auto made = std::make_shared<Filter>(new_id(), grammar, parts_.limits);
  objects_.emplace(made->object_id(), made);
  ++counts_.filters;
  return made;
}

std::expected<MappingFilterPtr, Refusal> Registry::make_mapping_filter(const std::string& grammar,
                                                                       const CORBA::Any& default_value) {
  const std::unique_lock lock(mutex_);
  if (counts_.filters >= parts_.limits.filters) return std::unexpected(Refusal::too_many);
  auto made = std::make_shared<MappingFilter>(new_id(), grammar, default_value, parts_.limits);
  objects_.emplace(made->object_id(), made);
  ++counts_.filters;
  return made;
}

void Registry::destroy(Filter& filter) {
  filter.end();
  const std::unique_lock lock(mutex_);
  counts_.filters -= objects_.erase(filter.object_id());
}

void Registry::destroy(MappingFilter& filter) {
  filter.end();
  const std::unique_lock lock(mutex_);
  counts_.filters -= objects_.erase(filter.object_id());
}

void Registry::tell_callbacks(Filter& filter) {
  const auto [callbacks, change] = filter.types_changed();
  for (const auto& callback : callbacks)
    parts_.dispatcher.ready(std::make_shared<CallbackTask>(callback, change));
}

std::size_t Registry::proxies() const {
  const std::shared_lock lock(mutex_);
  return counts_.proxies;
}

std::size_t Registry::filters() const {
  const std::shared_lock lock(mutex_);
  return counts_.filters;
}

void Registry::sweep() {
  const auto period = std::min({parts_.limits.ping_after, parts_.limits.connect_within}) / 4;
  std::unique_lock lock(sweeping_);
  while (!stops_.wait_for(lock, period, [this] { return stopping_; })) {
    lock.unlock();
    std::vector<ProxyPtr> all;
    {
      const std::shared_lock reading(mutex_);
      for (const auto& [id, object] : objects_)
        if (auto proxy = std::dynamic_pointer_cast<Proxy>(object)) all.push_back(std::move(proxy));
    }
    const auto now = Clock::now();
    Ready ready;
    for (const ProxyPtr& proxy : all) {
      proxy->drop_expired(now);
      if (proxy->is_unused(now))
        remove(*proxy, EndReason::unused);
      else
        proxy->ping_if_silent(now, ready);
    }
    parts_.dispatcher.ready(ready);
    lock.lock();
  }
}

}  // namespace takt::notification
