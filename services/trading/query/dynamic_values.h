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

#include <takt/base/memory_budget.h>

#include "CosTradingDynamicC.h"
#include "trading/model/limits.h"
#include "trading/model/offer.h"
#include "trading/query/query_share.h"

namespace takt::trading {

struct DynamicCounts {
  std::atomic<std::uint64_t> calls{0}, failures{0};
};

// Belongs to one query, and its one thread. Asks for each value once, so that all parts of the query see the
// same. Calls have a timeout each, a maximum number and an end together. A value is absent if its call
// failed, or if these limits left no call or no memory for it.
class DynamicValues {
 public:
  using Clock = std::chrono::steady_clock;
  // How further values of an address that has let a call time out are treated.
  enum class Silence : std::uint8_t { counts_as_absent, is_asked_again };

  // `memory`: for the values of all queries.
  DynamicValues(const Limits& limits, DynamicCounts& counts, MemoryBudget& memory, Clock::time_point end,
                Silence silence = Silence::counts_as_absent)
      : limits_(limits),
        counts_(counts),
        memory_(memory),
        end_(end),
        skips_silent_(silence == Silence::counts_as_absent),
        calls_left_(limits.property_calls) {}

  // Null if it is absent. A property that is not dynamic has its own value. Valid as long as this object and
  // the offer. Blocks; no lock may be held.
  const CORBA::Any* value(const Offer& offer, const OfferProperty& property);
  // Whether a value is absent because the number of calls, their time or the memory was used up.
  bool were_cut() const { return were_cut_; }

 private:
  std::optional<CORBA::Any> asked(const OfferProperty& property);
  // Calls the evaluator. Notes an address that is silent for as long as `timeout`.
  std::optional<CORBA::Any> called(const std::string& name, const CosTradingDynamic::DynamicProp& dynamic,
                                   const std::string& address, std::chrono::milliseconds timeout);

  const Limits& limits_;
  DynamicCounts& counts_;
  QueryShare memory_;
  const Clock::time_point end_;
  const bool skips_silent_;
  bool were_cut_ = false;
  std::size_t calls_left_;
  std::map<std::pair<OfferNumber, std::string>, std::optional<CORBA::Any>> known_;
  std::set<std::string> silent_;  // addresses
};

}  // namespace takt::trading
