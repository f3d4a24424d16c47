// The settings of a trader, and lists of its offers.
#pragma once

#include "trading/service/components.h"
#include "trading/service/iterators.h"

namespace takt::trading {

class AdminServant final : public LinkAttributes<ImportAttributes<Components<CosTrading::Admin>>> {
 public:
  // Both must outlive it.
  AdminServant(Parts& parts, IdIteratorFactory& iterators) : LinkAttributes(parts), iterators_(iterators) {}

  CosTrading::Admin::OctetSeq request_id_stem() override;
  std::uint32_t set_def_search_card(std::uint32_t value) override;
  std::uint32_t set_max_search_card(std::uint32_t value) override;
  std::uint32_t set_def_match_card(std::uint32_t value) override;
  std::uint32_t set_max_match_card(std::uint32_t value) override;
  std::uint32_t set_def_return_card(std::uint32_t value) override;
  std::uint32_t set_max_return_card(std::uint32_t value) override;
  std::uint32_t set_max_list(std::uint32_t value) override;
  bool set_supports_modifiable_properties(bool value) override;
  bool set_supports_dynamic_properties(bool value) override;
  bool set_supports_proxy_offers(bool value) override;
  std::uint32_t set_def_hop_count(std::uint32_t value) override;
  std::uint32_t set_max_hop_count(std::uint32_t value) override;
  FollowOption set_def_follow_policy(FollowOption policy) override;
  FollowOption set_max_follow_policy(FollowOption policy) override;
  FollowOption set_max_link_follow_policy(FollowOption policy) override;
  ObjectRef set_type_repos(ObjectRef repository) override;
  CosTrading::Admin::OctetSeq set_request_id_stem(const CosTrading::Admin::OctetSeq& stem) override;
  void list_offers(std::uint32_t how_many, CosTrading::OfferIdSeq& ids,
                   CORBA::object_reference<CosTrading::OfferIdIterator>& id_itr) override;
  void list_proxies(std::uint32_t how_many, CosTrading::OfferIdSeq& ids,
                    CORBA::object_reference<CosTrading::OfferIdIterator>& id_itr) override;

 private:
  // Writes the value, and returns the previous one.
  std::uint32_t set(Setting setting, std::uint32_t value);
  FollowOption set_follow(Setting setting, FollowOption value);
  void list(bool proxies, std::uint32_t how_many, CosTrading::OfferIdSeq& ids,
            CORBA::object_reference<CosTrading::OfferIdIterator>& id_itr);

  IdIteratorFactory& iterators_;
};

}  // namespace takt::trading
