// Links to other traders.
#pragma once

#include "trading/service/components.h"

namespace takt::trading {

class LinkServant final : public LinkAttributes<Components<CosTrading::Link>> {
 public:
  explicit LinkServant(Parts& parts) : LinkAttributes(parts) {}

  void add_link(const std::string& name, CORBA::object_reference<CosTrading::Lookup> target,
                FollowOption def_pass_on_follow_rule, FollowOption limiting_follow_rule) override;
  void remove_link(const std::string& name) override;
  CosTrading::Link::LinkInfo describe_link(const std::string& name) override;
  CosTrading::LinkNameSeq list_links() override;
  void modify_link(const std::string& name, FollowOption def_pass_on_follow_rule,
                   FollowOption limiting_follow_rule) override;

 private:
  void check_rules(FollowOption pass_on, FollowOption limiting) const;
  void put(TraderLink link);
};

// The link with the name. IllegalLinkName, UnknownLinkName.
TraderLink existing_link(const Parts& parts, const std::string& name);
// The Register of the trader behind the link, which is asked for it if it is not known; nil if it has none,
// or does not answer in time.
CORBA::object_reference<CosTrading::Register> register_behind(Parts& parts, const TraderLink& link);

}  // namespace takt::trading
