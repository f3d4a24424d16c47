#include "trading/service/lookup_servant.h"

#include <algorithm>
#include <iterator>

#include "trading/service/query.h"

namespace takt::trading {

void LookupServant::query(const std::string& type, const std::string& constr, const std::string& pref,
                          const CosTrading::PolicySeq& policies,
                          const CosTrading::Lookup::SpecifiedProps& desired_props, std::uint32_t how_many,
                          CosTrading::OfferSeq& offers,
                          CORBA::object_reference<CosTrading::OfferIterator>& offer_itr,
                          CosTrading::PolicyNameSeq& limits_applied) {
  parts_.counts.queries.fetch_add(1, std::memory_order_relaxed);
  QueryInput input = query_input(parts_, type, constr, pref, policies, desired_props);
  Query query(parts_, input);
  std::vector<Result> results = query.run();
  const std::size_t listed = std::min<std::size_t>({how_many, results.size(), get(Setting::max_list)});
  offers.reserve(listed);
  for (std::size_t i = 0; i < listed; ++i)
    offers.push_back(shown(parts_, results[i], input.desired, query.dynamic()));
  limits_applied = std::move(input.policies.limits_applied);
  if (listed == results.size()) return;
  const auto rest = results.begin() + static_cast<std::ptrdiff_t>(listed);
  offer_itr = iterators_.make(
      std::vector<Result>(std::make_move_iterator(rest), std::make_move_iterator(results.end())),
      std::move(input.desired));
}

}  // namespace takt::trading
