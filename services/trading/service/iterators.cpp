#include "trading/service/iterators.h"

#include <random>

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
  return next(n, [&](const Result& result, const Desired& desired) {
    offers.push_back(shown(parts_, result, desired, dynamic));
  });
}

bool IdIteratorServant::next_n(std::uint32_t n, CosTrading::OfferIdSeq& ids) {
  return next(n, [&](OfferNumber number, const NoExtra&) { ids.push_back(id_of(number)); });
}

}  // namespace takt::trading
