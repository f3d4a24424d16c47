// Changes of objects that the store of a notification service has.
#include <algorithm>
#include <utility>

#include "notification/channel/registry.h"
#include "notification/channel/rows.h"

namespace takt::notification {
namespace {

constexpr std::int16_t persistent = CosNotification::Persistent;

PropertyErrors unavailable(const std::string& name) {
  CORBA::Any only;
  only <<= CosNotification::BestEffort;
  return {CosNotification::PropertyError(CosNotification::QoSError_code::UNAVAILABLE_VALUE, name,
                                         CosNotification::PropertyRange(only, only))};
}

template <class T>
std::set<TypeName> types_after(const T& object, const std::set<TypeName>& added,
                               const std::set<TypeName>& removed) {
  Subscription types = object.subscription();
  types.change(added, removed);
  return types.types();
}

template <class Row, class T>
Row row_with_types(const T& object, const std::set<TypeName>& added, const std::set<TypeName>& removed) {
  Row row = row_of(object);
  row.types = octets_of(Subscription::to(types_after(object, added, removed)));
  return row;
}

// A default administrator is stored if its channel is, because the channel cannot be without it.
bool lasts_as_its_channel(const Object& object) {
  const auto* admin = dynamic_cast<const Admin*>(&object);
  return admin && admin->is_default();
}

template <class T>
void add_filter(const std::shared_ptr<T>& filter, std::vector<Change>& changes,
                std::vector<Object*>& objects) {
  if (!filter || filter->stored || filter->has_ended()) return;
  changes.emplace_back(row_of(*filter));
  objects.push_back(filter.get());
}

// The object's filters that the store does not have yet.
template <class T>
void add_filters(const T& object, std::vector<Change>& changes, std::vector<Object*>& objects) {
  for (const auto& [number, filter] : *object.filters.snapshot()) add_filter(filter, changes, objects);
  if constexpr (requires { object.mapping; }) {
    add_filter(object.mapping.priority(), changes, objects);
    add_filter(object.mapping.lifetime(), changes, objects);
  } else if (const auto* receiver = dynamic_cast<const Receiver*>(&object)) {
    add_filter(receiver->mapping.priority(), changes, objects);
    add_filter(receiver->mapping.lifetime(), changes, objects);
  }
}

}  // namespace

std::expected<void, QosRefusal> check_reliability(const Qos& qos, Level level) {
  const bool events_alone = level == Level::channel && qos.event_reliability == persistent &&
                            qos.connection_reliability != persistent;
  if (events_alone) return std::unexpected(UnsupportedQos(unavailable(CosNotification::EventReliability)));
  return {};
}

std::expected<void, Refusal> Registry::write(std::span<const Change> changes) {
  if (changes.empty() || !parts_.persistence) return {};
  const auto written = parts_.persistence->write(changes);
  if (written) return {};
  return std::unexpected(written.error().maybe_done ? Refusal::maybe_stored : Refusal::not_stored);
}

std::expected<void, Refusal> Registry::write(const Rows& rows) {
  const auto written = write(rows.changes);
  if (written)
    for (Object* each : rows.objects) each->stored = true;
  return written;
}

template <class T>
void Registry::add_row(Rows& rows, T& object, const Qos& qos, Level level) {
  auto row = row_of(object);
  row.qos = octets_of(qos, level);
  rows.changes.emplace_back(std::move(row));
  rows.objects.push_back(&object);
  if constexpr (!std::is_same_v<T, Channel>) add_filters(object, rows.changes, rows.objects);
}

void Registry::add_rows(Rows& rows, Channel& channel, const Qos& qos) {
  add_row(rows, channel, qos, Level::channel);
  for (const Side side : {Side::suppliers, Side::consumers})
    for (const AdminPtr& admin : channel.admins(side))
      if (admin->is_default() || admin->qos().connection_reliability == persistent)
        add_rows(rows, *admin, admin->qos());
}

void Registry::add_rows(Rows& rows, Admin& admin, const Qos& qos) {
  add_row(rows, admin, qos, Level::admin);
  for (const ProxyPtr& proxy : admin.proxies())
    if (proxy->qos().connection_reliability == persistent) add_rows(rows, *proxy, proxy->qos());
}

void Registry::add_rows(Rows& rows, Proxy& proxy, const Qos& qos) { add_row(rows, proxy, qos, Level::proxy); }

void Registry::note_unstored(Channel& channel) {
  channel.stored = false;
  for (const Side side : {Side::suppliers, Side::consumers})
    for (const AdminPtr& admin : channel.admins(side)) note_unstored(*admin);
}

void Registry::note_unstored(Admin& admin) {
  admin.stored = false;
  for (const ProxyPtr& proxy : admin.proxies()) note_unstored(*proxy);
}

template <class T>
std::expected<void, Refusal> Registry::save_with_filters(T& object) {
  if (!object.stored) return {};
  Rows rows;
  rows.changes.emplace_back(row_of(object));
  add_filters(object, rows.changes, rows.objects);
  return write(rows);
}

std::expected<void, Refusal> Registry::save(Admin& admin) { return save_with_filters(admin); }
std::expected<void, Refusal> Registry::save(Proxy& proxy) { return save_with_filters(proxy); }

template <class T>
std::expected<void, Refusal> Registry::save_filter(T& filter) {
  if (!filter.stored) return {};
  const Change row = row_of(filter);
  return write(std::span(&row, 1));
}

std::expected<void, Refusal> Registry::save(Filter& filter) { return save_filter(filter); }
std::expected<void, Refusal> Registry::save(MappingFilter& filter) { return save_filter(filter); }

template <class T>
std::expected<void, Refusal> Registry::destroy_filter(T& filter) {
  const auto lock = lock_changes();
  if (!has(filter)) return std::unexpected(Refusal::gone);
  if (filter.stored) {
    const Change removal = RemoveFilter{filter.object_id()};
    if (const auto written = write(std::span(&removal, 1)); !written) return written;
  }
  filter.end();
  counted_bytes_ -= std::exchange(filter.counted_bytes, 0);
  const std::unique_lock objects(mutex_);
  counts_.filters -= objects_.erase(filter.object_id());
  return {};
}

std::expected<void, Refusal> Registry::destroy(Filter& filter) { return destroy_filter(filter); }
std::expected<void, Refusal> Registry::destroy(MappingFilter& filter) { return destroy_filter(filter); }

Registry::QosPlace Registry::place_of(const Channel& channel) const {
  return {Level::channel, parts_.persistence != nullptr, RemoveChannel{channel.object_id()}};
}
Registry::QosPlace Registry::place_of(const Admin& admin) const {
  return {Level::admin, admin.channel().stored, RemoveAdmin{admin.object_id()}};
}
Registry::QosPlace Registry::place_of(const Proxy& proxy) const {
  return {Level::proxy, proxy.admin().stored, RemoveProxy{proxy.object_id()}};
}

template <class T>
std::expected<Qos, QosRefusal> Registry::qos_after(const T& object, const QosPlace& place,
                                                   const CosNotification::QoSProperties& properties) const {
  if (!has(object)) return std::unexpected(Refusal::gone);
  const Qos before = object.qos();
  auto now = changed(before, properties, place.level, parts_.limits);
  if (!now) return std::unexpected(UnsupportedQos(std::move(now.error())));
  if (auto fits = check_reliability(*now, place.level); !fits)
    return std::unexpected(std::move(fits.error()));
  const bool becomes_persistent =
      now->connection_reliability == persistent && before.connection_reliability != persistent;
  if (becomes_persistent && !place.parent_is_stored)
    return std::unexpected(UnsupportedQos(unavailable(CosNotification::ConnectionReliability)));
  return *std::move(now);
}

template <class T>
std::expected<void, QosRefusal> Registry::may_set_qos_of(const T& object,
                                                         const CosNotification::QoSProperties& properties) {
  const auto lock = lock_changes();
  const auto after = qos_after(object, place_of(object), properties);
  return after ? std::expected<void, QosRefusal>() : std::unexpected(after.error());
}

template <class T>
std::expected<void, QosRefusal> Registry::set_qos_of(T& object,
                                                     const CosNotification::QoSProperties& properties) {
  const auto lock = lock_changes();
  const QosPlace place = place_of(object);
  const auto now = qos_after(object, place, properties);
  if (!now) return std::unexpected(now.error());
  const bool persists = now->connection_reliability == persistent;
  const bool stores = (persists || lasts_as_its_channel(object)) && place.parent_is_stored;
  if (stores) {
    Rows rows;
    if (object.stored)
      add_row(rows, object, *now, place.level);
    else
      add_rows(rows, object, *now);
    if (const auto written = write(rows); !written) return std::unexpected(written.error());
  } else if (object.stored) {
    if (const auto written = write(std::span(&place.removal, 1)); !written)
      return std::unexpected(written.error());
    note_unstored(object);
  }
  object.set(*now);
  return {};
}

std::expected<void, QosRefusal> Registry::may_set_qos(const Channel& channel,
                                                      const CosNotification::QoSProperties& properties) {
  return may_set_qos_of(channel, properties);
}
std::expected<void, QosRefusal> Registry::may_set_qos(const Admin& admin,
                                                      const CosNotification::QoSProperties& properties) {
  return may_set_qos_of(admin, properties);
}
std::expected<void, QosRefusal> Registry::may_set_qos(const Proxy& proxy,
                                                      const CosNotification::QoSProperties& properties) {
  return may_set_qos_of(proxy, properties);
}
std::expected<void, QosRefusal> Registry::set_qos(Channel& channel,
                                                  const CosNotification::QoSProperties& properties) {
  return set_qos_of(channel, properties);
}
std::expected<void, QosRefusal> Registry::set_qos(Admin& admin,
                                                  const CosNotification::QoSProperties& properties) {
  return set_qos_of(admin, properties);
}
std::expected<void, QosRefusal> Registry::set_qos(Proxy& proxy,
                                                  const CosNotification::QoSProperties& properties) {
  return set_qos_of(proxy, properties);
}

std::expected<void, Registry::ChannelFault> Registry::set_admin(
    Channel& channel, const CosNotification::AdminProperties& properties) {
  const auto lock = lock_changes();
  if (!has(channel)) return std::unexpected(Refusal::gone);
  auto now = changed(channel.admin_properties(), properties);
  if (!now) return std::unexpected(UnsupportedAdmin(std::move(now.error())));
  if (channel.stored) {
    ChannelRow row = row_of(channel);
    row.admin = octets_of(*now);
    const Change change = std::move(row);
    if (const auto written = write(std::span(&change, 1)); !written) return std::unexpected(written.error());
  }
  channel.set(*now);
  return {};
}

template <class T>
bool Registry::may_have(const T& object, const Types& added, const Types& removed,
                        std::int64_t& growth) const {
  const std::set<TypeName> types = types_after(object, added, removed);
  growth += static_cast<std::int64_t>(bytes_of(types)) - static_cast<std::int64_t>(object.counted_bytes);
  return added.empty() || types.size() <= parts_.limits.event_types;
}

std::expected<void, Refusal> Registry::change_types(Admin& admin, const Types& added, const Types& removed) {
  const auto lock = lock_changes();
  if (!has(admin)) return std::unexpected(Refusal::gone);
  std::int64_t growth = 0;
  bool fits = may_have(admin, added, removed, growth);
  for (const ProxyPtr& proxy : admin.proxies()) fits = fits && may_have(*proxy, added, removed, growth);
  if (!fits || (growth > 0 && !has_room_for(static_cast<std::uint64_t>(growth), 0)))
    return std::unexpected(Refusal::too_large);
  std::vector<Change> rows;
  if (admin.stored) {
    rows.emplace_back(row_with_types<AdminRow>(admin, added, removed));
    for (const ProxyPtr& proxy : admin.proxies())
      if (proxy->stored) rows.emplace_back(row_with_types<ProxyRow>(*proxy, added, removed));
  }
  const auto written = write(rows);
  if (!written) return written;
  admin.change_types(added, removed);
  recount(admin);
  for (const ProxyPtr& proxy : admin.proxies()) recount(*proxy);
  return written;
}

std::expected<void, Refusal> Registry::change_types(Proxy& proxy, const Types& added, const Types& removed) {
  const auto lock = lock_changes();
  if (!has(proxy)) return std::unexpected(Refusal::gone);
  std::int64_t growth = 0;
  if (!may_have(proxy, added, removed, growth) ||
      (growth > 0 && !has_room_for(static_cast<std::uint64_t>(growth), 0)))
    return std::unexpected(Refusal::too_large);
  std::vector<Change> rows;
  if (proxy.stored) rows.emplace_back(row_with_types<ProxyRow>(proxy, added, removed));
  const auto written = write(rows);
  if (!written) return written;
  proxy.channel().change_types(proxy, added, removed);
  recount(proxy);
  return written;
}

std::expected<Switched, Refusal> Registry::suspend(Proxy& proxy, bool suspends) {
  Switched switched{};
  const auto written = change(
      proxy,
      [&] {
        switched = suspends ? proxy.suspend() : proxy.resume();
        return switched == Switched::done;
      },
      [&] { suspends ? proxy.resume() : proxy.suspend(); });
  if (!written) return std::unexpected(written.error());
  return switched;
}

std::expected<void, Refusal> Registry::want_updates(Proxy& proxy, bool wants) {
  bool before = false;
  return change(
      proxy,
      [&] {
        before = proxy.wants_updates();
        proxy.want_updates(wants);
        return wants != before;
      },
      [&] { proxy.want_updates(before); });
}

}  // namespace takt::notification
