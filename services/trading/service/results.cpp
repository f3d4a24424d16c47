#include "trading/service/results.h"

#include <algorithm>

namespace takt::trading {

std::size_t weight_of(const CosTrading::Offer& foreign) {
  return 1 + octets_of(foreign).size() / octets_of_weight;
}

std::size_t weight_of(const Result& result) {
  const auto* foreign = std::get_if<CosTrading::Offer>(&result);
  return foreign ? weight_of(*foreign) : 1;
}

namespace {

using How = CosTrading::Lookup::HowManyProps;

bool wants(const Desired& desired, const std::string& name) {
  return desired.how_many == How::all ||
         (desired.how_many == How::some && std::ranges::find(desired.names, name) != desired.names.end());
}

Shown shown_foreign(const CosTrading::Offer& foreign, const Desired& desired) {
  Shown shown;
  shown.offer.reference(foreign.reference());
  for (const CosTrading::Property& each : foreign.properties())
    if (wants(desired, each.name())) shown.offer.properties().push_back(each);
  shown.octets = octets_of(shown.offer).size();
  return shown;
}

}  // namespace

Shown shown(const Parts& parts, const Result& result, const Desired& desired, DynamicValues& dynamic) {
  if (const auto* foreign = std::get_if<CosTrading::Offer>(&result)) return shown_foreign(*foreign, desired);
  const Offer& own = *std::get<OfferPtr>(result);
  Shown shown;
  shown.offer.reference(object_in(parts, own.reference));
  shown.octets = desired.how_many == How::none ? own.reference.size() : own.octets;
  std::size_t left = parts.limits.offer_bytes;
  for (const OfferProperty& each : own.properties) {
    const CORBA::Any* value = wants(desired, each.name) ? dynamic.value(own, each) : nullptr;
    if (!value) continue;
    if (each.dynamic) {
      const std::size_t octets = octets_of(*value).size();
      if (octets > left) continue;
      left -= octets;
      shown.octets += octets;
    }
    shown.offer.properties().push_back({each.name, *value});
  }
  return shown;
}

}  // namespace takt::trading
