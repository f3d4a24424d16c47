#include "trading/service/federation.h"

#include <algorithm>
#include <utility>

#include "events/delivery/with_timeout.h"
#include "trading/model/recipe.h"
#include "trading/model/values.h"

namespace takt::trading {
namespace {

using std::chrono::milliseconds;

template <class T>
CosTrading::Policy policy(const char* name, const T& value) {
  CosTrading::Policy made;
  made.name(name);
  made.value() <<= value;
  return made;
}

}  // namespace

bool Federation::is_new() {
  std::string& id = input_.policies.request_id;
  if (id.empty()) id = parts_.settings.get().request_id_stem + std::to_string(++parts_.last_request);
  if (parts_.request_ids.add(id)) return true;
  parts_.counts.loops.fetch_add(1, std::memory_order_relaxed);
  return false;
}

FollowOption Federation::rule_for(const TraderLink& link) const {
  const Settings settings = parts_.settings.get();
  const FollowOption wanted = input_.policies.follow.value_or(settings.follow(Setting::def_follow_policy));
  return std::min({wanted, link.limiting, settings.follow(Setting::max_follow_policy)});
}

FollowOption Federation::passed_on(const TraderLink& link) const {
  const FollowOption most = std::min(link.limiting, parts_.settings.get().follow(Setting::max_follow_policy));
  return std::min(input_.policies.follow.value_or(link.pass_on), most);
}

CosTrading::PolicySeq Federation::policies_for(FollowOption follow,
                                               const CosTrading::TraderName& path) const {
  constexpr std::string_view replaced[] = {"hop_count", "link_follow_rule", "request_id", "starting_trader"};
  CosTrading::PolicySeq policies;
  for (const CosTrading::Policy& each : input_.policies.given)
    if (std::ranges::find(replaced, each.name()) == std::end(replaced)) policies.push_back(each);
  const std::uint32_t hops = input_.policies.hop_count;
  policies.push_back(policy("hop_count", hops > 0 ? hops - 1 : 0));
  policies.push_back(policy("link_follow_rule", follow));
  policies.push_back(policy("request_id", octet_sequence(input_.policies.request_id)));
  if (!path.empty()) policies.push_back(policy("starting_trader", path));
  return policies;
}

// Other traders decide how large their offers are.
bool Federation::has_room_for(const CosTrading::Offer& offer) {
  const std::size_t weight = weight_of(offer);
  is_full_ = is_full_ || weight > parts_.limits.returned - weight_;
  if (is_full_)
    input_.policies.note_limit("return_card");
  else
    weight_ += weight;
  return !is_full_;
}

void Federation::query(const Lookup& trader, const Request& request, std::vector<CosTrading::Offer>& offers) {
  using How = CosTrading::Lookup::HowManyProps;
  CosTrading::Lookup::SpecifiedProps desired;
  if (input_.preference.ranks() || input_.desired.how_many == How::all)
    desired._d(How::all);  // the order may need what the importer does not want to see
  else if (input_.desired.how_many == How::some)
    desired.prop_names(input_.desired.names);
  CosTrading::OfferSeq found;
  CORBA::object_reference<CosTrading::OfferIterator> rest;
  CosTrading::PolicyNameSeq limits;
  const auto most = static_cast<std::uint32_t>(std::min<std::size_t>(request.most, parts_.limits.returned));
  trader->query(request.type, request.constraint, input_.preference_text, request.policies, desired, most,
                found, rest, limits);
  const std::size_t before = offers.size();
  const auto take = [&] {
    for (CosTrading::Offer& each : found)
      if (offers.size() - before < most && has_room_for(each)) offers.push_back(std::move(each));
  };
  take();
  for (const std::string& each : limits) input_.policies.note_limit_of_other(each);
  if (!rest) return;
  rest = IDL::traits<CosTrading::OfferIterator>::unchecked_narrow(
      events::with_timeout(rest, parts_.limits.link_timeout));
  for (bool more = true;
       more && !is_full_ && offers.size() - before < most && DynamicValues::Clock::now() < end_;) {
    found.clear();
    more = rest->next_n(most - static_cast<std::uint32_t>(offers.size() - before), found);
    if (found.empty()) break;
    take();
  }
  rest->destroy();
}

bool Federation::ask(const Lookup& trader, const Request& request, std::vector<CosTrading::Offer>& offers) {
  const auto left = std::chrono::duration_cast<milliseconds>(end_ - DynamicValues::Clock::now());
  if (left <= milliseconds(0) || request.most == 0) return true;
  parts_.counts.link_queries.fetch_add(1, std::memory_order_relaxed);
  try {
    const auto timed = events::with_timeout(trader, std::min(left, parts_.limits.link_timeout));
    query(IDL::traits<CosTrading::Lookup>::unchecked_narrow(timed), request, offers);
  } catch (const CORBA::UserException&) {  // NOLINT(bugprone-empty-catch): it does not know the type
  } catch (const CORBA::SystemException&) {
    parts_.counts.link_failures.fetch_add(1, std::memory_order_relaxed);
    return false;
  }
  return true;
}

bool Federation::ask_link(const TraderLink& link, const Request& request,
                          std::vector<CosTrading::Offer>& offers) {
  const auto now = SharedLinks::Clock::now();
  if (parts_.links.is_silent(link.name, now)) return false;
  if (ask(link.target, request, offers)) return true;
  parts_.links.set_silent_until(link, SharedLinks::Clock::now() + parts_.limits.link_pause);
  return false;
}

std::vector<CosTrading::Offer> Federation::from_start() {
  CosTrading::TraderName path = input_.policies.starting_trader;
  const auto link = parts_.links.find(path.front());
  if (!link) throw CosTrading::Lookup::InvalidPolicyValue(policy("starting_trader", path));
  std::vector<CosTrading::Offer> offers;
  if (input_.policies.hop_count == 0) return offers;
  path.erase(path.begin());
  ask_link(*link,
           {input_.type_name, input_.constraint_text, policies_for(passed_on(*link), path),
            input_.policies.return_card},
           offers);
  return offers;
}

std::vector<CosTrading::Offer> Federation::from_proxy(const Offer& proxy, std::size_t most) {
  std::vector<CosTrading::Offer> offers;
  const auto property = [&](const std::string& name) -> std::optional<constraint::Value> {
    const OfferProperty* found = proxy.property(name);
    const CORBA::Any* value = found ? dynamic_.value(proxy, *found) : nullptr;
    return value ? std::optional(value_of(*value)) : std::nullopt;
  };
  const auto constraint =
      expanded(proxy.proxy->recipe, input_.criterion.matches_all() ? "TRUE" : input_.constraint_text,
               property, parts_.limits.constraint_bytes);
  const auto target = IDL::traits<CosTrading::Lookup>::unchecked_narrow(object_in(parts_, proxy.reference));
  if (!constraint || !target) return offers;
  CosTrading::PolicySeq policies = policies_for(
      input_.policies.follow.value_or(parts_.settings.get().follow(Setting::def_follow_policy)), {});
  for (const CosTrading::Policy& each : proxy.proxy->policies)
    if (std::ranges::find(policies, each.name(), [](auto& known) { return known.name(); }) == policies.end())
      policies.push_back(each);
  ask(target, {proxy.type, *constraint, std::move(policies), most}, offers);
  return offers;
}

std::vector<CosTrading::Offer> Federation::from_links(bool found, std::size_t most) {
  std::vector<CosTrading::Offer> offers;
  if (input_.policies.hop_count == 0) return offers;
  for (const TraderLink& link : parts_.links.all()) {
    const FollowOption rule = rule_for(link);
    if (rule == FollowOption::local_only || (rule == FollowOption::if_no_local && found)) continue;
    if (offers.size() >= most) break;
    ask_link(
        link,
        {input_.type_name, input_.constraint_text, policies_for(passed_on(link), {}), most - offers.size()},
        offers);
  }
  return offers;
}

}  // namespace takt::trading
