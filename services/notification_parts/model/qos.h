// The qualities of service of channels, administrators and proxies, and the administrative properties of
// channels (OMG Notification Service 1.1, 2.5).
#pragma once

#include <cstdint>
#include <expected>

#include "CosNotificationC.h"
#include "notification_parts/model/event_queue.h"
#include "notification_parts/model/limits.h"

namespace takt::notification {

// An object has a value for each property, which it got from the object above it when it was made.
struct Qos {
  std::int16_t event_reliability = CosNotification::BestEffort;
  std::int16_t connection_reliability = CosNotification::BestEffort;
  std::int16_t priority = CosNotification::DefaultPriority;
  Units timeout = 0;  // 0: none
  bool start_time_supported = true, stop_time_supported = true;
  std::int32_t max_events_per_consumer = 0;  // 0: as Limits says
  std::int16_t order_policy = CosNotification::PriorityOrder;
  std::int16_t discard_policy = CosNotification::AnyOrder;
  std::int32_t maximum_batch_size = 1;
  Units pacing_interval = 0;

  QueuePolicies queue(const Limits& limits) const;
};

// The kind of object, or the message, that a property is for.
enum class Level : std::uint8_t { channel, admin, proxy, message };

using PropertyErrors = CosNotification::PropertyErrorSeq;

// `qos` with the properties, of which a later one of the same name wins; or those that cannot be set,
// up to a hundred, and why.
std::expected<Qos, PropertyErrors> changed(Qos qos, const CosNotification::QoSProperties& properties,
                                           Level level, const Limits& limits);
CosNotification::QoSProperties properties_of(const Qos& qos, Level level);
// The properties that can be set beside those which are `required`, with their ranges; or why these cannot.
std::expected<CosNotification::NamedPropertyRangeSeq, PropertyErrors> available_beside(
    const CosNotification::QoSProperties& required, Level level, const Limits& limits);

// The administrative properties of a channel. 0: no limit.
struct AdminProperties {
  std::int32_t max_queue_length = 0, max_consumers = 0, max_suppliers = 0;
  bool reject_new_events = false;
};

std::expected<AdminProperties, PropertyErrors> changed(AdminProperties admin,
                                                       const CosNotification::AdminProperties& properties);
CosNotification::AdminProperties properties_of(const AdminProperties& admin);

}  // namespace takt::notification
