// The objects of a notification service as rows of its store.
#pragma once

#include <string>
#include <vector>

#include "notification/channel/channel.h"
#include "notification_parts/store/store.h"
#include "notification_parts/store/targets.h"

namespace takt::notification {

std::string octets_of(const Qos& qos, Level level);
std::string octets_of(const AdminProperties& admin);
std::string octets_of(const Subscription& types);

ChannelRow row_of(const Channel& channel);
AdminRow row_of(const Admin& admin);
ProxyRow row_of(const Proxy& proxy);
FilterRow row_of(const Filter& filter);
FilterRow row_of(const MappingFilter& filter);
EventRow row_of(const Event& event, ObjectId channel, const std::vector<StoredTarget>& targets);
// An event's place in a queue, as it is stored: with times of the calendar.
StoredTarget target_of(ObjectId proxy, const Placement& placement, const Moment& now);
Placement placement_of(const StoredTarget& target, const Moment& now);

}  // namespace takt::notification
