#include "server/queued/order/request_order.h"

#include "server/queued/order/as_they_came.h"
#include "server/queued/order/by_deadline.h"
#include "server/queued/order/by_fixed_priority.h"
#include "server/queued/order/by_importance.h"
#include "server/queued/order/by_laxity.h"
#include "server/queued/order/by_priority.h"
#include "server/queued/order/by_urgency.h"

namespace takt::server {

namespace {
const AsTheyCame as_they_came;
const ByPriority by_priority;
const ByDeadline by_deadline;
const ByImportance by_importance;
const ByFixedPriority by_fixed_priority;
const ByLaxity by_laxity;
const ByUrgency by_urgency;
}  // namespace

const RequestOrder& request_order(QueueOrder order) {
  switch (order) {
    case QueueOrder::temporal:
      break;
    case QueueOrder::priority:
      return by_priority;
    case QueueOrder::importance:
      return by_importance;
    case QueueOrder::deadline:
      return by_deadline;
    case QueueOrder::fixed:
      return by_fixed_priority;
    case QueueOrder::laxity:
      return by_laxity;
    case QueueOrder::urgency:
      return by_urgency;
  }
  return as_they_came;
}

}  // namespace takt::server
