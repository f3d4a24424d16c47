#include "notification/channel/rows.h"

#include <chrono>
#include <utility>

#include "notification/channel/receivers.h"
#include "sqlite/octets.h"

namespace takt::notification {
namespace {

using sqlite::octets_of;

std::int64_t nanoseconds_since_1970(std::chrono::system_clock::time_point wall) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(wall.time_since_epoch()).count();
}

std::int64_t stored_time(Clock::time_point time, const Moment& now) {
  return nanoseconds_since_1970(now.wall) +
         std::chrono::duration_cast<std::chrono::nanoseconds>(time - now.now).count();
}

Clock::time_point time_of(std::int64_t stored_ns, const Moment& now) {
  return now.now + std::chrono::nanoseconds(stored_ns - nanoseconds_since_1970(now.wall));
}

FiltersRow filters_row_of(const FilterList& filters, const MappingFilters* mapping) {
  std::vector<std::uint64_t> list;
  for (const auto& [number, filter] : *filters.snapshot()) {
    list.push_back(static_cast<std::uint64_t>(number));
    list.push_back(filter->object_id());
  }
  FiltersRow row{.list = octets_of(list)};
  if (!mapping) return row;
  const auto id_of = [](const MappingFilterPtr& filter) { return filter ? filter->object_id() : 0; };
  row.priority = id_of(mapping->priority());
  row.lifetime = id_of(mapping->lifetime());
  return row;
}

}  // namespace

std::string octets_of(const Qos& qos, Level level) { return octets_of(properties_of(qos, level)); }
std::string octets_of(const AdminProperties& admin) { return octets_of(properties_of(admin)); }
std::string octets_of(const Subscription& types) { return octets_of(types_of(types.types())); }

ChannelRow row_of(const Channel& channel) {
  return {.id = channel.object_id(),
          .number = channel.number(),
          .name = channel.name(),
          .qos = octets_of(channel.qos(), Level::channel),
          .admin = octets_of(channel.admin_properties())};
}

AdminRow row_of(const Admin& admin) {
  return {.id = admin.object_id(),
          .channel = admin.channel().object_id(),
          .number = admin.number(),
          .side = static_cast<std::uint8_t>(admin.side()),
          .combine = static_cast<std::uint8_t>(admin.combine()),
          .qos = octets_of(admin.qos(), Level::admin),
          .types = octets_of(admin.subscription()),
          .filters = filters_row_of(admin.filters, &admin.mapping)};
}

ProxyRow row_of(const Proxy& proxy) {
  const auto* receiver = dynamic_cast<const Receiver*>(&proxy);
  ProxyRow row{.id = proxy.object_id(),
               .admin = proxy.admin().object_id(),
               .number = proxy.number(),
               .kind = static_cast<std::uint8_t>(proxy.kind()),
               .form = static_cast<std::uint8_t>(proxy.form()),
               .connected = proxy.is_connected(),
               .suspended = proxy.is_suspended_now(),
               .updates = proxy.wants_updates(),
               .client = {},
               .qos = octets_of(proxy.qos(), Level::proxy),
               .types = octets_of(proxy.subscription()),
               .filters = filters_row_of(proxy.filters, receiver ? &receiver->mapping : nullptr)};
  if (const ObjectRef client = proxy.given_client())
    row.client = proxy.channel().parts().orb.object_to_string(client);
  return row;
}

FilterRow row_of(const Filter& filter) {
  return {.id = filter.object_id(),
          .is_mapping = false,
          .grammar = filter.grammar(),
          .default_value = {},
          .constraints = octets_of(infos_of(filter.constraints.all()))};
}

FilterRow row_of(const MappingFilter& filter) {
  return {.id = filter.object_id(),
          .is_mapping = true,
          .grammar = filter.grammar(),
          .default_value = octets_of(filter.default_value()),
          .constraints = octets_of(mapping_infos_of(filter.constraints.all()))};
}

EventRow row_of(const Event& event, ObjectId channel, const std::vector<StoredTarget>& targets) {
  return {.number = event.number(),
          .channel = channel,
          .is_any = event.came_as_any(),
          .octets = event.came_as_any() ? octets_of(event.as_any()) : octets_of(event.as_structured()),
          .targets = octets_of(targets)};
}

StoredTarget target_of(ObjectId proxy, const Placement& placement, const Moment& now) {
  StoredTarget target{.proxy = proxy, .priority = placement.priority};
  if (placement.start != Clock::time_point::min()) target.start_ns = stored_time(placement.start, now);
  if (placement.expiry != Clock::time_point::max()) target.expiry_ns = stored_time(placement.expiry, now);
  return target;
}

Placement placement_of(const StoredTarget& target, const Moment& now) {
  Placement placement{.priority = target.priority, .stored = true};
  if (target.start_ns != StoredTarget::no_start) placement.start = time_of(target.start_ns, now);
  if (target.expiry_ns != StoredTarget::no_expiry) placement.expiry = time_of(target.expiry_ns, now);
  return placement;
}

}  // namespace takt::notification
