// Queries.
#pragma once

#include "trading/service/components.h"
#include "trading/service/iterators.h"

namespace takt::trading {

class LookupServant final : public ImportAttributes<Components<CosTrading::Lookup>> {
 public:
  // Both must outlive it.
  LookupServant(Parts& parts, OfferIteratorFactory& iterators)
      : ImportAttributes(parts), iterators_(iterators) {}

  void query(const std::string& type, const std::string& constr, const std::string& pref,
             const CosTrading::PolicySeq& policies, const CosTrading::Lookup::SpecifiedProps& desired_props,
             std::uint32_t how_many, CosTrading::OfferSeq& offers,
             CORBA::object_reference<CosTrading::OfferIterator>& offer_itr,
             CosTrading::PolicyNameSeq& limits_applied) override;

 private:
  OfferIteratorFactory& iterators_;
};

}  // namespace takt::trading
