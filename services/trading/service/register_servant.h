// Exports of offers.
#pragma once

#include "trading/service/components.h"
#include "trading/service/offer_changes.h"

namespace takt::trading {

// "host" of the reference's address "host:port"; empty if it has none.
std::string host_of(const ObjectRef& reference);

class RegisterServant final : public Components<CosTrading::Register> {
 public:
  explicit RegisterServant(Parts& parts) : Components(parts), changes_(parts) {}

  std::string _cxx_export(ObjectRef reference, const std::string& type,
                          const CosTrading::PropertySeq& properties) override;
  void withdraw(const std::string& id) override;
  CosTrading::Register::OfferInfo describe(const std::string& id) override;
  void modify(const std::string& id, const CosTrading::PropertyNameSeq& del_list,
              const CosTrading::PropertySeq& modify_list) override;
  void withdraw_using_constraint(const std::string& type, const std::string& constr) override;
  CORBA::object_reference<CosTrading::Register> resolve(const CosTrading::TraderName& name) override;

 private:
  // The offer with the id. Besides IllegalOfferId and UnknownOfferId: ProxyOfferId.
  OfferPtr existing(const std::string& id) const;
  void check_interface(const ObjectRef& reference, const ServiceType& type) const;

  OfferChanges changes_;
};

}  // namespace takt::trading
