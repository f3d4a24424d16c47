// Offers and criteria for tests.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <takt/base/memory_budget.h>

#include "trading/model/offer.h"
#include "trading/query/criteria.h"
#include "trading/query/dynamic_values.h"
#include "trading/query/offer_subject.h"

namespace takt::trading {

template <class T>
OfferProperty property(const std::string& name, const T& value) {
  CORBA::Any any;
  any <<= value;
  return {name, any, false};
}

inline OfferPtr offer(OfferNumber number, const std::string& type, std::vector<OfferProperty> properties,
                      const std::string& host = "host", std::size_t octets = 0) {
  auto made = std::make_shared<Offer>();
  made->number = number;
  made->type = type;
  made->host = host;
  made->octets = octets;
  made->properties = std::move(properties);
  return made;
}

inline Criterion criterion(const std::string& text) {
  auto parsed = Criterion::parse(text, {});
  if (!parsed) throw std::runtime_error(text + ": " + parsed.error().text);
  return std::move(*parsed);
}

// Calls for dynamic values, of which a test has none.
struct NoCalls {
  const Limits limits{};
  DynamicCounts counts;
  MemoryBudget memory{limits.query_bytes};
  DynamicValues values{limits, counts, memory, DynamicValues::Clock::now()};
};

inline bool matches(const std::string& text, const Offer& offer, std::size_t steps = 1'000) {
  NoCalls calls;
  constraint::Budget budget(steps);
  return criterion(text).matches(OfferSubject(offer, calls.values), budget);
}

}  // namespace takt::trading
