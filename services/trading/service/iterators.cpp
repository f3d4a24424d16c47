#include "trading/service/iterators.h"

#include <utility>

namespace takt::trading {

bool OfferIteratorServant::next_n(std::uint32_t n, CosTrading::OfferSeq& offers) {
  DynamicValues dynamic(parts_.limits, parts_.counts.dynamic, parts_.query_memory, parts_.query_end());
  return next(n, [&](const Result& result, const Desired& desired, ListSpace& space) {
    Shown next = shown(parts_, result, desired, dynamic);
    if (!space.take(next.octets)) return false;
    offers.push_back(std::move(next.offer));
    return true;
  });
}

bool IdIteratorServant::next_n(std::uint32_t n, CosTrading::OfferIdSeq& ids) {
  return next(n, [&](OfferNumber number, const NoExtra&, ListSpace& space) {
    std::string id = id_of(number);
    if (!space.take(id.size())) return false;
    ids.push_back(std::move(id));
    return true;
  });
}

}  // namespace takt::trading
