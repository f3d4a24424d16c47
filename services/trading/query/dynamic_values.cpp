#include "trading/query/dynamic_values.h"

#include <algorithm>

#include "CosTradingDynamicC.h"
#include "addresses/address_in.h"
#include "events/delivery/with_timeout.h"
#include "trading/query/silence.h"
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
  if (!(property.value >>= dynamic) || !dynamic.eval_if()) return std::nullopt;
  const std::string address = addresses::address_in(addresses::ior_of(dynamic.eval_if()));
  if (skips_silent_ && silent_.contains(address)) return std::nullopt;
  const auto left = std::chrono::duration_cast<milliseconds>(end_ - Clock::now());
  if (calls_left_ == 0 || left <= milliseconds(0)) {
    were_cut_ = true;
    return std::nullopt;
  }
  --calls_left_;
  counts_.calls.fetch_add(1, std::memory_order_relaxed);
  auto value = called(property.name, dynamic, address, std::min(left, limits_.property_timeout));
  if (!value) counts_.failures.fetch_add(1, std::memory_order_relaxed);
  return value;
}

std::optional<CORBA::Any> DynamicValues::called(const std::string& name,
                                                const CosTradingDynamic::DynamicProp& dynamic,
                                                const std::string& address,
                                                std::chrono::milliseconds timeout) {
  const auto begin = Clock::now();
  try {
    const auto timed = events::with_timeout(dynamic.eval_if(), timeout);
    const auto evaluator = IDL::traits<CosTradingDynamic::DynamicPropEval>::unchecked_narrow(timed);
    CORBA::Any value = evaluator->evalDP(name, dynamic.returned_type(), dynamic.extra_info());
    const bool fits = !dynamic.returned_type() || value.type()->equivalent(dynamic.returned_type());
    const std::size_t octets = octets_of(value).size();
    if (!fits || octets > limits_.offer_bytes) return std::nullopt;
    if (memory_.take(octets)) return value;
    were_cut_ = true;
  } catch (const CORBA::UserException&) {  // NOLINT(bugprone-empty-catch): DPEvalFailure; the value is absent
  } catch (const CORBA::SystemException& failure) {
    // A failure that comes at once says something of this object only, and asking the next one costs little.
    if (!says_silence(failure) || Clock::now() - begin < timeout / 2) return std::nullopt;
    silent_.insert(address);
    were_cut_ |= timeout < limits_.property_timeout;
  }
  return std::nullopt;
}

}  // namespace takt::trading
