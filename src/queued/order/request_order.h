// The orders of waiting requests that the ORB has itself.
#pragma once

#include <span>

#include <takt/server/request_order.h>
#include <takt/server/threading.h>

namespace takt::server {

// One object per order, shared by all queues. They live as long as the process.
std::span<const RequestOrder* const> built_in_orders();
const RequestOrder& request_order(QueueOrder order);

}  // namespace takt::server
