// The exceptions of each operation of a trader (OMG Trading Object Service 1.0), and its attributes, row by
// row.
#include <gtest/gtest.h>

#include "../rows.h"
#include "CosTradingDynamicS.h"
#include "served.h"

namespace feature {
namespace {

using CosTrading::Admin;
using CosTrading::Lookup;
using CosTrading::Register;

// Answers for dynamic properties.
class Seven final : public virtual CORBA::servant_traits<CosTradingDynamic::DynamicPropEval>::base_type {
 public:
  CORBA::Any evalDP(const std::string&, CORBA::typecode_reference, const CORBA::Any&) override {
    return any_of(std::int32_t{7});
  }
};

struct TradingCalls : testing::Test {
  TradingCalls() {
    server.add_printer();
    server.types->add_type("Lookup", "IDL:omg.org/CosTrading/Lookup:1.0", {}, {});
    offer = server.add("a", 1, {property("floor", std::int32_t{1}), property("extra", true)});
  }
  CosTrading::PropertySeq with(CosTrading::PropertySeq more) const {
    more.push_back(id);
    more.push_back(pages);
    return more;
  }
  std::function<void()> exports(CosTrading::PropertySeq properties, const std::string& type = "Printer") {
    return [=, this] { server.registry->_cxx_export(server.object("x"), type, properties); };
  }
  std::function<void()> modifies(CosTrading::PropertyNameSeq deleted, CosTrading::PropertySeq changed) {
    return [=, this] { server.registry->modify(offer, deleted, changed); };
  }

  TradingServer server;
  std::string offer;
  const CosTrading::Property id = property("id", std::string("x")),
                             pages = property("pages", std::int32_t{1});
};

TEST_F(TradingCalls, Register) {
  const OrbPair exporter;
  const auto seven = exporter.publish<CosTradingDynamic::DynamicPropEval>(CORBA::make_reference<Seven>());
  const auto dynamic = [&](const std::string& name, const CORBA::typecode_reference& type) {
    return property(name, CosTradingDynamic::DynamicProp(seven, type, {}));
  };
  const auto proxy =
      server.lookup->proxy_if()->export_proxy(server.lookup, "Printer", with({}), true, "$*", {});
  Register& all = *server.registry;
  const auto in_long = IDL::type_code<std::int32_t>();
  const CallRow rows[] = {
      {"export", exports({id, pages}), "nothing"},
      {"export: extra properties allowed", exports(with({property("more", std::string("x"))})), "nothing"},
      {"export: InvalidObjectRef", [&] { all._cxx_export(nullptr, "Printer", {id, pages}); },
       "CosTrading::Register::InvalidObjectRef"},
      {"export: IllegalServiceType", exports({id, pages}, "1x"), "CosTrading::IllegalServiceType"},
      {"export: UnknownServiceType", exports({id, pages}, "Plotter"), "CosTrading::UnknownServiceType"},
      {"export: InterfaceTypeMismatch", [&] { all._cxx_export(server.registry, "Lookup", {}); },
       "CosTrading::Register::InterfaceTypeMismatch"},
      {"export: is_a interface", [&] { all._cxx_export(server.lookup, "Lookup", {}); }, "nothing"},
      {"export: IllegalPropertyName", exports(with({property("a b", true)})),
       "CosTrading::IllegalPropertyName"},
      {"export: PropertyTypeMismatch", exports({id, property("pages", 1.0)}),
       "CosTrading::PropertyTypeMismatch"},
      {"export: MissingMandatoryProperty", exports({id}), "CosTrading::MissingMandatoryProperty"},
      {"export: DuplicatePropertyName", exports(with({pages})), "CosTrading::DuplicatePropertyName"},
      {"export: dynamic", exports({id, dynamic("pages", in_long)}), "nothing"},
      {"export: ReadonlyDynamicProperty", exports(with({dynamic("floor", in_long)})),
       "CosTrading::ReadonlyDynamicProperty"},
      {"export: returned_type", exports({id, dynamic("pages", IDL::type_code<double>())}),
       "CosTrading::PropertyTypeMismatch"},
      {"describe", [&] { all.describe(offer); }, "nothing"},
      {"describe: IllegalOfferId", [&] { all.describe("?"); }, "CosTrading::IllegalOfferId"},
      {"describe: UnknownOfferId", [&] { all.describe("offer-999"); }, "CosTrading::UnknownOfferId"},
      {"describe: ProxyOfferId", [&] { all.describe(proxy); }, "CosTrading::Register::ProxyOfferId"},
      {"modify", modifies({"extra"}, {property("pages", std::int32_t{2})}), "nothing"},
      {"modify: nothing", modifies({}, {}), "nothing"},
      {"modify: adds", modifies({}, {property("more", true)}), "nothing"},
      {"modify: dynamic", modifies({}, {dynamic("more", in_long)}), "nothing"},
      {"modify: IllegalOfferId", [&] { all.modify("?", {}, {}); }, "CosTrading::IllegalOfferId"},
      {"modify: UnknownOfferId", [&] { all.modify("offer-999", {}, {}); }, "CosTrading::UnknownOfferId"},
      {"modify: ProxyOfferId", [&] { all.modify(proxy, {}, {}); }, "CosTrading::Register::ProxyOfferId"},
      {"modify: IllegalPropertyName", modifies({"a b"}, {}), "CosTrading::IllegalPropertyName"},
      {"modify: IllegalPropertyName", modifies({}, {property("a b", true)}),
       "CosTrading::IllegalPropertyName"},
      {"modify: UnknownPropertyName", modifies({"nothing"}, {}), "CosTrading::Register::UnknownPropertyName"},
      {"modify: PropertyTypeMismatch", modifies({}, {property("pages", true)}),
       "CosTrading::PropertyTypeMismatch"},
      {"modify: ReadonlyDynamicProperty", modifies({}, {dynamic("floor", in_long)}),
       "CosTrading::ReadonlyDynamicProperty"},
      {"modify: MandatoryProperty", modifies({"pages"}, {}), "CosTrading::Register::MandatoryProperty"},
      {"modify: ReadonlyProperty", modifies({}, {property("floor", std::int32_t{2})}),
       "CosTrading::Register::ReadonlyProperty"},
      {"modify: ReadonlyProperty", modifies({"floor"}, {}), "CosTrading::Register::ReadonlyProperty"},
      {"modify: DuplicatePropertyName", modifies({"more", "more"}, {}), "CosTrading::DuplicatePropertyName"},
      {"modify: DuplicatePropertyName", modifies({}, {pages, pages}), "CosTrading::DuplicatePropertyName"},
      {"withdraw: IllegalOfferId", [&] { all.withdraw(""); }, "CosTrading::IllegalOfferId"},
      {"withdraw: UnknownOfferId", [&] { all.withdraw("offer-999"); }, "CosTrading::UnknownOfferId"},
      {"withdraw: ProxyOfferId", [&] { all.withdraw(proxy); }, "CosTrading::Register::ProxyOfferId"},
      {"withdraw", [&] { all.withdraw(offer); }, "nothing"},
      {"withdraw: twice", [&] { all.withdraw(offer); }, "CosTrading::UnknownOfferId"},
      {"withdraw_using_constraint: IllegalServiceType", [&] { all.withdraw_using_constraint("?", ""); },
       "CosTrading::IllegalServiceType"},
      {"withdraw_using_constraint: UnknownServiceType", [&] { all.withdraw_using_constraint("Plotter", ""); },
       "CosTrading::UnknownServiceType"},
      {"withdraw_using_constraint: IllegalConstraint", [&] { all.withdraw_using_constraint("Printer", "("); },
       "CosTrading::IllegalConstraint"},
      {"withdraw_using_constraint: NoMatchingOffers",
       [&] { all.withdraw_using_constraint("Printer", "pages == 999"); },
       "CosTrading::Register::NoMatchingOffers"},
      {"withdraw_using_constraint", [&] { all.withdraw_using_constraint("Printer", "pages == 7"); },
       "nothing"},
      {"resolve: IllegalTraderName", [&] { all.resolve({}); }, "CosTrading::Register::IllegalTraderName"},
      {"resolve: IllegalTraderName", [&] { all.resolve({""}); }, "CosTrading::Register::IllegalTraderName"},
      {"resolve: UnknownTraderName", [&] { all.resolve({"x"}); }, "CosTrading::Register::UnknownTraderName"},
  };
  expect_rows(rows, exception_of);
}

TEST_F(TradingCalls, TypesOfServices) {
  Types& all = *server.types;
  const auto p = property_type<std::int32_t>("p");
  const std::string module = "CosTradingRepos::ServiceTypeRepository::";
  const std::string exists = module + "ServiceTypeExists", redefined = module + "ValueTypeRedefinition",
                    twice = module + "DuplicateServiceTypeName", below = module + "HasSubTypes",
                    masked = module + "AlreadyMasked", shown = module + "NotMasked",
                    interface = module + "InterfaceTypeMismatch";
  const auto add = [&](const char* name, Types::PropStructSeq properties, Types::ServiceTypeNameSeq bases,
                       const char* type = any_object) {
    return [=, &all] { all.add_type(name, type, properties, bases); };
  };
  const CallRow rows[] = {
      {"add_type", add("Base", {property_type<std::int32_t>("p", Mode::PROP_MANDATORY)}, {}), "nothing"},
      {"add_type: IllegalServiceType", add("1x", {}, {}), "CosTrading::IllegalServiceType"},
      {"add_type: ServiceTypeExists", add("Base", {}, {}), exists},
      {"add_type: IllegalPropertyName", add("X", {property_type<bool>("a b")}, {}),
       "CosTrading::IllegalPropertyName"},
      {"add_type: DuplicatePropertyName", add("X", {p, p}, {}), "CosTrading::DuplicatePropertyName"},
      {"add_type: UnknownServiceType", add("X", {}, {"nothing"}), "CosTrading::UnknownServiceType"},
      {"add_type: DuplicateServiceTypeName", add("X", {}, {"Base", "Base"}), twice},
      {"add_type: InterfaceTypeMismatch", add("X", {}, {"Lookup"}), interface},
      {"add_type: redefinition with another type",
       add("X", {property_type<bool>("p", Mode::PROP_MANDATORY)}, {"Base"}), redefined},
      {"add_type: redefinition weakens", add("X", {p}, {"Base"}), redefined},
      {"add_type: redefinition strengthens",
       add("Derived", {property_type<std::int32_t>("p", Mode::PROP_MANDATORY_READONLY)}, {"Base"}),
       "nothing"},
      {"describe_type: IllegalServiceType", [&] { all.describe_type(""); }, "CosTrading::IllegalServiceType"},
      {"describe_type: UnknownServiceType", [&] { all.describe_type("X"); },
       "CosTrading::UnknownServiceType"},
      {"fully_describe_type: IllegalServiceType", [&] { all.fully_describe_type("?"); },
       "CosTrading::IllegalServiceType"},
      {"fully_describe_type: UnknownServiceType", [&] { all.fully_describe_type("X"); },
       "CosTrading::UnknownServiceType"},
      {"mask_type: IllegalServiceType", [&] { all.mask_type("?"); }, "CosTrading::IllegalServiceType"},
      {"mask_type: UnknownServiceType", [&] { all.mask_type("X"); }, "CosTrading::UnknownServiceType"},
      {"mask_type", [&] { all.mask_type("Printer"); }, "nothing"},
      {"mask_type: AlreadyMasked", [&] { all.mask_type("Printer"); }, masked},
      {"mask_type hides from export", exports({id, pages}), "CosTrading::UnknownServiceType"},
      {"unmask_type: IllegalServiceType", [&] { all.unmask_type("?"); }, "CosTrading::IllegalServiceType"},
      {"unmask_type: UnknownServiceType", [&] { all.unmask_type("X"); }, "CosTrading::UnknownServiceType"},
      {"unmask_type", [&] { all.unmask_type("Printer"); }, "nothing"},
      {"unmask_type: NotMasked", [&] { all.unmask_type("Printer"); }, shown},
      {"remove_type: IllegalServiceType", [&] { all.remove_type("?"); }, "CosTrading::IllegalServiceType"},
      {"remove_type: UnknownServiceType", [&] { all.remove_type("X"); }, "CosTrading::UnknownServiceType"},
      {"remove_type: HasSubTypes", [&] { all.remove_type("Base"); }, below},
      {"remove_type", [&] { all.remove_type("Derived"); }, "nothing"},
  };
  expect_rows(rows, exception_of);
}

TEST_F(TradingCalls, LinksAndProxies) {
  const auto links = server.lookup->link_if();
  const auto proxies = server.lookup->proxy_if();
  const auto admin = server.lookup->admin_if();
  const auto proxy = proxies->export_proxy(server.lookup, "Printer", with({}), true, "$*", {});
  const std::string link = "CosTrading::Link::", unknown = link + "UnknownLinkName",
                    bad = link + "IllegalLinkName", twice = link + "DuplicateLinkName",
                    pass_on = link + "DefaultFollowTooPermissive",
                    limit = link + "LimitingFollowTooPermissive";
  const auto add = [&](const char* name, Follow by, Follow most) {
    return [=, this] { links->add_link(name, server.lookup, by, most); };
  };
  const auto stand = [&](const char* type, CosTrading::PropertySeq properties, const char* recipe,
                         CosTrading::PolicySeq policies = {}) {
    return [=, this] { proxies->export_proxy(server.lookup, type, properties, false, recipe, policies); };
  };
  const CallRow rows[] = {
      {"add_link", add("x", Follow::local_only, Follow::always), "nothing"},
      {"add_link: IllegalLinkName", add("", Follow::always, Follow::always), bad},
      {"add_link: DuplicateLinkName", add("x", Follow::always, Follow::always), twice},
      {"add_link: InvalidLookupRef", [&] { links->add_link("y", nullptr, Follow::always, Follow::always); },
       "CosTrading::InvalidLookupRef"},
      {"add_link: DefaultFollowTooPermissive", add("y", Follow::always, Follow::if_no_local), pass_on},
      {"describe_link", [&] { links->describe_link("x"); }, "nothing"},
      {"describe_link: IllegalLinkName", [&] { links->describe_link(""); }, bad},
      {"describe_link: UnknownLinkName", [&] { links->describe_link("y"); }, unknown},
      {"modify_link", [&] { links->modify_link("x", Follow::always, Follow::always); }, "nothing"},
      {"modify_link: IllegalLinkName", [&] { links->modify_link("", Follow::always, Follow::always); }, bad},
      {"modify_link: UnknownLinkName", [&] { links->modify_link("y", Follow::always, Follow::always); },
       unknown},
      {"modify_link: DefaultFollowTooPermissive",
       [&] { links->modify_link("x", Follow::always, Follow::local_only); }, pass_on},
      {"set_max_link_follow_policy", [&] { admin->set_max_link_follow_policy(Follow::if_no_local); },
       "nothing"},
      {"add_link: LimitingFollowTooPermissive", add("y", Follow::local_only, Follow::always), limit},
      {"modify_link: LimitingFollowTooPermissive",
       [&] { links->modify_link("x", Follow::local_only, Follow::always); }, limit},
      {"remove_link: IllegalLinkName", [&] { links->remove_link(""); }, bad},
      {"remove_link: UnknownLinkName", [&] { links->remove_link("y"); }, unknown},
      {"remove_link", [&] { links->remove_link("x"); }, "nothing"},
      {"export_proxy: IllegalServiceType", stand("?", with({}), "$*"), "CosTrading::IllegalServiceType"},
      {"export_proxy: UnknownServiceType", stand("X", with({}), "$*"), "CosTrading::UnknownServiceType"},
      {"export_proxy: InvalidLookupRef",
       [&] { proxies->export_proxy(nullptr, "Printer", with({}), true, "$*", {}); },
       "CosTrading::InvalidLookupRef"},
      {"export_proxy: IllegalPropertyName", stand("Printer", with({property("a b", true)}), "$*"),
       "CosTrading::IllegalPropertyName"},
      {"export_proxy: PropertyTypeMismatch", stand("Printer", {id, property("pages", true)}, "$*"),
       "CosTrading::PropertyTypeMismatch"},
      {"export_proxy: MissingMandatoryProperty", stand("Printer", {id}, "$*"),
       "CosTrading::MissingMandatoryProperty"},
      {"export_proxy: DuplicatePropertyName", stand("Printer", with({id}), "$*"),
       "CosTrading::DuplicatePropertyName"},
      {"export_proxy: IllegalRecipe", stand("Printer", with({}), "$(nothing)"),
       "CosTrading::Proxy::IllegalRecipe"},
      {"export_proxy: DuplicatePolicyName",
       stand("Printer", with({}), "$*", {policy("hop_count", 1u), policy("hop_count", 1u)}),
       "CosTrading::DuplicatePolicyName"},
      {"describe_proxy", [&] { proxies->describe_proxy(proxy); }, "nothing"},
      {"describe_proxy: IllegalOfferId", [&] { proxies->describe_proxy("?"); }, "CosTrading::IllegalOfferId"},
      {"describe_proxy: UnknownOfferId", [&] { proxies->describe_proxy("offer-999"); },
       "CosTrading::UnknownOfferId"},
      {"describe_proxy: NotProxyOfferId", [&] { proxies->describe_proxy(offer); },
       "CosTrading::Proxy::NotProxyOfferId"},
      {"withdraw_proxy: IllegalOfferId", [&] { proxies->withdraw_proxy("?"); }, "CosTrading::IllegalOfferId"},
      {"withdraw_proxy: UnknownOfferId", [&] { proxies->withdraw_proxy("offer-999"); },
       "CosTrading::UnknownOfferId"},
      {"withdraw_proxy: NotProxyOfferId", [&] { proxies->withdraw_proxy(offer); },
       "CosTrading::Proxy::NotProxyOfferId"},
      {"withdraw_proxy", [&] { proxies->withdraw_proxy(proxy); }, "nothing"},
  };
  expect_rows(rows, exception_of);
}

// Sheet services 5: set_* of all attributes of imports, which return the previous value; the attributes of
// all interfaces.
TEST_F(TradingCalls, Attributes) {
  const auto admin = server.lookup->admin_if();
  Lookup& lookup = *server.lookup;
  struct NumberRow {
    const char* row;
    std::uint32_t (Admin::*set)(std::uint32_t);
    std::uint32_t (CosTrading::ImportAttributes::*get)();
  };
  const NumberRow numbers[] = {
      {"def_search_card", &Admin::set_def_search_card, &CosTrading::ImportAttributes::def_search_card},
      {"max_search_card", &Admin::set_max_search_card, &CosTrading::ImportAttributes::max_search_card},
      {"def_match_card", &Admin::set_def_match_card, &CosTrading::ImportAttributes::def_match_card},
      {"max_match_card", &Admin::set_max_match_card, &CosTrading::ImportAttributes::max_match_card},
      {"def_return_card", &Admin::set_def_return_card, &CosTrading::ImportAttributes::def_return_card},
      {"max_return_card", &Admin::set_max_return_card, &CosTrading::ImportAttributes::max_return_card},
      {"max_list", &Admin::set_max_list, &CosTrading::ImportAttributes::max_list},
      {"def_hop_count", &Admin::set_def_hop_count, &CosTrading::ImportAttributes::def_hop_count},
      {"max_hop_count", &Admin::set_max_hop_count, &CosTrading::ImportAttributes::max_hop_count},
  };
  for (const NumberRow& each : numbers) {
    const std::uint32_t before = (lookup.*each.get)();
    EXPECT_EQ(((*admin).*each.set)(3), before) << each.row;
    EXPECT_EQ((lookup.*each.get)(), 3u) << each.row;
    EXPECT_EQ(((*admin).*each.set)(before), 3u) << each.row;
  }
  const CallRow others[] = {
      {"set_def_follow_policy",
       [&] { EXPECT_EQ(admin->set_def_follow_policy(Follow::local_only), Follow::always); }, "nothing"},
      {"def_follow_policy", [&] { EXPECT_EQ(lookup.def_follow_policy(), Follow::local_only); }, "nothing"},
      {"set_max_follow_policy",
       [&] { EXPECT_EQ(admin->set_max_follow_policy(Follow::if_no_local), Follow::always); }, "nothing"},
      {"max_follow_policy", [&] { EXPECT_EQ(lookup.max_follow_policy(), Follow::if_no_local); }, "nothing"},
      {"set_max_link_follow_policy",
       [&] { EXPECT_EQ(admin->set_max_link_follow_policy(Follow::local_only), Follow::always); }, "nothing"},
      {"max_link_follow_policy",
       [&] { EXPECT_EQ(lookup.link_if()->max_link_follow_policy(), Follow::local_only); }, "nothing"},
      {"set_supports_modifiable_properties",
       [&] { EXPECT_TRUE(admin->set_supports_modifiable_properties(false)); }, "nothing"},
      {"modify: NotImplemented", modifies({}, {}), "CosTrading::NotImplemented"},
      {"set_supports_dynamic_properties", [&] { EXPECT_TRUE(admin->set_supports_dynamic_properties(false)); },
       "nothing"},
      {"set_supports_proxy_offers", [&] { EXPECT_TRUE(admin->set_supports_proxy_offers(false)); }, "nothing"},
      {"list_proxies: NotImplemented",
       [&] {
         CosTrading::OfferIdSeq ids;
         CORBA::object_reference<CosTrading::OfferIdIterator> rest;
         admin->list_proxies(1, ids, rest);
       },
       "CosTrading::NotImplemented"},
      {"set_type_repos: its own",
       [&] { EXPECT_TRUE(admin->set_type_repos(server.types)->_is_equivalent(server.types)); }, "nothing"},
      {"set_type_repos: none", [&] { admin->set_type_repos(nullptr); }, "BAD_PARAM"},
      {"set_type_repos: no repository", [&] { admin->set_type_repos(server.lookup); }, "BAD_PARAM"},
      {"set_type_repos: nobody there", [&] { admin->set_type_repos(server.object("x")); }, "TRANSIENT"},
      {"set_request_id_stem", [&] { admin->set_request_id_stem({1, 2}); }, "nothing"},
      {"request_id_stem", [&] { EXPECT_EQ(admin->request_id_stem(), (Admin::OctetSeq{1, 2})); }, "nothing"},
  };
  expect_rows(others, exception_of);
  const auto same = [&](auto& each, const char* of) {
    EXPECT_TRUE(each.lookup_if()->_is_equivalent(server.lookup)) << of;
    EXPECT_TRUE(each.register_if()->_is_equivalent(server.registry)) << of;
    EXPECT_TRUE(each.link_if()->_is_equivalent(lookup.link_if())) << of;
    EXPECT_TRUE(each.proxy_if()->_is_equivalent(lookup.proxy_if())) << of;
    EXPECT_TRUE(each.admin_if()->_is_equivalent(admin)) << of;
    EXPECT_TRUE(each.type_repos()->_is_equivalent(server.types)) << of;
    EXPECT_FALSE(each.supports_modifiable_properties()) << of;
    EXPECT_FALSE(each.supports_dynamic_properties()) << of;
    EXPECT_FALSE(each.supports_proxy_offers()) << of;
  };
  same(lookup, "Lookup");
  same(*server.registry, "Register");
  same(*lookup.link_if(), "Link");
  same(*lookup.proxy_if(), "Proxy");
  same(*admin, "Admin");
}

}  // namespace
}  // namespace feature
