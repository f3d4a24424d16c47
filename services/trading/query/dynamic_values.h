// The values of dynamic properties, which their exporters are asked for while a query runs.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "trading/model/limits.h"
#include "trading/model/offer.h"

namespace takt::trading {

struct DynamicCounts {
  std::atomic<std::uint64_t> calls{0}, failures{0};
};

// Belongs to one query, and its one thread. Asks for each value once, so that all parts of the query see the
// same. Calls have a timeout each and an end together; after that, and for failed calls, a value is absent.
// An address that has not answered is not asked again.
class DynamicValues {
 public:
  using Clock = std::chrono::steady_clock;

  DynamicValues(const Limits& limits, DynamicCounts& counts, Clock::time_point end)
      : limits_(limits), counts_(counts), end_(end), calls_left_(limits.property_calls) {}

  // Null if it is absent. Of a property that is not dynamic, its own value. Valid as long as this object and
  // the offer. Blocks; no lock may be held.
  const CORBA::Any* value(const Offer& offer, const OfferProperty& property);

 private:
  std::optional<CORBA::Any> asked(const OfferProperty& property);

  const Limits& limits_;
  DynamicCounts& counts_;
  const Clock::time_point end_;
  std::size_t calls_left_;
  std::map<std::pair<OfferNumber, std::string>, std::optional<CORBA::Any>> known_;
  std::set<std::string> silent_;  // addresses
};

}  // namespace takt::trading
