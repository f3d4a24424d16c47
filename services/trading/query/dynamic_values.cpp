#include "trading/query/dynamic_values.h"

#include <algorithm>

#include "CosTradingDynamicC.h"
#include "addresses/address_in.h"
#include "events/delivery/with_timeout.h"
#include "trading/store/octets.h"

namespace takt::trading {

const CORBA::Any* DynamicValues::value(const Offer& offer, const OfferProperty& property) {
  if (!property.dynamic) return &property.value;
  auto [known, is_new] = known_.try_emplace({offer.number, property.name});
  if (is_new) known->second = asked(property);
  return known->second ? &*known->second : nullptr;
}

std::optional<CORBA::Any> DynamicValues::asked(const OfferProperty& property) {
  using std::chrono::milliseconds;
  CosTradingDynamic::DynamicProp dynamic;
  const auto left = std::chrono::duration_cast<milliseconds>(end_ - Clock::now());
  if (calls_left_ == 0 || left <= milliseconds(0)) return std::nullopt;
  if (!(property.value >>= dynamic) || !dynamic.eval_if()) return std::nullopt;
  const std::string address = addresses::address_in(addresses::ior_of(dynamic.eval_if()));
  if (silent_.contains(address)) return std::nullopt;
  --calls_left_;
  counts_.calls.fetch_add(1, std::memory_order_relaxed);
  try {
    const auto timed = events::with_timeout(dynamic.eval_if(), std::min(left, limits_.property_timeout));
    const auto evaluator = IDL::traits<CosTradingDynamic::DynamicPropEval>::unchecked_narrow(timed);
    CORBA::Any value = evaluator->evalDP(property.name, dynamic.returned_type(), dynamic.extra_info());
    const bool fits = !dynamic.returned_type() || value.type()->equivalent(dynamic.returned_type());
    if (fits && octets_of(value).size() <= limits_.offer_bytes) return value;
  } catch (const CORBA::UserException&) {
    // DPEvalFailure: the property counts as absent.
  } catch (const CORBA::SystemException&) {
    silent_.insert(address);
  }
  counts_.failures.fetch_add(1, std::memory_order_relaxed);
  return std::nullopt;
}

}  // namespace takt::trading
