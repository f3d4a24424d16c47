// Results of queries: offers of this trader, and those of others.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "trading/service/parts.h"

namespace takt::trading {

// Which properties a client wants to see.
struct Desired {
  CosTrading::Lookup::HowManyProps how_many{};
  CosTrading::PropertyNameSeq names;
};

// Offers of this trader are shown when they are asked for; those of other traders are as those have shown
// them.
using Result = std::variant<OfferPtr, CosTrading::Offer>;

// How many offers of this trader, which share their properties with the trader, a result counts as in limits:
// one of another trader as one more for each KiB.
std::size_t weight_of(const Result& result);
std::size_t weight_of(const CosTrading::Offer& foreign);
inline std::size_t weight_of(OfferNumber) { return 1; }

// Calls for dynamic values. Those that are absent are left out.
CosTrading::Offer shown(const Parts& parts, const Result& result, const Desired& desired,
                        DynamicValues& dynamic);

}  // namespace takt::trading
