#include "trading/service/proxy_servant.h"

#include "trading/model/recipe.h"
#include "trading/model/values.h"
#include "trading/service/checks.h"
#include "trading/service/register_servant.h"

namespace takt::trading {
namespace {

using ProxyStub = CosTrading::Proxy;  // inside the servant, the name means its base class

// Values of dynamic properties are not known yet; some number stands for them.
void check_recipe(const std::string& recipe, const Offer& offer, const Limits& limits) {
  const auto property = [&](const std::string& name) -> std::optional<constraint::Value> {
    const OfferProperty* found = offer.property(name);
    if (!found) return std::nullopt;
    return found->dynamic ? constraint::Value(constraint::Integer(0)) : value_of(found->value);
  };
  if (!expanded(recipe, "TRUE", property, limits.constraint_bytes)) throw ProxyStub::IllegalRecipe(recipe);
}

}  // namespace

std::string ProxyServant::export_proxy(CORBA::object_reference<CosTrading::Lookup> target,
                                       const std::string& type, const CosTrading::PropertySeq& properties,
                                       bool if_match_all, const std::string& recipe,
                                       const CosTrading::PolicySeq& policies_to_pass_on) {
  const TypePtr of = offered_type(parts_, type);
  if (!target) throw CosTrading::InvalidLookupRef(target);
  if (policies_to_pass_on.size() > parts_.limits.policies)
    throw_limit("a proxy has at most " + std::to_string(parts_.limits.policies) + " policies");
  Offer offer;
  offer.properties = checked_properties(properties, *of, supports_dynamic_properties(), parts_.limits);
  check_mandatory(offer.properties, *of);
  refuse_policies_twice(policies_to_pass_on);
  check_recipe(recipe, offer, parts_.limits);
  offer.type = type;
  offer.reference = octets_of(ObjectRef(target));
  offer.host = host_of(target);
  offer.proxy = std::make_shared<const ProxyPart>(ProxyPart{if_match_all, recipe, policies_to_pass_on});
  return id_of(changes_.add(*of, std::move(offer)));
}

OfferPtr ProxyServant::existing(const std::string& id) const {
  OfferPtr offer = changes_.existing(id);
  if (!offer->proxy) throw ProxyStub::NotProxyOfferId(id);
  return offer;
}

void ProxyServant::withdraw_proxy(const std::string& id) { changes_.remove(existing(id)->number); }

CosTrading::Proxy::ProxyInfo ProxyServant::describe_proxy(const std::string& id) {
  const OfferPtr offer = existing(id);
  const auto target = IDL::traits<CosTrading::Lookup>::unchecked_narrow(object_in(parts_, offer->reference));
  return {
      offer->type,           target, idl_of(offer->properties), offer->proxy->match_all, offer->proxy->recipe,
      offer->proxy->policies};
}

}  // namespace takt::trading
