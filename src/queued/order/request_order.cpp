#include "queued/order/request_order.h"

#include <utility>

#include "queued/order/as_they_came.h"
#include "queued/order/by_deadline.h"
#include "queued/order/by_fixed_priority.h"
#include "queued/order/by_importance.h"
#include "queued/order/by_laxity.h"
#include "queued/order/by_priority.h"
#include "queued/order/by_urgency.h"

namespace takt::server {

namespace {
constinit const AsTheyCame as_they_came;
constinit const ByImportance by_importance;
constinit const ByPriority by_priority;
constinit const ByDeadline by_deadline;
constinit const ByFixedPriority by_fixed_priority;
constinit const ByLaxity by_laxity;
constinit const ByUrgency by_urgency;

// As in QueueOrder.
constexpr const RequestOrder* all[] = {&as_they_came,      &by_importance, &by_priority, &by_deadline,
                                       &by_fixed_priority, &by_laxity,     &by_urgency};
static_assert(std::size(all) == std::size_t{std::to_underlying(QueueOrder::urgency)} + 1);
}  // namespace

std::span<const RequestOrder* const> built_in_orders() { return all; }

const RequestOrder& request_order(QueueOrder order) {
  const std::size_t place = std::to_underlying(order);
  return place < std::size(all) ? *all[place] : as_they_came;
}

}  // namespace takt::server
