// takt trade link add, remove and list: the links of a trader to other traders.
#include <iostream>
#include <memory>
#include <optional>

#include <takt/corba.h>

#include "addresses/address_in.h"
#include "common/output.h"
#include "ior/target.h"
#include "trade/client.h"
#include "trade/commands.h"

namespace takt::command {
namespace {

using CosTrading::FollowOption;

struct LinkSettings {
  TraderSettings trader;
  std::string name, target, limit = "always";
  std::optional<std::string> pass_on;  // none: the limit
  bool as_json = false;
};

const char* word_for(FollowOption rule) {
  switch (rule) {
    case FollowOption::local_only:
      return "local_only";
    case FollowOption::if_no_local:
      return "if_no_local";
    case FollowOption::always:
      return "always";
  }
  return "";
}

FollowOption rule_of(const std::string& word) {
  if (word == "local_only") return FollowOption::local_only;
  return word == "if_no_local" ? FollowOption::if_no_local : FollowOption::always;
}

void run_add(const LinkSettings& settings) {
  ask_trader([&] {
    const TraderClient client(settings.trader);
    const auto target = IDL::traits<CosTrading::Lookup>::unchecked_narrow(
        object_at(client.orb(), reference_text(settings.target)));
    client.links()->add_link(settings.name, target, rule_of(settings.pass_on.value_or(settings.limit)),
                             rule_of(settings.limit));
  });
}

void run_remove(const LinkSettings& settings) {
  ask_trader([&] { TraderClient(settings.trader).links()->remove_link(settings.name); });
}

// A link that another client removes meanwhile is left out.
Json json_of_links(const TraderClient& client, bool with_references) {
  const auto links = client.links();
  Json all = Json::array();
  for (const std::string& name : links->list_links()) {
    try {
      const auto link = links->describe_link(name);
      all.push_back({{"name", name},
                     {"address", addresses::address_in(addresses::ior_of(link.target()))},
                     {"pass_on", word_for(link.def_pass_on_follow_rule())},
                     {"limit", word_for(link.limiting_follow_rule())},
                     {"takes_offers", static_cast<bool>(link.target_reg())}});
      if (with_references) all.back()["reference"] = client.orb()->object_to_string(link.target());
    } catch (const CosTrading::Link::UnknownLinkName&) {  // NOLINT(bugprone-empty-catch)
    }
  }
  return all;
}

void run_list(const LinkSettings& settings) {
  ask_trader([&] {
    const Json shown{{"links", json_of_links(TraderClient(settings.trader), settings.as_json)}};
    std::cout << (settings.as_json ? text_of(shown) : page_of(shown));
  });
}

Command add_link_command(const Command& link, const char* name, const char* meaning,
                         const std::shared_ptr<LinkSettings>& settings, void (*action)(const LinkSettings&)) {
  const Command command = link.add_command(name, meaning);
  if (action != run_list) command.add("name", settings->name, "the link's name").required();
  if (action == run_add)
    command
        .add("target", settings->target, "reference of the other trader's Lookup, as for takt ior, or @FILE")
        .required();
  add_trader(command, settings->trader);
  command.on_chosen([settings, action] { action(*settings); });
  return command;
}

}  // namespace

void add_trade_links(const Command& trade) {
  const Command link = trade.add_command("link", "Shows and changes the links of a trader to other traders.");
  link.require_command();
  const auto settings = [] { return std::make_shared<LinkSettings>(); };
  const auto added = settings(), listed = settings();
  const Command add = add_link_command(link, "add", "Adds a link to another trader.", added, run_add);
  add.add("--limit", added->limit, "the most permissive rule by which queries follow the link")
      .one_of({"local_only", "if_no_local", "always"})
      .show_default();
  add.add("--pass-on", added->pass_on,
          "the rule that the other trader gets with queries that have none; by default that of --limit")
      .one_of({"local_only", "if_no_local", "always"});
  add_link_command(link, "remove", "Removes a link.", settings(), run_remove);
  add_link_command(link, "list", "Lists the links, their rules and where they lead.", listed, run_list)
      .add_flag("--json", listed->as_json, "as JSON, with the references of the other traders");
}

}  // namespace takt::command
