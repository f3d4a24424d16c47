#include "trading/service/federation.h"

#include <algorithm>
#include <utility>

#include "events/delivery/with_timeout.h"
#include "trading/model/recipe.h"
#include "trading/model/values.h"
#include "trading/query/silence.h"

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

// A new id: the stem, and behind it a part of fixed length.
std::string own_id(Parts& parts) {
  std::string id = parts.settings.get().request_id_stem + parts.process_id;
  const std::uint64_t number = ++parts.last_request;
  for (int shift = 56; shift >= 0; shift -= 8) id += static_cast<char>(number >> shift & 0xff);
  return id;
}

}  // namespace

bool Federation::begin() {
  std::string& id = input_.policies.request_id;
  if (id.empty()) id = own_id(parts_);
  running_ = RequestIds::Running::begin(parts_.request_ids, id);
  if (running_) return true;
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

CosTrading::PolicySeq Federation::policies_for(FollowOption follow, const CosTrading::TraderName& path,
                                               const std::string& id) const {
  constexpr std::string_view replaced[] = {"hop_count", "link_follow_rule", "request_id", "starting_trader"};
  CosTrading::PolicySeq policies;
  for (const CosTrading::Policy& each : input_.policies.given)
    if (std::ranges::find(replaced, each.name()) == std::end(replaced)) policies.push_back(each);
  const std::uint32_t hops = input_.policies.hop_count;
  policies.push_back(policy("hop_count", hops > 0 ? hops - 1 : 0));
  policies.push_back(policy("link_follow_rule", follow));
  policies.push_back(policy("request_id", octet_sequence(id)));
  if (!path.empty()) policies.push_back(policy("starting_trader", path));
  return policies;
}

// The offers of one trader, which come in several lists. Other traders decide how large their offers are, and
// an answer that is longer than the ORB takes is lost: the first list is short, and the size of later ones
// follows the largest offer.
class Federation::Pieces {
 public:
  Pieces(Federation& federation, std::size_t most, std::vector<CosTrading::Offer>& offers)
      : federation_(federation),
        most_(std::min<std::size_t>(most, federation.parts_.limits.returned)),
        offers_(offers) {}

  // How many offers the next list may have; 0: no more are wanted.
  std::uint32_t next() const {
    if (federation_.is_full_) return 0;
    return static_cast<std::uint32_t>(std::min({piece_, largest_piece / largest_, most_ - taken_}));
  }
  void take(CosTrading::OfferSeq& found) {
    for (CosTrading::Offer& each : found)
      if (taken_ == most_) {
        note_more();
      } else if (has_room_for(each)) {
        offers_.push_back(std::move(each));
        ++taken_;
      }
    piece_ = std::min(2 * piece_, largest_piece);
    found.clear();
  }
  // The trader has more offers than are wanted.
  void note_more() { federation_.input_.policies.note_limit("return_card"); }

 private:
  static constexpr std::size_t largest_piece = 1'024;

  bool has_room_for(const CosTrading::Offer& offer) {
    const std::size_t weight = weight_of(offer);
    largest_ = std::clamp(weight, largest_, largest_piece);
    bool& is_full = federation_.is_full_;
    is_full = is_full || weight > federation_.parts_.limits.returned - federation_.weight_ ||
              !federation_.memory_.take(weight * octets_of_weight);
    if (is_full)
      note_more();
    else
      federation_.weight_ += weight;
    return !is_full;
  }

  Federation& federation_;
  const std::size_t most_;
  std::vector<CosTrading::Offer>& offers_;
  std::size_t taken_ = 0, piece_ = 32, largest_ = 1;
};

void Federation::query(const Lookup& trader, const Request& request, Pieces& pieces) {
  using How = CosTrading::Lookup::HowManyProps;
  CosTrading::Lookup::SpecifiedProps desired;
  if (input_.preference.ranks() || input_.desired.how_many == How::all)
    desired._d(How::all);  // the order may need what the importer does not want to see
  else if (input_.desired.how_many == How::some)
    desired.prop_names(input_.desired.names);
  CosTrading::OfferSeq found;
  CORBA::object_reference<CosTrading::OfferIterator> rest;
  CosTrading::PolicyNameSeq limits;
  trader->query(request.type, request.constraint, input_.preference_text, request.policies, desired,
                pieces.next(), found, rest, limits);
  pieces.take(found);
  for (const std::string& each : limits) input_.policies.note_limit_of_other(each);
  if (!rest) return;
  const auto timed = events::with_timeout(rest, parts_.limits.link_timeout);
  try {
    fetch(*IDL::traits<CosTrading::OfferIterator>::unchecked_narrow(timed), request, pieces);
  } catch (const CORBA::OBJECT_NOT_EXIST&) {  // the trader has ended the iterator, and is there
    input_.policies.note_limit(request.limit);
  }
}

void Federation::fetch(CosTrading::OfferIterator& rest, const Request& request, Pieces& pieces) {
  CosTrading::OfferSeq found;
  for (bool more = true; more;) {
    const std::uint32_t piece = pieces.next();
    if (piece == 0) {
      pieces.note_more();
      break;
    }
    if (DynamicValues::Clock::now() >= end_) {
      input_.policies.note_limit(request.limit);
      break;
    }
    more = rest.next_n(piece, found) && !found.empty();
    pieces.take(found);
  }
  try {
    rest.destroy();
  } catch (const CORBA::SystemException&) {  // NOLINT(bugprone-empty-catch): it has ended with the last offer
  }
}

bool Federation::ask(const Lookup& trader, const Request& request, std::vector<CosTrading::Offer>& offers) {
  if (request.most == 0 || is_full_) {  // it may have more offers
    input_.policies.note_limit("return_card");
    return true;
  }
  const auto left = std::chrono::duration_cast<milliseconds>(end_ - DynamicValues::Clock::now());
  if (left <= milliseconds(0)) {
    input_.policies.note_limit(request.limit);
    return true;
  }
  parts_.counts.link_queries.fetch_add(1, std::memory_order_relaxed);
  try {
    const auto timed = events::with_timeout(trader, std::min(left, parts_.limits.link_timeout));
    Pieces pieces(*this, request.most, offers);
    query(IDL::traits<CosTrading::Lookup>::unchecked_narrow(timed), request, pieces);
  } catch (const CORBA::UserException&) {  // NOLINT(bugprone-empty-catch): it does not know the type
  } catch (const CORBA::SystemException& failure) {
    parts_.counts.link_failures.fetch_add(1, std::memory_order_relaxed);
    input_.policies.note_limit(request.limit);
    // A connection also ends because of one answer that is too long.
    return !says_silence(failure) || is_one_of<CORBA::COMM_FAILURE>(failure);
  }
  return true;
}

void Federation::ask_link(const TraderLink& link, const Request& request,
                          std::vector<CosTrading::Offer>& offers) {
  const auto now = SharedLinks::Clock::now();
  if (parts_.links.is_silent(link.name, now))
    input_.policies.note_limit(request.limit);
  else if (!ask(link.target, request, offers))
    parts_.links.set_silent_until(link, SharedLinks::Clock::now() + parts_.limits.link_pause);
}

std::vector<CosTrading::Offer> Federation::from_start() {
  CosTrading::TraderName path = input_.policies.starting_trader;
  const auto link = parts_.links.find(path.front());
  if (!link) throw CosTrading::Lookup::InvalidPolicyValue(policy("starting_trader", path));
  std::vector<CosTrading::Offer> offers;
  if (input_.policies.hop_count == 0) {
    input_.policies.note_limit("hop_count");
    return offers;
  }
  path.erase(path.begin());
  ask_link(*link,
           {input_.type_name, input_.constraint_text,
            policies_for(passed_on(*link), path, input_.policies.request_id), input_.policies.return_card,
            "starting_trader"},
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
  const std::string own = input_.criterion.matches_all() ? "TRUE" : input_.constraint_text;
  const auto constraint = expanded(proxy.proxy->recipe, own, property, parts_.limits.constraint_bytes);
  const auto target = IDL::traits<CosTrading::Lookup>::unchecked_narrow(object_in(parts_, proxy.reference));
  if (!constraint || !target) return offers;
  const bool is_same = proxy.type == input_.type_name && *constraint == own && proxy.proxy->policies.empty();
  const std::string separator(1, '\0');
  CosTrading::PolicySeq policies = policies_for(
      input_.policies.follow.value_or(parts_.settings.get().follow(Setting::def_follow_policy)), {},
      is_same ? input_.policies.request_id
              : derived_id(input_.policies.request_id, proxy.type + separator + *constraint + separator +
                                                           octets_of(proxy.proxy->policies)));
  for (const CosTrading::Policy& each : proxy.proxy->policies)
    if (std::ranges::find(policies, each.name(), [](auto& known) { return known.name(); }) == policies.end())
      policies.push_back(each);
  ask(target, {proxy.type, *constraint, std::move(policies), most, "use_proxy_offers"}, offers);
  return offers;
}

std::vector<CosTrading::Offer> Federation::from_links(bool found, std::size_t most) {
  std::vector<CosTrading::Offer> offers;
  if (input_.policies.hop_count == 0) return offers;
  for (const TraderLink& link : parts_.links.all()) {
    const FollowOption rule = rule_for(link);
    const bool has_offers = found || !offers.empty();
    if (rule == FollowOption::local_only || (rule == FollowOption::if_no_local && has_offers)) continue;
    ask_link(link,
             {input_.type_name, input_.constraint_text,
              policies_for(passed_on(link), {}, input_.policies.request_id), most - offers.size(),
              "link_follow_rule"},
             offers);
  }
  return offers;
}

}  // namespace takt::trading
