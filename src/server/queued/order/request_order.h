// Orders of waiting requests.
#pragma once

#include <compare>
#include <cstdint>

#include <takt/server/threading.h>

#include "server/queued/order/request_claims.h"

namespace takt::server {

// A request's rank: the lowest is served first.
struct Rank {
  std::int64_t first = 0;
  std::int64_t second = 0;
  std::int64_t third = 0;
  friend auto operator<=>(const Rank&, const Rank&) = default;
};

// The contract of every order:
//  1. The rank depends on the request alone, and not on the time or on other requests. So it stays the same
//     while the request waits, and a queue need not be sorted again.
//  2. Requests that lack the order's criterion are behind all that have it.
//  3. Requests that are equal in the order have the same rank. If heeds_importance(), the queue serves the
//     more important of these first. It serves requests of equal importance in order of arrival.
//  4. No value from a client causes an overflow: a time too far away counts as none.
//  5. rank_of() neither throws, waits, locks nor allocates. Any thread.
class RequestOrder {
 public:
  virtual ~RequestOrder() = default;
  virtual Rank rank_of(const RequestClaims& request) const noexcept = 0;
  // Whether importance decides between requests of equal rank.
  virtual bool heeds_importance() const noexcept { return true; }
};

// One object per order, shared by all queues. Lives as long as the process.
const RequestOrder& request_order(QueueOrder order);

}  // namespace takt::server
