// In which order requests wait.
#pragma once

#include <compare>
#include <cstdint>

#include <takt/server/threading.h>

#include "server/queued/order/request_claims.h"

namespace takt::server {

// Where a request stands: the lowest is served first.
struct Rank {
  std::int64_t first = 0;
  std::int64_t second = 0;
  std::int64_t third = 0;
  friend auto operator<=>(const Rank&, const Rank&) = default;
};

// The contract of every answer:
//  1. The rank follows from the request alone: from no clock, and from no other request. So it stays the same
//     while the request waits, and a queue need not be sorted again.
//  2. Requests that lack what the order goes by stand behind all that have it.
//  3. Requests that the order does not tell apart have the same rank; the queue serves the more important of
//  those
//     first where the order says so, and those of one importance as they came.
//  4. Whatever a client has sent, nothing overflows: a time too far away is like none.
//  5. rank_of() neither throws, waits, locks nor allocates. Any thread.
class RequestOrder {
 public:
  virtual ~RequestOrder() = default;
  virtual Rank rank_of(const RequestClaims& request) const noexcept = 0;
  // Whether the importance that clients say breaks ties.
  virtual bool heeds_importance() const noexcept { return true; }
};

// One for all queues; lives as long as the process.
const RequestOrder& request_order(QueueOrder order);

}  // namespace takt::server
