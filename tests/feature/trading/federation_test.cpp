// Links, proxies and administration over the wire, by the rules of the standard.
#include <gtest/gtest.h>

#include <chrono>

#include "../folder.h"
#include "served.h"

namespace feature {
namespace {

using CosTrading::Admin;
using CosTrading::Link;
using CosTrading::Proxy;

struct Trader : TradingServer {
  explicit Trader(const std::string& id, takt::trading::TradingService::Options options = {})
      : TradingServer(std::move(options)),
        link(lookup->link_if()),
        proxy(lookup->proxy_if()),
        admin(lookup->admin_if()) {
    if (types->list_types({}).empty()) {
      add_printer();
      add(id, static_cast<std::int32_t>(id[0]) - 'a' + 1);
    }
  }
  void link_to(const std::string& name, Trader& other, Follow pass_on = Follow::always,
               Follow limiting = Follow::always) {
    link->add_link(name, other.lookup, pass_on, limiting);
  }
  std::string found(const Asked& asked) { return feature::found(*lookup, asked); }

  const CORBA::object_reference<Link> link;
  const CORBA::object_reference<Proxy> proxy;
  const CORBA::object_reference<Admin> admin;
};

struct Traders : testing::Test {
  Trader a{"a", {.limits = {.link_pause = std::chrono::hours(1)}}}, b{"b"}, c{"c"};
  void chain() {
    a.link_to("b", b);
    b.link_to("c", c);
  }
};

TEST_F(Traders, AskThoseBehindTheirLinks) {
  chain();
  EXPECT_EQ(a.found({}), "a b c");
  EXPECT_EQ(a.found({.preference = "max pages"}), "c b a");
  EXPECT_EQ(a.found({.constraint = "pages >= 2", .preference = "min pages"}), "b c");
  EXPECT_EQ(c.found({}), "c") << "links have one direction";
  EXPECT_EQ(a.found({.policies = {policy("return_card", std::uint32_t{2})}}), "a b");
  EXPECT_EQ(a.found({.preference = "max pages", .policies = {policy("return_card", std::uint32_t{2})}}),
            "c b");
  EXPECT_GE(a.state().link_queries(), 4u);
  EXPECT_EQ(a.state().links(), 1u);
}

TEST_F(Traders, ShowOnlyWhatIsWantedOfOthersToo) {
  chain();
  const auto answered = ask(*a.lookup, {.preference = "max pages", .how = How::some, .names = {"id"}});
  EXPECT_EQ(ids_of(answered.offers), "c b a");
  for (const auto& each : answered.offers) EXPECT_EQ(each.properties().size(), 1u);
}

TEST_F(Traders, ContinueInOneIterator) {
  chain();
  auto answered = ask(*a.lookup, {.preference = "max pages", .how_many = 1});
  ASSERT_TRUE(answered.rest);
  CosTrading::OfferSeq next;
  EXPECT_FALSE(answered.rest->next_n(10, next));
  EXPECT_EQ(ids_of(answered.offers) + " " + ids_of(next), "c b a");
  EXPECT_EQ(b.service->iterators(), 0u) << "those of the other traders are destroyed";
}

TEST(TradersWithLimits, CountLargeOffersOfOthersByTheirSize) {
  Trader near("near", {.limits = {.returned = 100}}), far("far");
  near.link_to("far", far);
  for (int i = 0; i < 5; ++i) far.add("x", 1, {property("large", std::string(40'000, 'x'))});
  const auto answered = ask(*near.lookup, {});
  EXPECT_EQ(ids_of(answered.offers), "near far x x");
  EXPECT_EQ(answered.limits, CosTrading::PolicyNameSeq{"return_card"});
}

// All together they are longer than an ORB takes.
TEST_F(Traders, LargeOffersComeInSeveralLists) {
  a.link_to("b", b);
  for (int i = 0; i < 100; ++i) b.add("x", 1, {property("large", std::string(60'000, 'x'))});
  auto answered = ask(*a.lookup, {.how_many = 20});
  EXPECT_EQ(answered.offers.size(), 20u);
  EXPECT_TRUE(answered.limits.empty());
  ASSERT_TRUE(answered.rest);
  EXPECT_EQ(answered.rest->max_left(), 82u);
  EXPECT_EQ(a.state().link_failures(), 0u);
  EXPECT_EQ(b.service->iterators(), 0u);
}

TEST_F(Traders, OffersThatComeOneByOneAllCome) {
  a.link_to("b", b);
  for (int i = 0; i < 100; ++i) b.add("x", 1);
  b.admin->set_max_list(1);
  const auto answered = ask(*a.lookup, {.how_many = 200});
  EXPECT_EQ(answered.offers.size(), 102u);
  EXPECT_TRUE(answered.limits.empty());
}

// An iterator with one offer, which ends with it.
class LastOffer final : public virtual CORBA::servant_traits<CosTrading::OfferIterator>::base_type {
 public:
  explicit LastOffer(CosTrading::Offer offer) : offer_(std::move(offer)) {}
  std::uint32_t max_left() override { return 1; }
  bool next_n(std::uint32_t, CosTrading::OfferSeq& offers) override {
    offers = {offer_};
    return false;
  }
  void destroy() override { throw CORBA::OBJECT_NOT_EXIST(); }

 private:
  const CosTrading::Offer offer_;
};

// Another kind of trader, whose answers are all in its iterator.
class TraderWithAnIterator final : public virtual CORBA::servant_traits<CosTrading::Lookup>::base_type {
 public:
  explicit TraderWithAnIterator(CosTrading::Offer offer)
      : rest_(CORBA::make_reference<LastOffer>(std::move(offer))) {}
  void query(const std::string&, const std::string&, const std::string&, const CosTrading::PolicySeq&,
             const CosTrading::Lookup::SpecifiedProps&, std::uint32_t, CosTrading::OfferSeq&,
             CORBA::object_reference<CosTrading::OfferIterator>& rest, CosTrading::PolicyNameSeq&) override {
    rest = rest_->_this();
  }
  CORBA::object_reference<CosTrading::Lookup> lookup_if() override { return _this(); }
  CORBA::object_reference<CosTrading::Register> register_if() override { return nullptr; }
  CORBA::object_reference<Link> link_if() override { return nullptr; }
  CORBA::object_reference<Proxy> proxy_if() override { return nullptr; }
  CORBA::object_reference<Admin> admin_if() override { return nullptr; }
  bool supports_modifiable_properties() override { return false; }
  bool supports_dynamic_properties() override { return false; }
  bool supports_proxy_offers() override { return false; }
  ObjectRef type_repos() override { return nullptr; }
  std::uint32_t def_search_card() override { return 1; }
  std::uint32_t max_search_card() override { return 1; }
  std::uint32_t def_match_card() override { return 1; }
  std::uint32_t max_match_card() override { return 1; }
  std::uint32_t def_return_card() override { return 1; }
  std::uint32_t max_return_card() override { return 1; }
  std::uint32_t max_list() override { return 1; }
  std::uint32_t def_hop_count() override { return 1; }
  std::uint32_t max_hop_count() override { return 1; }
  Follow def_follow_policy() override { return Follow::always; }
  Follow max_follow_policy() override { return Follow::always; }

 private:
  const CORBA::servant_reference<LastOffer> rest_;
};

TEST_F(Traders, MayEndTheirIteratorsWithTheLastOffer) {
  CosTrading::Offer offer;
  offer.reference(a.object("z"));
  offer.properties({property("id", std::string("z"))});
  const auto other = CORBA::make_reference<TraderWithAnIterator>(offer);
  a.link->add_link("other", b.publish<CosTrading::Lookup>(other), Follow::always, Follow::always);
  for (int i = 0; i < 2; ++i) {
    const auto answered = ask(*a.lookup, {});
    EXPECT_EQ(ids_of(answered.offers), "a z");
    EXPECT_TRUE(answered.limits.empty()) << "all offers have come";
  }
}

TEST_F(Traders, NameTheLimitOfOffersThatAreMissing) {
  a.link->add_link("dead", IDL::traits<CosTrading::Lookup>::unchecked_narrow(a.object("dead")),
                   Follow::always, Follow::always);
  const auto limits = [&](const CosTrading::PolicySeq& policies = {}) {
    return ask(*a.lookup, {.policies = policies}).limits;
  };
  EXPECT_EQ(limits(), CosTrading::PolicyNameSeq{"link_follow_rule"});
  EXPECT_EQ(limits(), CosTrading::PolicyNameSeq{"link_follow_rule"}) << "the link is left out for a while";
  EXPECT_TRUE(limits({policy("link_follow_rule", Follow::local_only)}).empty());
  b.link_to("a", a);
  EXPECT_EQ(ask(*b.lookup, {}).limits, CosTrading::PolicyNameSeq{"link_follow_rule"});
  c.proxy->export_proxy(IDL::traits<CosTrading::Lookup>::unchecked_narrow(c.object("dead")), "Printer",
                        {property("id", std::string("p")), property("pages", std::int32_t{1})}, true, "$*",
                        {});
  EXPECT_EQ(ask(*c.lookup, {}).limits, CosTrading::PolicyNameSeq{"use_proxy_offers"});
}

TEST_F(Traders, AnObjectThatRefusesAQueryIsNotSilent) {
  a.link->add_link("wrong", IDL::traits<CosTrading::Lookup>::unchecked_narrow(b.registry), Follow::always,
                   Follow::always);
  for (std::uint64_t i = 1; i <= 2; ++i) {
    const auto answered = ask(*a.lookup, {});
    EXPECT_EQ(ids_of(answered.offers), "a");
    EXPECT_EQ(answered.limits, CosTrading::PolicyNameSeq{"link_follow_rule"});
    EXPECT_EQ(a.state().link_failures(), i) << "it is asked each time";
  }
}

TEST_F(Traders, LinksInACircleFindEachOfferOnce) {
  chain();
  c.link_to("a", a);
  a.link_to("self", a);
  a.link_to("c", c);
  EXPECT_EQ(a.found({.preference = "max pages"}), "c b a");
  EXPECT_EQ(b.found({.preference = "min pages"}), "a b c");
  EXPECT_GE(a.state().loops(), 2u);
}

TEST_F(Traders, AKnownRequestFindsNothing) {
  const Asked asked{.policies = {policy("request_id", Admin::OctetSeq{1, 2, 3})}};
  EXPECT_EQ(a.found(asked), "a");
  EXPECT_EQ(a.found(asked), "");
  EXPECT_EQ(a.state().loops(), 1u);
}

TEST_F(Traders, StemsThatBeginAlikeGiveDifferentIds) {
  a.link_to("c", c);
  b.link_to("c", c);
  a.admin->set_request_id_stem({'x'});
  b.admin->set_request_id_stem({'x', '1'});
  for (int i = 1; i <= 11; ++i) EXPECT_EQ(a.found({}), "a c");
  EXPECT_EQ(b.found({}), "b c");
}

TEST_F(Traders, HopsAreCounted) {
  chain();
  const auto hops = [&](std::uint32_t count) { return a.found({.policies = {policy("hop_count", count)}}); };
  EXPECT_EQ(hops(0), "a");
  EXPECT_EQ(hops(1), "a b");
  EXPECT_EQ(hops(2), "a b c");
  a.admin->set_max_hop_count(1);
  const auto answered = ask(*a.lookup, {.policies = {policy("hop_count", std::uint32_t{2})}});
  EXPECT_EQ(ids_of(answered.offers), "a b");
  EXPECT_EQ(answered.limits, CosTrading::PolicyNameSeq{"hop_count"});
}

TEST_F(Traders, TheLeastRuleDecidesWhichLinksAreFollowed) {
  chain();
  const auto rule = [&](Follow follow, const std::string& constraint = {}) {
    return a.found({.constraint = constraint, .policies = {policy("link_follow_rule", follow)}});
  };
  EXPECT_EQ(rule(Follow::local_only), "a");
  EXPECT_EQ(rule(Follow::if_no_local), "a");
  EXPECT_EQ(rule(Follow::if_no_local, "pages > 1"), "b") << "b has an offer, so c is not asked";
  EXPECT_EQ(rule(Follow::always), "a b c");
  a.link->modify_link("b", Follow::local_only, Follow::if_no_local);
  EXPECT_EQ(rule(Follow::always), "a") << "the link's limit";
  EXPECT_EQ(a.found({.constraint = "pages > 2"}), "") << "without a rule, the link's own one is passed on";
  a.link->modify_link("b", Follow::always, Follow::always);
  a.admin->set_max_follow_policy(Follow::local_only);
  EXPECT_EQ(rule(Follow::always), "a") << "the trader's limit";
  a.admin->set_max_follow_policy(Follow::always);
  a.admin->set_def_follow_policy(Follow::local_only);
  EXPECT_EQ(a.found({}), "a");
}

TEST_F(Traders, IfNoLocalCountsTheOffersOfEarlierLinks) {
  a.link_to("l1", b, Follow::local_only, Follow::if_no_local);
  a.link_to("l2", c, Follow::local_only, Follow::if_no_local);
  EXPECT_EQ(a.found({.constraint = "pages > 1"}), "b");
  EXPECT_EQ(a.found({.constraint = "pages > 2"}), "c");
}

TEST_F(Traders, NameReturnCardIfItCutsTheOffersOfOthers) {
  a.link_to("b", b);
  b.add("x", 2);
  const auto limits = [&](std::uint32_t most) {
    return ask(*a.lookup, {.policies = {policy("return_card", most)}}).limits;
  };
  const CosTrading::PolicyNameSeq cut{"return_card"};
  EXPECT_EQ(limits(1), cut) << "b is not asked";
  EXPECT_EQ(limits(2), cut) << "b has one more";
  EXPECT_TRUE(limits(3).empty());
  const Asked behind{.policies = {policy("starting_trader", CosTrading::TraderName{"b"}),
                                  policy("hop_count", std::uint32_t{0})}};
  EXPECT_EQ(ask(*a.lookup, behind).limits, CosTrading::PolicyNameSeq{"hop_count"});
}

TEST_F(Traders, AQueryMayBeginBehindALink) {
  chain();
  const auto start = [&](const CosTrading::TraderName& path) {
    return a.found(
        {.policies = {policy("starting_trader", path), policy("link_follow_rule", Follow::local_only)}});
  };
  EXPECT_EQ(start({"b"}), "b");
  EXPECT_EQ(start({"b", "c"}), "c");
  EXPECT_EQ(exception_of([&] { start({"x"}); }).substr(0, 38), "CosTrading::Lookup::InvalidPolicyValue");
  EXPECT_EQ(start({"b", "x"}), "") << "what the other trader refuses is no offer";
}

TEST_F(Traders, ATraderThatIsSilentCostsATimeoutOnce) {
  a.link->add_link("dead", IDL::traits<CosTrading::Lookup>::unchecked_narrow(a.object("dead")),
                   Follow::always, Follow::always);
  a.link_to("b", b);
  EXPECT_EQ(a.found({}), "a b");
  EXPECT_EQ(a.found({}), "a b");
  EXPECT_FALSE(a.link->describe_link("dead").target_reg());
  EXPECT_EQ(exception_of([&] { a.registry->resolve({"dead"}); }).substr(0, 42),
            "CosTrading::Register::RegisterNotSupported");
  EXPECT_EQ(a.state().link_failures(), 1u) << "the link's trader is asked for its Register, too";
}

TEST_F(Traders, LinksAreRefusedByName) {
  const auto thrown = [&](const std::function<void(Link&)>& call) {
    return exception_of([&] { call(*a.link); });
  };
  a.link_to("b", b, Follow::if_no_local, Follow::always);
  EXPECT_EQ(thrown([&](Link& all) { all.add_link("", b.lookup, Follow::always, Follow::always); }),
            "CosTrading::Link::IllegalLinkName{name=\"\"}");
  EXPECT_EQ(thrown([&](Link& all) { all.add_link("b", b.lookup, Follow::always, Follow::always); }),
            "CosTrading::Link::DuplicateLinkName{name=\"b\"}");
  EXPECT_EQ(
      thrown([&](Link& all) { all.add_link("c", nullptr, Follow::always, Follow::always); }).substr(0, 28),
      "CosTrading::InvalidLookupRef");
  EXPECT_EQ(thrown([&](Link& all) {
              all.add_link("c", b.lookup, Follow::always, Follow::local_only);
            }).substr(0, 44),
            "CosTrading::Link::DefaultFollowTooPermissive");
  a.admin->set_max_link_follow_policy(Follow::if_no_local);
  EXPECT_EQ(thrown([&](Link& all) {
              all.add_link("c", b.lookup, Follow::local_only, Follow::always);
            }).substr(0, 45),
            "CosTrading::Link::LimitingFollowTooPermissive");
  EXPECT_EQ(thrown([&](Link& all) { all.modify_link("c", Follow::local_only, Follow::local_only); }),
            "CosTrading::Link::UnknownLinkName{name=\"c\"}");
  EXPECT_EQ(a.link->list_links(), CosTrading::LinkNameSeq{"b"});
  const auto info = a.link->describe_link("b");
  EXPECT_TRUE(info.target()->_is_equivalent(b.lookup));
  EXPECT_TRUE(info.target_reg()->_is_equivalent(b.registry));
  EXPECT_EQ(info.def_pass_on_follow_rule(), Follow::if_no_local);
  a.link->remove_link("b");
  EXPECT_EQ(thrown([&](Link& all) { all.remove_link("b"); }),
            "CosTrading::Link::UnknownLinkName{name=\"b\"}");
}

TEST_F(Traders, RegistersAreResolvedBehindLinks) {
  chain();
  EXPECT_TRUE(a.registry->resolve({"b"})->_is_equivalent(b.registry));
  EXPECT_TRUE(a.registry->resolve({"b", "c"})->_is_equivalent(c.registry));
  const auto thrown = [&](const CosTrading::TraderName& name) {
    return exception_of([&] { a.registry->resolve(name); }).substr(0, 39);
  };
  EXPECT_EQ(thrown({}), "CosTrading::Register::IllegalTraderName");
  EXPECT_EQ(thrown({"x"}), "CosTrading::Register::UnknownTraderName");
  EXPECT_EQ(thrown({"b", "x"}), "CosTrading::Register::UnknownTraderName");
}

TEST_F(Traders, ProxiesStandForQueries) {
  const auto id = a.proxy->export_proxy(
      b.lookup, "Printer", {property("id", std::string("p")), property("pages", std::int32_t{2})}, false,
      "$* and pages <= $(pages)", {});
  EXPECT_EQ(a.found({}), "a b");
  EXPECT_EQ(a.found({.constraint = "pages == 2"}), "b");
  EXPECT_EQ(a.found({.constraint = "pages == 1"}), "a") << "the proxy itself does not match";
  EXPECT_EQ(a.found({.policies = {policy("use_proxy_offers", false)}}), "a");
  const auto info = a.proxy->describe_proxy(id);
  EXPECT_TRUE(info.target()->_is_equivalent(b.lookup));
  EXPECT_EQ(info.recipe(), "$* and pages <= $(pages)");
  EXPECT_EQ(exception_of([&] { a.registry->describe(id); }),
            "CosTrading::Register::ProxyOfferId{id=\"" + id + "\"}");
  EXPECT_EQ(exception_of([&] { a.registry->withdraw(id); }),
            "CosTrading::Register::ProxyOfferId{id=\"" + id + "\"}");
  const auto plain = a.add("x", 9);
  EXPECT_EQ(exception_of([&] { a.proxy->withdraw_proxy(plain); }),
            "CosTrading::Proxy::NotProxyOfferId{id=\"" + plain + "\"}");
  a.proxy->withdraw_proxy(id);
  EXPECT_EQ(a.found({}), "a x");
}

TEST_F(Traders, TwoProxiesMayLeadToOneTrader) {
  b.add("x", 5);
  const auto add = [&](const std::string& recipe, const CosTrading::PolicySeq& policies = {}) {
    a.proxy->export_proxy(b.lookup, "Printer",
                          {property("id", std::string("p")), property("pages", std::int32_t{1})}, true,
                          recipe, policies);
  };
  add("($*) and pages == 2");
  add("($*) and pages == 5");
  EXPECT_EQ(a.found({}), "a b x");
  EXPECT_EQ(b.state().loops(), 0u);
  a.link_to("b", b);
  EXPECT_EQ(a.found({.constraint = "pages == 9 or id == 'x'"}), "x x")
      << "the link asks for more than the proxies";
  add("$*");
  EXPECT_EQ(a.found({.constraint = "id == 'x'"}), "x x") << "the last proxy asks as the link does";
}

// b is asked by c and by a for the same offers.
TEST_F(Traders, TwoWaysOfOneQuestionFindEachOfferOnce) {
  const CosTrading::PropertySeq properties{property("id", std::string("p")),
                                           property("pages", std::int32_t{1})};
  a.proxy->export_proxy(c.lookup, "Printer", properties, true, "pages > 0", {});
  a.proxy->export_proxy(b.lookup, "Printer", properties, true, "pages > 0", {});
  c.link_to("b", b);
  EXPECT_EQ(a.found({}), "a c b");
}

TEST_F(Traders, ProxiesThatMatchAllAndLeadBackAreNoLoop) {
  const CosTrading::PropertySeq properties{property("id", std::string("p")),
                                           property("pages", std::int32_t{1})};
  a.proxy->export_proxy(b.lookup, "Printer", properties, true, "TRUE", {});
  b.proxy->export_proxy(a.lookup, "Printer", properties, true, "TRUE", {});
  EXPECT_EQ(a.found({.constraint = "id == 'a'"}), "a b") << "the recipe does not have the constraint";
  EXPECT_EQ(a.state().loops(), 1u);
}

TEST_F(Traders, ProxiesAreRefusedByName) {
  const CosTrading::PropertySeq properties{property("id", std::string("p")),
                                           property("pages", std::int32_t{1})};
  const auto thrown = [&](const std::string& recipe, const CosTrading::PolicySeq& policies = {}) {
    return exception_of(
        [&] { a.proxy->export_proxy(b.lookup, "Printer", properties, true, recipe, policies); });
  };
  for (const char* recipe : {"$", "$x", "$(pages", "$(nothing)", "\\\\\\"})
    EXPECT_EQ(thrown(recipe).substr(0, 32), "CosTrading::Proxy::IllegalRecipe") << recipe;
  EXPECT_EQ(thrown("$*", {policy("a", true), policy("a", true)}),
            "CosTrading::DuplicatePolicyName{name=\"a\"}");
  EXPECT_EQ(exception_of([&] {
              a.proxy->export_proxy(nullptr, "Printer", properties, true, "", {});
            }).substr(0, 28),
            "CosTrading::InvalidLookupRef");
  EXPECT_EQ(exception_of([&] { a.proxy->export_proxy(b.lookup, "Printer", {}, true, "", {}); }).substr(0, 36),
            "CosTrading::MissingMandatoryProperty");
}

TEST_F(Traders, AdministratorsSetWhatQueriesMayDo) {
  Admin& admin = *a.admin;
  EXPECT_EQ(admin.set_max_match_card(7), 100'000u);
  EXPECT_EQ(admin.max_match_card(), 7u);
  EXPECT_EQ(a.lookup->max_match_card(), 7u);
  EXPECT_EQ(admin.set_max_match_card(8), 7u);
  EXPECT_TRUE(admin.set_supports_modifiable_properties(false));
  EXPECT_FALSE(a.registry->supports_modifiable_properties());
  EXPECT_EQ(exception_of([&] { a.registry->modify("offer-1", {}, {}); }), "CosTrading::NotImplemented{}");
  EXPECT_EQ(exception_of([&] { admin.set_max_list(4'000'000'000); }), "BAD_PARAM");
  const auto stem = admin.request_id_stem();
  EXPECT_EQ(stem.size(), 16u);
  EXPECT_EQ(admin.set_request_id_stem({1, 2}), stem);
  EXPECT_EQ(admin.request_id_stem(), (Admin::OctetSeq{1, 2}));
  EXPECT_EQ(exception_of([&] { admin.set_request_id_stem({}); }), "BAD_PARAM");
}

TEST_F(Traders, OffersAndProxiesAreListed) {
  std::vector<std::string> expected{"offer-1"};
  for (int i = 0; i < 4; ++i) expected.push_back(a.add("x", i));
  const auto proxy_id = a.proxy->export_proxy(
      b.lookup, "Printer", {property("id", std::string("p")), property("pages", std::int32_t{1})}, true, "$*",
      {});
  CosTrading::OfferIdSeq ids, more;
  CORBA::object_reference<CosTrading::OfferIdIterator> rest;
  a.admin->list_offers(2, ids, rest);
  ASSERT_TRUE(rest);
  EXPECT_EQ(rest->max_left(), 3u);
  EXPECT_TRUE(rest->next_n(2, more));
  ids.insert(ids.end(), more.begin(), more.end());
  more.clear();
  EXPECT_FALSE(rest->next_n(9, more));
  ids.insert(ids.end(), more.begin(), more.end());
  EXPECT_EQ(ids, expected);
  rest->destroy();
  ids.clear();
  a.admin->list_proxies(9, ids, rest);
  EXPECT_EQ(ids, CosTrading::OfferIdSeq{proxy_id});
  EXPECT_FALSE(rest);
}

TEST(StoredTraders, KeepLinksProxiesAndSettings) {
  const Folder folder;
  const std::string store = folder / "trading.db";
  Trader b("b");
  {
    Trader a("a", {.store = store});
    a.link_to("b", b, Follow::local_only, Follow::if_no_local);
    a.proxy->export_proxy(b.lookup, "Printer",
                          {property("id", std::string("p")), property("pages", std::int32_t{1})}, true, "$*",
                          {policy("match_card", std::uint32_t{5})});
    a.admin->set_max_list(5);
    a.admin->set_request_id_stem({9});
    EXPECT_EQ(a.found({}), "a b");
  }
  Trader a("a", {.store = store});
  EXPECT_EQ(a.link->describe_link("b").limiting_follow_rule(), Follow::if_no_local);
  EXPECT_EQ(a.found({}), "a b");
  EXPECT_EQ(a.lookup->max_list(), 5u);
  EXPECT_EQ(a.admin->request_id_stem(), Admin::OctetSeq{9});
  EXPECT_EQ(a.proxy->describe_proxy("offer-2").policies_to_pass_on().size(), 1u);
}

}  // namespace
}  // namespace feature
