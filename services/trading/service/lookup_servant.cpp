#include "trading/service/lookup_servant.h"

#include <iterator>
#include <utility>

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
  ListSpace space(parts_, how_many);
  std::size_t listed = 0;
  for (; listed < results.size() && space.has_room(); ++listed) {
    Shown next = shown(parts_, results[listed], input.desired, query.dynamic());
    if (!space.take(next.octets)) break;
    offers.push_back(std::move(next.offer));
  }
  if (query.dynamic().were_cut()) input.policies.note_limit("search_card");
  limits_applied = std::move(input.policies.limits_applied);
  if (listed == results.size()) return;
  const auto rest = results.begin() + static_cast<std::ptrdiff_t>(listed);
  offer_itr = iterators_.make(
      std::vector<Result>(std::make_move_iterator(rest), std::make_move_iterator(results.end())),
      std::move(input.desired));
}

}  // namespace takt::trading
