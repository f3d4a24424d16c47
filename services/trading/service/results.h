// Results of queries: offers of this trader, and those of others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
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

// An offer as a client sees it.
struct Shown {
  CosTrading::Offer offer;
  std::size_t octets = 0;  // in an answer, about
};

// Room in one list, which max_list bounds by elements, and Limits::list_bytes by octets.
class ListSpace {
 public:
  ListSpace(const Parts& parts, std::uint32_t wanted)
      : elements_(std::min(wanted, parts.settings.get()[Setting::max_list])),
        octets_(parts.limits.list_bytes) {}

  bool has_room() const { return elements_ > 0 && (octets_ > 0 || is_empty_); }
  // False: the element is for the next list. The first element always fits.
  bool take(std::size_t octets) {
    if (!has_room() || (octets > octets_ && !is_empty_)) return false;
    --elements_;
    octets_ -= std::min(octets, octets_);
    is_empty_ = false;
    return true;
  }

 private:
  std::uint32_t elements_;
  std::size_t octets_;
  bool is_empty_ = true;
};

inline constexpr std::size_t octets_of_weight = 1024;  // a weight of one has no more
// How many offers of this trader, which share their properties with the trader, a result counts as in limits:
// one of another trader as one more for each KiB.
std::size_t weight_of(const Result& result);
std::size_t weight_of(const CosTrading::Offer& foreign);
inline std::size_t weight_of(OfferNumber) { return 1; }

// Calls for dynamic values. Those that are absent are left out, and so are those that have more octets
// together than an offer may have.
Shown shown(const Parts& parts, const Result& result, const Desired& desired, DynamicValues& dynamic);

}  // namespace takt::trading
