#include "notification/channel/registry.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "events/delivery/farewell.h"
#include "notification/channel/receivers.h"
#include "notification/channel/rows.h"
#include "notification/channel/senders.h"
#include "octets/random.h"

namespace takt::notification {

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

Registry::Registry(CORBA::ORB& orb, const Limits& limits, std::unique_ptr<Persistence> persistence)
    : parts_(orb, limits, *this, std::move(persistence)),
      sweeper_(std::min(limits.ping_after, limits.connect_within) / 4, [this] { look_after_all(); }) {}

Registry::~Registry() {
  stop();
  for (const auto& [number, channel] : channels_)  // they and their administrators refer to each other
    for (const Side side : {Side::suppliers, Side::consumers})
      for (const AdminPtr& admin : channel->admins(side)) channel->remove(*admin);
}

void Registry::stop() {
  sweeper_.stop();
  parts_.stopping = true;
  for (const ChannelPtr& channel : channels())
    for (const Side side : {Side::suppliers, Side::consumers})
      for (const AdminPtr& admin : channel->admins(side))
        for (const ProxyPtr& proxy : admin->proxies()) {
          proxy->end();
          admin->remove(*proxy);  // they refer to each other
        }
  parts_.dispatcher.stop();
  if (parts_.persistence) parts_.persistence->stop();
}

ObjectId Registry::new_id() const {
  while (true) {
    const ObjectId id = octets::random_number() >> 1;
    if (id != 0 && !objects_.contains(id)) return id;
  }
}

std::expected<ChannelPtr, Registry::ChannelFault> Registry::make_channel(
    const std::string& name, const CosNotification::QoSProperties& qos_properties,
    const CosNotification::AdminProperties& admin_properties) {
  auto qos = changed(Qos(), qos_properties, Level::channel, parts_.limits);
  if (!qos) return std::unexpected(UnsupportedQos(std::move(qos.error())));
  if (auto fits = check_reliability(*qos, Level::channel); !fits)
    return std::unexpected(std::get<UnsupportedQos>(std::move(fits.error())));
  auto admin = changed(AdminProperties(), admin_properties);
  if (!admin) return std::unexpected(UnsupportedAdmin(std::move(admin.error())));
  const auto changes = lock_changes();  // no other call makes a channel meanwhile
  ChannelPtr made;
  std::vector<AdminPtr> admins;
  {
    const std::unique_lock lock(mutex_);
    if (!name.empty() && named_.contains(name)) return std::unexpected(Refusal::name_taken);
    if (channels_.size() >= parts_.limits.channels ||
        last_channel_ == std::numeric_limits<std::int32_t>::max())
      return std::unexpected(Refusal::too_many);
    made = std::make_shared<Channel>(new_id(), ++last_channel_, name, *qos, *admin, parts_);
    for (const Side side : {Side::consumers, Side::suppliers}) {
      admins.push_back(std::make_shared<Admin>(new_id(), 0, side, Combine::all, made));
      made->add(admins.back());
    }
  }
  if (parts_.persistence && qos->connection_reliability == CosNotification::Persistent) {
    Rows rows;
    add_rows(rows, *made, *qos);
    if (const auto written = write(rows); !written) {
      for (const AdminPtr& each : admins) made->remove(*each);  // they refer to each other
      return std::unexpected(written.error());
    }
  }
  add(made, admins);
  return made;
}

void Registry::add(const ChannelPtr& channel, const std::vector<AdminPtr>& admins) {
  const std::unique_lock lock(mutex_);
  objects_.emplace(channel->object_id(), channel);
  channels_.emplace(channel->number(), channel);
  if (!channel->name().empty()) named_.emplace(channel->name(), channel);
  for (const AdminPtr& each : admins) objects_.emplace(each->object_id(), each);
  counts_.admins += admins.size();
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

void Registry::register_name(const Channel& channel, const ObjectRef& object) {
  const std::shared_lock lock(mutex_);  // destroy() takes the key back under this lock
  if (channel.name().empty() || !objects_.contains(channel.object_id())) return;
  parts_.orb.register_object_key(channel.name(), object);
}

bool Registry::has(const Object& object) const {
  const std::shared_lock lock(mutex_);
  return objects_.contains(object.object_id());
}

template <class Removal>
std::expected<void, Refusal> Registry::write_removal(const Object& object) {
  if (!has(object)) return std::unexpected(Refusal::gone);
  if (!object.stored) return {};
  const Change removal = Removal{object.object_id()};
  return write(std::span(&removal, 1));
}

std::expected<void, Refusal> Registry::destroy(const ChannelPtr& channel) {
  const auto changes = lock_changes();
  if (auto written = write_removal<RemoveChannel>(*channel); !written) return written;
  {
    const std::unique_lock lock(mutex_);
    if (objects_.erase(channel->object_id()) == 0) return std::unexpected(Refusal::gone);
    channels_.erase(channel->number());
    if (!channel->name().empty()) {
      parts_.orb.register_object_key(channel->name(), nullptr);
      named_.erase(channel->name());
    }
  }
  for (const Side side : {Side::suppliers, Side::consumers})
    for (const AdminPtr& admin : channel->admins(side)) (void)end(admin);
  return {};
}

void Registry::forget(Object& object, std::size_t& count) {
  const std::unique_lock lock(mutex_);
  count -= objects_.erase(object.object_id());
  counted_bytes_ -= std::exchange(object.counted_bytes, 0);
}

std::expected<AdminPtr, Refusal> Registry::make_admin(const ChannelPtr& channel, Side side, Combine combine) {
  const auto changes = lock_changes();
  if (!has(*channel)) return std::unexpected(Refusal::gone);
  const std::int32_t number = channel->next_admin(side);
  if (number == 0) return std::unexpected(Refusal::too_many);
  AdminPtr made;
  {
    const std::unique_lock lock(mutex_);
    if (counts_.admins >= parts_.limits.admins) return std::unexpected(Refusal::too_many);
    made = std::make_shared<Admin>(new_id(), number, side, combine, channel);
    counted_bytes_ += made->counted_bytes = bytes_of(made->subscription().types());
    objects_.emplace(made->object_id(), made);
    ++counts_.admins;
  }
  if (const auto written = save_new(*made, channel->stored); !written) {
    forget(*made, counts_.admins);
    return std::unexpected(written.error());
  }
  channel->add(made);  // outside the lock, because the channel may be passing events on
  return made;
}

template <class T>
std::expected<void, Refusal> Registry::save_new(T& object, bool parent_is_stored) {
  const Qos qos = object.qos();
  if (!parent_is_stored || qos.connection_reliability != CosNotification::Persistent) return {};
  Rows rows;
  add_rows(rows, object, qos);
  return write(rows);
}

std::expected<void, Refusal> Registry::destroy(const AdminPtr& admin) {
  const auto changes = lock_changes();
  if (auto written = write_removal<RemoveAdmin>(*admin); !written) return written;
  return end(admin);
}

std::expected<void, Refusal> Registry::end(const AdminPtr& admin) {
  {
    const std::unique_lock lock(mutex_);
    if (objects_.erase(admin->object_id()) == 0) return std::unexpected(Refusal::gone);
    --counts_.admins;
    counted_bytes_ -= std::exchange(admin->counted_bytes, 0);
  }
  for (const ProxyPtr& proxy : admin->proxies()) remove(*proxy, EndReason::destroyed);
  admin->channel().remove(*admin);
  return {};
}

std::expected<ProxyPtr, Registry::ProxyFault> Registry::make_proxy(const AdminPtr& admin, ProxyKind kind,
                                                                   Form form) {
  Channel& channel = admin->channel();
  const auto changes = lock_changes();
  if (!has(*admin)) return std::unexpected(Refusal::gone);
  const std::uint64_t bytes = bytes_of(admin->subscription().types());
  if (!has_room_for(bytes, 0)) return std::unexpected(Refusal::too_large);
  if (const auto counted = channel.count_proxy(admin->side()); !counted)
    return std::unexpected(LimitExceeded(admin->side(), counted.error()));
  Refusal refusal = Refusal::too_many;
  // The administrator is asked outside the lock, because it may be passing events on.
  if (const auto made = add_proxy(admin, kind, form)) {
    const auto written = save_new(*made, admin->stored);
    if (written) {
      counted_bytes_ += made->counted_bytes = bytes;
      admin->add(made);
      return made;
    }
    refusal = written.error();
    forget(*made, counts_.proxies);
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
  constexpr std::size_t digits = 2;  // for an octet, in the text
  if (client && parts_.orb.object_to_string(client).size() / digits > parts_.limits.reference_bytes)
    return std::unexpected(Refusal::too_long);
  const auto changes = lock_changes();
  if (!has(*proxy)) return std::unexpected(Refusal::gone);
  if (!proxy->reserve()) return std::unexpected(Refusal::already_connected);
  if (proxy->stored) {
    ProxyRow row = row_of(*proxy);
    row.connected = true;
    row.client = client ? parts_.orb.object_to_string(client) : std::string();
    const Change change = std::move(row);
    if (auto written = write(std::span(&change, 1)); !written) {
      proxy->release();
      return written;
    }
  }
  proxy->connect(client);
  proxy->channel().count_types(*proxy);
  return {};
}

std::expected<void, Refusal> Registry::disconnect(const ProxyPtr& proxy) {
  const auto changes = lock_changes();
  if (auto written = write_removal<RemoveProxy>(*proxy); !written) return written;
  if (!remove(*proxy, EndReason::client)) return std::unexpected(Refusal::gone);
  return {};
}

void Registry::end(Proxy& proxy, EndReason reason) {
  const auto changes = lock_changes();
  (void)write_removal<RemoveProxy>(proxy);  // if it fails, the proxy comes back with a restart
  remove(proxy, reason);
}

bool Registry::remove(Proxy& proxy, EndReason reason) {
  std::shared_ptr<Object> kept;
  {
    const std::unique_lock lock(mutex_);
    const auto found = objects_.find(proxy.object_id());
    if (found == objects_.end()) return false;
    kept = std::move(found->second);
    objects_.erase(found);
    --counts_.proxies;
    counted_bytes_ -= std::exchange(proxy.counted_bytes, 0);
  }
  const ObjectRef client = proxy.end();
  proxy.admin().remove(proxy);
  Channel& channel = proxy.channel();
  channel.uncount_types(proxy);
  channel.uncount_proxy(proxy.admin().side());
  channel.note_end(proxy, reason);
  // A client that was disconnected because it does not answer gets its one call too: it may live.
  if (client)
    events::say_farewell(
        client,
        [kind = proxy.kind(), form = proxy.form()](const ObjectRef& bounded) {
          notification::disconnect(bounded, kind, form);
        },
        parts_.limits, parts_.dispatcher);
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
  const auto changes = lock_changes();
  const std::unique_lock lock(mutex_);
  if (counts_.filters >= parts_.limits.filters) return std::unexpected(Refusal::too_many);
  auto made = std::make_shared<MappingFilter>(new_id(), grammar, default_value, parts_.limits);
  if (!has_room_for(counted_bytes_of(*made), 0)) return std::unexpected(Refusal::too_large);
  recount(*made);
  objects_.emplace(made->object_id(), made);
  ++counts_.filters;
  return made;
}

std::expected<std::int32_t, Refusal> Registry::attach_callback(Filter& filter,
                                                               FilterCallback::Client client) {
  const auto lock = lock_changes();
  if (!has(filter)) return std::unexpected(Refusal::gone);
  const auto id = filter.attach(std::move(client));
  if (!id) return std::unexpected(Refusal::too_many);
  if (!has_room_for(counted_bytes_of(filter), filter.counted_bytes)) {
    filter.detach(*id);
    return std::unexpected(Refusal::too_large);
  }
  recount(filter);
  return *id;
}

bool Registry::detach_callback(Filter& filter, std::int32_t id) {
  const auto lock = lock_changes();
  const bool detached = filter.detach(id);
  recount_callbacks(filter);
  return detached;
}

void Registry::recount_callbacks(Filter& filter) {
  if (has(filter)) recount(filter);
}

void Registry::tell_callbacks(Filter& filter) {
  std::vector<std::shared_ptr<FilterCallback>> ready;
  {
    const auto lock = lock_changes();
    ready = filter.types_changed();
    recount_callbacks(filter);
  }
  for (auto& callback : ready) parts_.dispatcher.ready(std::move(callback));
}

bool Registry::has_room_for(std::uint64_t bytes, std::uint64_t instead_of) const {
  return bytes <= instead_of || counted_bytes_ - instead_of + bytes <= parts_.limits.definition_bytes;
}

std::size_t Registry::proxies() const {
  const std::shared_lock lock(mutex_);
  return counts_.proxies;
}

std::size_t Registry::filters() const {
  const std::shared_lock lock(mutex_);
  return counts_.filters;
}

void Registry::look_after_all() {
  std::vector<ProxyPtr> all;
  std::vector<FilterPtr> filters;
  {
    const std::shared_lock reading(mutex_);
    for (const auto& [id, object] : objects_) {
      if (auto proxy = std::dynamic_pointer_cast<Proxy>(object)) all.push_back(std::move(proxy));
      auto filter = std::dynamic_pointer_cast<Filter>(object);
      if (filter && filter->has_callbacks()) filters.push_back(std::move(filter));
    }
  }
  for (const FilterPtr& filter : filters) {
    const auto changes = lock_changes();
    recount_callbacks(*filter);
  }
  const auto now = Clock::now();
  Ready ready(parts_.dispatcher);
  for (const ProxyPtr& proxy : all) {
    proxy->drop_expired(now);
    if (proxy->is_unused(now))
      end(*proxy, EndReason::unused);
    else
      proxy->ping_if_silent(now, ready);
  }
}

}  // namespace takt::notification
