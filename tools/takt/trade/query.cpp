// takt trade query: the offers that match a constraint.
#include <algorithm>
#include <iostream>
#include <memory>

#include <takt/corba.h>

#include "common/output.h"
#include "common/serving.h"
#include "trade/client.h"
#include "trade/commands.h"

namespace takt::command {
namespace {

struct QuerySettings {
  TraderSettings trader;
  std::string type, constraint, preference, links;
  std::vector<std::string> properties, path;
  std::uint64_t most = 100;
  std::int32_t hops = -1;
  bool exact = false, as_json = false;
};

template <class T>
void add_policy(CosTrading::PolicySeq& policies, const char* name, const T& value) {
  CORBA::Any any;
  any <<= value;
  policies.push_back({name, any});
}

CosTrading::FollowOption follow_option(const std::string& text) {
  if (text == "if-no-local") return CosTrading::FollowOption::if_no_local;
  return text == "always" ? CosTrading::FollowOption::always : CosTrading::FollowOption::local_only;
}

CosTrading::PolicySeq policies_from(const QuerySettings& settings, std::uint32_t most) {
  CosTrading::PolicySeq policies;
  add_policy(policies, "return_card", most);
  if (settings.exact) add_policy(policies, "exact_type_match", true);
  if (settings.hops >= 0) add_policy(policies, "hop_count", static_cast<std::uint32_t>(settings.hops));
  if (!settings.links.empty()) add_policy(policies, "link_follow_rule", follow_option(settings.links));
  if (!settings.path.empty()) add_policy(policies, "starting_trader", CosTrading::TraderName(settings.path));
  return policies;
}

CosTrading::Lookup::SpecifiedProps wanted_properties(const QuerySettings& settings) {
  CosTrading::Lookup::SpecifiedProps wanted;
  if (settings.properties.empty())
    wanted._d(CosTrading::Lookup::HowManyProps::all);
  else
    wanted.prop_names(settings.properties);
  return wanted;
}

Json json_of_offer(const CosTrading::Offer& offer, const TraderClient& client) {
  Json properties = Json::object();
  json::Values values(property_context(client.orb()));
  for (const CosTrading::Property& each : offer.properties())
    properties[each.name()] = values.json_of(each.value(), each.name());
  return {{"reference", client.orb()->object_to_string(offer.reference())},
          {"properties", std::move(properties)}};
}

void run(const QuerySettings& settings) {
  const std::uint32_t most = number_up_to(1'000'000, settings.most, "--max");
  ask_trader([&] {
    const TraderClient client(settings.trader);
    CosTrading::OfferSeq offers;
    CORBA::object_reference<CosTrading::OfferIterator> rest;
    CosTrading::PolicyNameSeq limits;
    client.lookup()->query(settings.type, settings.constraint, settings.preference,
                           policies_from(settings, most), wanted_properties(settings), most, offers, rest,
                           limits);
    Json found = Json::array();
    const auto take = [&] {
      for (const CosTrading::Offer& each : offers)
        if (found.size() < most) found.push_back(json_of_offer(each, client));
    };
    take();
    bool more = static_cast<bool>(rest);
    while (more && found.size() < most) {
      offers.clear();
      more = rest->next_n(most - static_cast<std::uint32_t>(found.size()), offers);
      if (offers.empty()) break;
      take();
    }
    if (rest) rest->destroy();
    const bool none = found.empty();
    const Json all{{"offers", std::move(found)}, {"limits_applied", limits}};
    std::cout << (settings.as_json ? text_of(all) : page_of(all));
    if (none) throw Answer{negative};
  });
}

}  // namespace

void add_trade_query(const Command& trade) {
  const auto settings = std::make_shared<QuerySettings>();
  const Command query =
      trade.add_command("query", "Shows the offers that match. The exit status is 1 if there are none.");
  query.add("type", settings->type, "the service type, such as Printer").required();
  query.add("constraint", settings->constraint, "such as 'pages > 20 and floor == 3'; by default all match");
  query.add("--preference", settings->preference,
            "their order: max, min or with an expression; random; first");
  query.add("--property", settings->properties, "a property to show; by default all").one_at_a_time();
  query.add("--max", settings->most, "most offers").show_default();
  query.add_flag("--exact", settings->exact, "without offers of types that extend it");
  query.add("--links", settings->links, "whether the trader asks those to which it has links")
      .one_of({"local-only", "if-no-local", "always"});
  query.add("--hops", settings->hops, "most links one behind the other").within(0, 100);
  query
      .add("--start", settings->path,
           "a link of the trader where the query begins; again for links behind it")
      .one_at_a_time();
  query.add_flag("--json", settings->as_json, "as JSON");
  add_trader(query, settings->trader);
  query.on_chosen([settings] { run(*settings); });
}

}  // namespace takt::command
