// The part of a query that other traders answer: those behind links, and the targets of proxies.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "trading/query/query_share.h"
#include "trading/service/parts.h"
#include "trading/service/query_input.h"

namespace takt::trading {

// Asks one trader after the other, each with a timeout, until the query's end. Holds no lock.
class Federation {
 public:
  // All must outlive it. `end`: that of the query.
  Federation(Parts& parts, QueryInput& input, DynamicValues& dynamic, DynamicValues::Clock::time_point end)
      : parts_(parts), input_(input), dynamic_(dynamic), end_(end), memory_(parts.query_memory) {}

  // Whether the query comes for the first time, and begins here. Gives it an id if it has none.
  bool begin();
  // The answer of the trader at the beginning of the path in the policy starting_trader. InvalidPolicyValue.
  std::vector<CosTrading::Offer> from_start();
  std::vector<CosTrading::Offer> from_proxy(const Offer& proxy, std::size_t most);
  // `found`: whether there are offers already.
  std::vector<CosTrading::Offer> from_links(bool found, std::size_t most);

 private:
  class Pieces;
  using Lookup = CORBA::object_reference<CosTrading::Lookup>;
  struct Request {
    std::string type, constraint;
    CosTrading::PolicySeq policies;
    std::size_t most;
    const char* limit;  // the policy that limits_applied names if offers are missing
  };

  FollowOption rule_for(const TraderLink& link) const;
  // The importer's policies as the next trader gets them.
  CosTrading::PolicySeq policies_for(FollowOption follow, const CosTrading::TraderName& path,
                                     const std::string& id) const;
  FollowOption passed_on(const TraderLink& link) const;
  // Appends what the trader answers. False if it is silent.
  bool ask(const Lookup& trader, const Request& request, std::vector<CosTrading::Offer>& offers);
  void ask_link(const TraderLink& link, const Request& request, std::vector<CosTrading::Offer>& offers);
  void query(const Lookup& trader, const Request& request, Pieces& pieces);
  void fetch(CosTrading::OfferIterator& rest, const Request& request, Pieces& pieces);

  Parts& parts_;
  QueryInput& input_;
  DynamicValues& dynamic_;
  const DynamicValues::Clock::time_point end_;
  std::unique_ptr<RequestIds::Running> running_;
  QueryShare memory_;       // for the offers of other traders
  std::size_t weight_ = 0;  // total that the offers of other traders have
  bool is_full_ = false;
};

}  // namespace takt::trading
