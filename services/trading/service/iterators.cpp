#include "trading/service/iterators.h"

#include <random>
#include <utility>

namespace takt::trading {

std::string random_id() {
  thread_local std::random_device source;  // the operating system's
  std::string id;
  for (int i = 0; i < 4; ++i) {
    const std::uint32_t word = source();
    for (int shift = 0; shift < 32; shift += 8) id += static_cast<char>(word >> shift & 0xff);
  }
  return id;
}

bool OfferIteratorServant::next_n(std::uint32_t n, CosTrading::OfferSeq& offers) {
  DynamicValues dynamic(parts_.limits, parts_.counts.dynamic, parts_.query_end());
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
