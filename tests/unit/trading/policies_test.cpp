// Policies of queries, names and ids.
#include "trading/query/policies.h"

#include <gtest/gtest.h>

#include "trading/model/names.h"

namespace takt::trading {
namespace {

using CosTrading::Lookup;

template <class T>
CosTrading::Policy policy(const std::string& name, const T& value) {
  CORBA::Any any;
  any <<= value;
  return {name, any};
}

const Settings& settings() {
  static const Settings made{Limits{}};
  return made;
}

TEST(Policies, HaveDefaults) {
  const auto policies = policies_of({}, settings());
  EXPECT_EQ(policies.search_card, settings()[Setting::def_search_card]);
  EXPECT_EQ(policies.return_card, settings()[Setting::def_return_card]);
  EXPECT_EQ(policies.hop_count, settings()[Setting::def_hop_count]);
  EXPECT_FALSE(policies.exact_type_match || policies.follow);
  EXPECT_TRUE(policies.use_dynamic && policies.use_modifiable && policies.use_proxies);
  EXPECT_TRUE(policies.limits_applied.empty());
}

TEST(Policies, TakeOnlyLimitsThatThereAreFromOtherTraders) {
  QueryPolicies policies;
  for (int i = 0; i < 1'000; ++i) policies.note_limit_of_other("limit" + std::to_string(i));
  for (const char* name : {"match_card", "link_follow_rule", "match_card"})
    policies.note_limit_of_other(name);
  EXPECT_EQ(policies.limits_applied, (CosTrading::PolicyNameSeq{"match_card", "link_follow_rule"}));
}

TEST(Policies, AreTakenAndCutToTheMaximum) {
  const auto policies =
      policies_of({policy("match_card", std::uint32_t{7}),
                   policy("return_card", std::uint32_t{4'000'000'000}), policy("exact_type_match", true),
                   policy("use_proxy_offers", false), policy("link_follow_rule", FollowOption::if_no_local),
                   policy("starting_trader", CosTrading::TraderName{"a", "b"}),
                   policy("request_id", CosTrading::Admin::OctetSeq{1, 0, 2})},
                  settings());
  EXPECT_EQ(policies.match_card, 7u);
  EXPECT_EQ(policies.return_card, settings()[Setting::max_return_card]);
  EXPECT_TRUE(policies.exact_type_match);
  EXPECT_FALSE(policies.use_proxies);
  EXPECT_EQ(policies.follow, FollowOption::if_no_local);
  EXPECT_EQ(policies.starting_trader.size(), 2u);
  EXPECT_EQ(policies.request_id, std::string("\1\0\2", 3));
  EXPECT_EQ(policies.limits_applied, CosTrading::PolicyNameSeq{"return_card"});
}

TEST(Policies, AreRefusedByName) {
  const auto take = [](const CosTrading::PolicySeq& given) { policies_of(given, settings()); };
  EXPECT_THROW(take({policy("nonsense", true)}), Lookup::IllegalPolicyName);
  EXPECT_THROW(take({policy("match_card", std::uint32_t{1}), policy("match_card", std::uint32_t{1})}),
               CosTrading::DuplicatePolicyName);
  EXPECT_THROW(take({policy("match_card", std::int32_t{1})}), Lookup::PolicyTypeMismatch);
  EXPECT_THROW(take({policy("exact_type_match", std::uint32_t{1})}), Lookup::PolicyTypeMismatch);
  EXPECT_THROW(take({policy("starting_trader", std::string("a"))}), Lookup::PolicyTypeMismatch);
  EXPECT_THROW(take({policy("request_id", CosTrading::Admin::OctetSeq())}), Lookup::InvalidPolicyValue);
  EXPECT_THROW(take({policy("request_id", CosTrading::Admin::OctetSeq(5'000))}), Lookup::InvalidPolicyValue);
  EXPECT_THROW(take({policy("starting_trader", CosTrading::TraderName(5'000))}), Lookup::InvalidPolicyValue);
}

TEST(Policies, FollowWhatTheAdministratorSets) {
  Settings mine{Limits{}};
  mine.set(Setting::max_match_card, 3);
  mine.set(Setting::supports_proxy_offers, 0);
  mine.set(Setting::supports_dynamic_properties, 0);
  mine.set(Setting::max_list, 4'000'000'000);
  const auto policies = policies_of({}, mine);
  EXPECT_EQ(policies.match_card, 3u);
  EXPECT_FALSE(policies.use_proxies || policies.use_dynamic);
  EXPECT_EQ(mine[Setting::max_list], mine.ceiling(Setting::max_list));
}

TEST(Names, OfTypesPropertiesAndLinks) {
  for (const char* name : {"Printer", "Shop::Printer", "IDL:Shop/Printer:1.0", "a-b_c.d"})
    EXPECT_TRUE(is_type_name(name, 256)) << name;
  for (const char* name : {"", "1a", "_a", "a b", "a\n", "a'", "<a", "\xc3\xa4"})
    EXPECT_FALSE(is_type_name(name, 256)) << name;
  EXPECT_FALSE(is_type_name(std::string(257, 'a'), 256));
  EXPECT_TRUE(is_property_name("foo_bar2", 256));
  for (const char* name : {"", "<foo-bar", "foo-bar", "foo.bar", "2a", "foo:bar"})
    EXPECT_FALSE(is_property_name(name, 256)) << name;
  EXPECT_TRUE(is_link_name("to the north", 256));
  EXPECT_FALSE(is_link_name("", 256) || is_link_name("a\x1b", 256) ||
               is_link_name(std::string(257, 'a'), 256));
}

TEST(Names, OfOffers) {
  EXPECT_EQ(number_of(id_of(1)), 1u);
  EXPECT_EQ(number_of(id_of(18446744073709551615u)), 18446744073709551615u);
  for (const char* id : {"", "offer-", "offer-0", "offer-01", "offer--1", "offer-1x", "Offer-1", "1",
                         "offer-18446744073709551616", "offer- 1"})
    EXPECT_FALSE(number_of(id)) << id;
}

}  // namespace
}  // namespace takt::trading
