// The order in which a call tries the addresses of a reference.
#include "client/candidates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../rooms/rooms.h"

namespace takt::client {
namespace {

// The peer has offered its connection for these hosts.
struct Offers final : ConnectionOverride {
  explicit Offers(std::vector<std::string> of) : hosts(std::move(of)) {}
  std::optional<KeyedStrategy> connection_for(const reference::Route&, const reference::Route::Address&,
                                              const reference::ConnectionKey&, bool) override {
    return std::nullopt;
  }
  bool may_apply_to_any() const override { return true; }
  bool was_offered(const reference::Route&, const reference::Route::Address& address) const override {
    return address.endpoint.protocol == "iiop" &&
           std::ranges::find(hosts, address.endpoint.host) != hosts.end();
  }
  std::vector<std::string> hosts;
};

std::string order_of(const std::vector<transport::Endpoint>& endpoints, std::vector<std::string> offered) {
  const auto rooms = rooms::Rooms::make();
  Offers offers(std::move(offered));
  rooms->client.connection_overrides.push_back(&offers);
  const auto server = std::make_shared<reference::ServerRoute>();
  for (const transport::Endpoint& endpoint : endpoints) {
    reference::Route::Address& address = server->addresses.emplace_back();
    address.endpoint = endpoint;
  }
  reference::Target target;
  target.routes.emplace_back().server = server;
  std::string hosts;
  for (const Candidate& candidate : allowed_candidates_of(rooms->references, target, nullptr))
    hosts += candidate.address->endpoint.host;
  return hosts;
}

TEST(Candidates, ThatTheirClientHasOfferedComeFirst) {
  const std::vector<transport::Endpoint> three = {{"iiop", "a", 1}, {"iiop", "b", 1}, {"iiop", "c", 1}};
  EXPECT_EQ(order_of(three, {}), "abc");
  EXPECT_EQ(order_of(three, {"c"}), "cab");
  EXPECT_EQ(order_of(three, {"b", "c"}), "bca");
}

// Any client can claim to be at an address.
TEST(Candidates, ThatTheirClientHasOfferedDoNotComeBeforeThoseWithTls) {
  EXPECT_EQ(order_of({{"ssliop", "a", 1}, {"iiop", "b", 1}, {"iiop", "c", 1}}, {"c"}), "acb");
}

}  // namespace
}  // namespace takt::client
