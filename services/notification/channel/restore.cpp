// Makes the objects of an earlier run again.
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "notification/channel/registry.h"
#include "notification/channel/rows.h"
#include "sqlite/octets.h"

namespace takt::notification {
namespace {

using sqlite::read_octets;
using Damaged = std::vector<std::string>;

std::string named(const char* kind, std::uint64_t id) { return std::string(kind) + ' ' + std::to_string(id); }

// The stored values. Those that this service cannot have leave the defaults, with persistent connections.
Qos qos_in(const std::string& octets, Level level, const Limits& limits, const std::string& of,
           Damaged& damaged) {
  CosNotification::QoSProperties properties;
  Qos persistent;
  persistent.connection_reliability = CosNotification::Persistent;
  if (read_octets(octets, properties, nullptr))
    if (auto qos = changed(persistent, properties, level, limits)) return *qos;
  damaged.push_back(of + " has the default qualities of service");
  return persistent;
}

Subscription types_in(const std::string& octets, const std::string& of, Damaged& damaged) {
  CosNotification::EventTypeSeq types;
  if (read_octets(octets, types, nullptr)) return Subscription::to(names_of(types));
  damaged.push_back(of + " wants all types");
  return Subscription::to_all();
}

bool read_constraints(const FilterRow& row, ConstraintTable& table) {
  bool done = true;
  if (row.is_mapping) {
    CosNotifyFilter::MappingConstraintInfoSeq infos;
    done = read_octets(row.constraints, infos, nullptr);
    for (const auto& each : infos)
      done &= table.restore(each.constraint_id(), {each.constraint_expression(), each.value()});
  } else {
    CosNotifyFilter::ConstraintInfoSeq infos;
    done = read_octets(row.constraints, infos, nullptr);
    for (const auto& each : infos)
      done &= table.restore(each.constraint_id(), {.expression = each.constraint_expression()});
  }
  return done;
}

}  // namespace

// The objects by their ids, while they are made.
class Registry::Restoration {
 public:
  Restoration(Registry& registry, cdr::Environment* environment, Damaged& damaged)
      : registry_(registry), parts_(registry.parts_), environment_(environment), damaged_(damaged) {}

  void channel(const ChannelRow& row);
  void filter(const FilterRow& row);
  void admin(const AdminRow& row);
  // Makes those that a store of an earlier version does not have.
  void default_admins();
  void proxy(const ProxyRow& row);
  void event(const StoredObjects::Event& stored, Ready& ready);
  // The channel may pull events at once, which are for all consumers, and come after those that were stored.
  void connect_senders();
  // Removes filters that nothing uses.
  void drop_filters();

 private:
  template <class T>
  std::shared_ptr<T> find(ObjectId id) const {
    return registry_.find<T>(id);
  }
  void keep(const std::shared_ptr<Object>& object, std::size_t& count) {
    object->stored = true;
    const std::unique_lock lock(registry_.mutex_);
    registry_.objects_.emplace(object->object_id(), object);
    ++count;
  }
  // A filter that is gone was destroyed while it was attached: it matches nothing.
  FilterPtr attached(ObjectId id);
  void attach(const FiltersRow& row, FilterList& filters, MappingFilters* mapping);
  void connect(const ProxyRow& row, const ProxyPtr& proxy);

  Registry& registry_;
  Parts& parts_;
  cdr::Environment* const environment_;
  Damaged& damaged_;
  std::unordered_map<ObjectId, std::size_t> uses_;  // by a filter's id
  std::vector<std::pair<const ProxyRow*, ProxyPtr>> senders_;
};

void Registry::Restoration::channel(const ChannelRow& row) {
  const std::string name = named("channel", row.id);
  const Qos qos = qos_in(row.qos, Level::channel, parts_.limits, name, damaged_);
  AdminProperties admin;
  CosNotification::AdminProperties properties;
  const bool has_admin = read_octets(row.admin, properties, nullptr);
  if (auto read = has_admin ? changed(admin, properties) : admin) admin = *read;
  if (!has_admin) damaged_.push_back(name + " has the default administrative properties");
  const auto made = std::make_shared<Channel>(row.id, row.number, row.name, qos, admin, parts_);
  made->stored = true;
  registry_.last_channel_ = std::max(registry_.last_channel_, row.number);
  registry_.add(made, {});
}

void Registry::Restoration::filter(const FilterRow& row) {
  CORBA::Any default_value;
  const bool has_value = !row.is_mapping || read_octets(row.default_value, default_value, environment_);
  std::shared_ptr<Object> made;
  bool whole = has_value;
  if (row.is_mapping) {
    const auto mapping = std::make_shared<MappingFilter>(row.id, row.grammar, default_value, parts_.limits);
    whole &= read_constraints(row, mapping->constraints);
    made = mapping;
  } else {
    const auto filter = std::make_shared<Filter>(row.id, row.grammar, parts_.limits);
    whole &= read_constraints(row, filter->constraints);
    made = filter;
  }
  if (!whole) damaged_.push_back(named("filter", row.id) + " lacks constraints");
  keep(made, registry_.counts_.filters);
}

FilterPtr Registry::Restoration::attached(ObjectId id) {
  ++uses_[id];
  if (auto found = find<Filter>(id)) return found;
  auto gone = std::make_shared<Filter>(id, "EXTENDED_TCL", parts_.limits);
  gone->end();
  return gone;
}

void Registry::Restoration::attach(const FiltersRow& row, FilterList& filters, MappingFilters* mapping) {
  std::vector<std::uint64_t> list;
  auto made = std::make_shared<FilterList::List>();
  if (!read_octets(row.list, list, nullptr)) list.clear();
  for (std::size_t i = 0; i + 1 < list.size(); i += 2)
    made->emplace(static_cast<std::int32_t>(list[i]), attached(list[i + 1]));
  filters.restore(std::move(made));
  if (!mapping) return;
  ++uses_[row.priority];
  ++uses_[row.lifetime];
  mapping->set_priority(find<MappingFilter>(row.priority));
  mapping->set_lifetime(find<MappingFilter>(row.lifetime));
}

void Registry::Restoration::admin(const AdminRow& row) {
  const ChannelPtr channel = find<Channel>(row.channel);
  if (!channel) return;
  const std::string name = named("administrator", row.id);
  const Side side = row.side == 0 ? Side::consumers : Side::suppliers;
  const auto made = std::make_shared<Admin>(row.id, row.number, side,
                                            row.combine == 0 ? Combine::all : Combine::either, channel);
  made->set(qos_in(row.qos, Level::admin, parts_.limits, name, damaged_));
  made->restore(types_in(row.types, name, damaged_));
  attach(row.filters, made->filters, &made->mapping);
  keep(made, registry_.counts_.admins);
  channel->admin_number_after(side, row.number);
  channel->add(made);
}

void Registry::Restoration::default_admins() {
  for (const ChannelPtr& channel : registry_.channels())
    for (const Side side : {Side::consumers, Side::suppliers}) {
      if (channel->admin(side, 0)) continue;
      ObjectId id = 0;
      {
        const std::shared_lock lock(registry_.mutex_);
        id = registry_.new_id();
      }
      const auto made = std::make_shared<Admin>(id, 0, side, Combine::all, channel);
      keep(made, registry_.counts_.admins);
      channel->add(made);
      Rows rows;
      add_rows(rows, *made, made->qos());
      (void)registry_.write(rows);  // it is made again by the next restart
    }
}

void Registry::Restoration::proxy(const ProxyRow& row) {
  const AdminPtr admin = find<Admin>(row.admin);
  if (!admin || row.kind > 3 || row.form > 3) return;
  const std::string name = named("proxy", row.id);
  const auto made =
      new_proxy(row.id, row.number, static_cast<ProxyKind>(row.kind), static_cast<Form>(row.form), admin);
  made->set(qos_in(row.qos, Level::proxy, parts_.limits, name, damaged_));
  made->restore(types_in(row.types, name, damaged_), row.suspended, row.updates);
  const auto receiver = std::dynamic_pointer_cast<Receiver>(made);
  attach(row.filters, made->filters, receiver ? &receiver->mapping : nullptr);
  keep(made, registry_.counts_.proxies);
  admin->number_after(row.number);
  admin->add(made);
  if (receiver)
    connect(row, made);
  else
    senders_.emplace_back(&row, made);
}

void Registry::Restoration::connect_senders() {
  for (const auto& [row, proxy] : senders_) connect(*row, proxy);
}

void Registry::Restoration::connect(const ProxyRow& row, const ProxyPtr& proxy) {
  try {
    if (row.connected && proxy->reserve())
      proxy->connect(row.client.empty() ? nullptr : parts_.orb.string_to_object(row.client));
  } catch (const CORBA::SystemException&) {
    proxy->release();
    damaged_.push_back(named("proxy", row.id) + " is not connected");
  }
  proxy->channel().restore_proxy(*proxy);
}

void Registry::Restoration::event(const StoredObjects::Event& stored, Ready& ready) {
  const EventRow& row = stored.row;
  Persistence& persistence = *parts_.persistence;
  const ChannelPtr channel = find<Channel>(row.channel);
  const Moment now = Moment::current();
  std::vector<std::pair<std::shared_ptr<Receiver>, Placement>> targets;
  for (const StoredTarget& each : targets_in(row.targets)) {
    auto to = find<Receiver>(each.proxy);
    if (to && !std::ranges::binary_search(stored.settled, each.proxy))
      targets.emplace_back(std::move(to), placement_of(each, now));
  }
  persistence.note_rows(row.number);
  std::shared_ptr<Event> event;
  if (channel && !targets.empty()) event = channel->stored_event(row.is_any, row.octets, environment_);
  if (!event) {
    if (channel && !targets.empty()) damaged_.push_back(named("event", row.number) + " is dropped");
    persistence.settle(row.number, 0, true);
    return;
  }
  event->note_stored(row.number, static_cast<std::uint32_t>(targets.size()));
  persistence.repeated += targets.size();
  for (const auto& [to, placement] : targets) to->put(event, placement, now.now, ready);
}

void Registry::Restoration::drop_filters() {
  std::vector<std::shared_ptr<Object>> unused;
  {
    const std::shared_lock lock(registry_.mutex_);
    for (const auto& [id, object] : registry_.objects_) {
      const bool is_filter =
          std::dynamic_pointer_cast<Filter>(object) || std::dynamic_pointer_cast<MappingFilter>(object);
      if (is_filter && !uses_.contains(id)) unused.push_back(object);
    }
  }
  for (const auto& each : unused) {
    if (const auto filter = std::dynamic_pointer_cast<Filter>(each)) (void)registry_.destroy(*filter);
    if (const auto filter = std::dynamic_pointer_cast<MappingFilter>(each)) (void)registry_.destroy(*filter);
  }
}

void Registry::restore(const StoredObjects& objects, cdr::Environment* environment, Damaged& damaged) {
  Restoration restoration(*this, environment, damaged);
  {
    const auto changes = lock_changes();  // a client that is called at once may be gone
    for (const ChannelRow& each : objects.channels) restoration.channel(each);
    for (const FilterRow& each : objects.filters) restoration.filter(each);
    for (const AdminRow& each : objects.admins) restoration.admin(each);
    restoration.default_admins();
    for (const StoredObjects::Event& each : objects.events) parts_.persistence->number_after(each.row.number);
    for (const ProxyRow& each : objects.proxies) restoration.proxy(each);
    {
      Ready ready(parts_.dispatcher);
      for (const StoredObjects::Event& each : objects.events) restoration.event(each, ready);
      parts_.shares.relieve();
    }
    restoration.connect_senders();
    recount_all();
  }
  restoration.drop_filters();
}

void Registry::recount_all() {
  const std::shared_lock lock(mutex_);
  for (const auto& [id, object] : objects_) {
    if (const auto filter = std::dynamic_pointer_cast<Filter>(object)) recount(*filter);
    if (const auto filter = std::dynamic_pointer_cast<MappingFilter>(object)) recount(*filter);
    if (const auto admin = std::dynamic_pointer_cast<Admin>(object)) recount(*admin);
    if (const auto proxy = std::dynamic_pointer_cast<Proxy>(object)) recount(*proxy);
  }
}

}  // namespace takt::notification
