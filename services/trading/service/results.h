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

// Calls for dynamic values. Those that are absent are left out.
CosTrading::Offer shown(const Parts& parts, const Result& result, const Desired& desired,
                        DynamicValues& dynamic);

}  // namespace takt::trading
