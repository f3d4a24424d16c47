#include "trading/service/results.h"

#include <algorithm>

namespace takt::trading {

std::size_t weight_of(const CosTrading::Offer& foreign) {
  constexpr std::size_t octets_a_unit = 1024;
  return 1 + octets_of(foreign.properties()).size() / octets_a_unit;
}

std::size_t weight_of(const Result& result) {
  const auto* foreign = std::get_if<CosTrading::Offer>(&result);
  return foreign ? weight_of(*foreign) : 1;
}

CosTrading::Offer shown(const Parts& parts, const Result& result, const Desired& desired,
                        DynamicValues& dynamic) {
  using How = CosTrading::Lookup::HowManyProps;
  const auto wants = [&](const std::string& name) {
    return desired.how_many == How::all ||
           (desired.how_many == How::some && std::ranges::find(desired.names, name) != desired.names.end());
  };
  CosTrading::Offer offer;
  if (const auto* foreign = std::get_if<CosTrading::Offer>(&result)) {
    offer.reference(foreign->reference());
    for (const CosTrading::Property& each : foreign->properties())
      if (wants(each.name())) offer.properties().push_back(each);
    return offer;
  }
  const Offer& own = *std::get<OfferPtr>(result);
  offer.reference(object_in(parts, own.reference));
  for (const OfferProperty& each : own.properties) {
    const CORBA::Any* value = wants(each.name) ? dynamic.value(own, each) : nullptr;
    if (value) offer.properties().push_back({each.name, *value});
  }
  return offer;
}

}  // namespace takt::trading
