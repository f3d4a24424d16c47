// An offer of a service.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "CosTradingC.h"
#include "trading/model/names.h"

namespace takt::trading {

struct OfferProperty {
  std::string name;
  CORBA::Any value;
  bool dynamic = false;  // the value is a CosTradingDynamic::DynamicProp
};

// The part of a proxy that other offers lack. A proxy's reference is another trader's Lookup.
struct ProxyPart {
  bool match_all = false;
  std::string recipe;
  CosTrading::PolicySeq policies;
};

// Immutable; a changed offer is a new object with the same number.
struct Offer {
  OfferNumber number = 0;
  std::string type;
  std::string reference;   // in the form of store/octets.h; a stub would take more memory
  std::string host;        // in the reference; may be empty
  std::size_t octets = 0;  // reference, properties and proxy part, as the store has them
  std::vector<OfferProperty> properties;
  std::shared_ptr<const ProxyPart> proxy;  // null if it is none

  // Null if the offer does not have it.
  const OfferProperty* property(const std::string& wanted) const {
    for (const OfferProperty& each : properties)
      if (each.name == wanted) return &each;
    return nullptr;
  }
};
using OfferPtr = std::shared_ptr<const Offer>;

}  // namespace takt::trading
