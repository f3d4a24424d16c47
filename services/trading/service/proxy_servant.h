// Proxies: offers that stand for a query to another trader.
#pragma once

#include "trading/service/components.h"
#include "trading/service/offer_changes.h"

namespace takt::trading {

class ProxyServant final : public Components<CosTrading::Proxy> {
 public:
  explicit ProxyServant(Parts& parts) : Components(parts), changes_(parts) {}

  std::string export_proxy(CORBA::object_reference<CosTrading::Lookup> target, const std::string& type,
                           const CosTrading::PropertySeq& properties, bool if_match_all,
                           const std::string& recipe,
                           const CosTrading::PolicySeq& policies_to_pass_on) override;
  void withdraw_proxy(const std::string& id) override;
  CosTrading::Proxy::ProxyInfo describe_proxy(const std::string& id) override;

 private:
  // The proxy with the id. IllegalOfferId, UnknownOfferId, NotProxyOfferId.
  OfferPtr existing(const std::string& id) const;

  OfferChanges changes_;
};

}  // namespace takt::trading
