// The state of a trader as a CORBA object, for operators.
#pragma once

#include "Takt_TradingS.h"
#include "trading/service/iterators.h"
#include "trading/service/parts.h"

namespace takt::trading {

class StateServant final : public virtual CORBA::servant_traits<Takt::Trading::Service>::base_type {
 public:
  // Both must outlive it.
  StateServant(const Parts& parts, const OfferIterators& iterators) : parts_(parts), iterators_(iterators) {}
  Takt::Trading::State look() override;

 private:
  const Parts& parts_;
  const OfferIterators& iterators_;
};

}  // namespace takt::trading
