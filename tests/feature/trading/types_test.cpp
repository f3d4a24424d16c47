// The repository of service types over the wire, by the rules of the standard.
#include <gtest/gtest.h>

#include "served.h"

namespace feature {
namespace {

struct ServiceTypes : testing::Test {
  Types& types() { return *server.types; }
  std::string thrown(const std::function<void(Types&)>& call) {
    return exception_of([&] { call(types()); });
  }
  TradingServer server;
};

TEST_F(ServiceTypes, AreDescribedAsAddedAndInFull) {
  types().add_type("Device", any_object, {property_type<std::string>("maker", Mode::PROP_READONLY)}, {});
  types().add_type("Printer", "IDL:Shop/Printer:1.0", {property_type<std::int32_t>("pages")}, {"Device"});
  const auto own = types().describe_type("Printer");
  EXPECT_EQ(own.if_name(), "IDL:Shop/Printer:1.0");
  ASSERT_EQ(own.props().size(), 1u);
  EXPECT_EQ(own.props()[0].name(), "pages");
  EXPECT_TRUE(own.props()[0].value_type()->equal(IDL::type_code<std::int32_t>()));
  EXPECT_FALSE(own.masked());
  const auto full = types().fully_describe_type("Printer");
  ASSERT_EQ(full.props().size(), 2u);
  EXPECT_EQ(full.props()[0].name(), "maker");
  EXPECT_EQ(full.props()[0].mode(), Mode::PROP_READONLY);
  EXPECT_EQ(full.super_types(), Types::ServiceTypeNameSeq{"Device"});
}

TEST_F(ServiceTypes, AreListedSinceAnIncarnation) {
  types().add_type("A", any_object, {}, {});
  const auto second = types().add_type("B", any_object, {}, {});
  types().add_type("C", any_object, {}, {});
  EXPECT_EQ(types().list_types({}), (Types::ServiceTypeNameSeq{"A", "B", "C"}));
  Types::SpecifiedServiceTypes since;
  since.incarnation(second);
  EXPECT_EQ(types().list_types(since), (Types::ServiceTypeNameSeq{"B", "C"}));
  EXPECT_EQ(types().incarnation().low(), second.low() + 1);
  types().remove_type("C");
  EXPECT_EQ(types().add_type("D", any_object, {}, {}).low(), second.low() + 2)
      << "no incarnation comes again";
}

TEST_F(ServiceTypes, AreRefusedByName) {
  types().add_type("A", any_object, {}, {});
  EXPECT_EQ(thrown([](Types& all) { all.add_type("<A>", any_object, {}, {}); }),
            "CosTrading::IllegalServiceType{type=\"<A>\"}");
  EXPECT_EQ(thrown([](Types& all) { all.add_type("A", any_object, {}, {}); }),
            "CosTradingRepos::ServiceTypeRepository::ServiceTypeExists{name=\"A\"}");
  EXPECT_EQ(thrown([](Types& all) { all.add_type("B", any_object, {}, {"nothing"}); }),
            "CosTrading::UnknownServiceType{type=\"nothing\"}");
  EXPECT_EQ(thrown([](Types& all) { all.add_type("B", any_object, {}, {"A", "A"}); }),
            "CosTradingRepos::ServiceTypeRepository::DuplicateServiceTypeName{name=\"A\"}");
  EXPECT_EQ(thrown([](Types& all) { all.describe_type("B"); }), "CosTrading::UnknownServiceType{type=\"B\"}");
  EXPECT_EQ(thrown([](Types& all) { all.fully_describe_type(""); }),
            "CosTrading::IllegalServiceType{type=\"\"}");
  EXPECT_EQ(thrown([](Types& all) { all.remove_type("B"); }), "CosTrading::UnknownServiceType{type=\"B\"}");
  EXPECT_EQ(types().list_types({}), Types::ServiceTypeNameSeq{"A"}) << "nothing was added";
}

TEST_F(ServiceTypes, PropertiesAreRefusedByName) {
  const auto p = property_type<std::int32_t>("p");
  EXPECT_EQ(thrown([](Types& all) { all.add_type("B", any_object, {property_type<bool>("<foo-bar")}, {}); }),
            "CosTrading::IllegalPropertyName{name=\"<foo-bar\"}");
  EXPECT_EQ(thrown([&](Types& all) { all.add_type("B", any_object, {p, p}, {}); }),
            "CosTrading::DuplicatePropertyName{name=\"p\"}");
  EXPECT_EQ(
      thrown([](Types& all) { all.add_type("B", any_object, {{"p", nullptr, Mode::PROP_NORMAL}}, {}); }),
      "BAD_TYPECODE");
}

TEST_F(ServiceTypes, RedefinitionsOnlyStrengthen) {
  types().add_type("Base", any_object, {property_type<std::int32_t>("p", Mode::PROP_MANDATORY)}, {});
  types().add_type("Other", any_object, {property_type<std::string>("p")}, {});
  const auto add = [&](const Types::PropStructSeq& own, const Types::ServiceTypeNameSeq& bases) {
    return thrown([&](Types& all) { all.add_type("Derived", any_object, own, bases); }).substr(0, 62);
  };
  const std::string refused = "CosTradingRepos::ServiceTypeRepository::ValueTypeRedefinition{";
  EXPECT_EQ(add({property_type<std::int32_t>("p", Mode::PROP_NORMAL)}, {"Base"}), refused);
  EXPECT_EQ(add({property_type<std::int32_t>("p", Mode::PROP_READONLY)}, {"Base"}), refused);
  EXPECT_EQ(add({property_type<double>("p", Mode::PROP_MANDATORY)}, {"Base"}), refused);
  EXPECT_EQ(add({}, {"Base", "Other"}), refused) << "the bases contradict each other";
  EXPECT_EQ(add({property_type<std::int32_t>("p", Mode::PROP_MANDATORY_READONLY)}, {"Base"}), "nothing");
}

TEST_F(ServiceTypes, KeepTheInterfaceOfTheirBases) {
  types().add_type("Base", "IDL:Shop/Printer:1.0", {}, {});
  EXPECT_EQ(thrown([](Types& all) { all.add_type("Derived", any_object, {}, {"Base"}); }).substr(0, 62),
            "CosTradingRepos::ServiceTypeRepository::InterfaceTypeMismatch{");
  types().add_type("Derived", "IDL:Shop/Laser:1.0", {}, {"Base"});
}

TEST_F(ServiceTypes, WithSubtypesOrOffersStay) {
  types().add_type("Base", any_object, {}, {});
  types().add_type("Derived", any_object, {}, {"Base"});
  EXPECT_EQ(thrown([](Types& all) { all.remove_type("Base"); }),
            "CosTradingRepos::ServiceTypeRepository::HasSubTypes{the_type=\"Base\",sub_type=\"Derived\"}");
  const auto id = server.registry->_cxx_export(server.object("x"), "Derived", {});
  EXPECT_EQ(thrown([](Types& all) { all.remove_type("Derived"); }), "BAD_INV_ORDER");
  server.registry->withdraw(id);
  types().remove_type("Derived");
  types().remove_type("Base");
  EXPECT_TRUE(types().list_types({}).empty());
}

TEST_F(ServiceTypes, MaskedOnesTakeNoOffers) {
  types().add_type("A", any_object, {}, {});
  server.registry->_cxx_export(server.object("x"), "A", {});
  types().mask_type("A");
  EXPECT_TRUE(types().describe_type("A").masked());
  EXPECT_EQ(thrown([](Types& all) { all.mask_type("A"); }),
            "CosTradingRepos::ServiceTypeRepository::AlreadyMasked{name=\"A\"}");
  EXPECT_EQ(exception_of([&] { server.registry->_cxx_export(server.object("y"), "A", {}); }),
            "CosTrading::UnknownServiceType{type=\"A\"}");
  EXPECT_EQ(ask(*server.lookup, {.type = "A"}).offers.size(), 1u) << "offers stay";
  types().add_type("B", any_object, {}, {"A"});
  server.registry->_cxx_export(server.object("y"), "B", {});
  types().unmask_type("A");
  EXPECT_EQ(thrown([](Types& all) { all.unmask_type("A"); }),
            "CosTradingRepos::ServiceTypeRepository::NotMasked{name=\"A\"}");
  server.registry->_cxx_export(server.object("y"), "A", {});
}

TEST_F(ServiceTypes, AreBounded) {
  Types::PropStructSeq many;
  for (int i = 0; i < 65; ++i) many.push_back(property_type<bool>("p" + std::to_string(i)));
  EXPECT_EQ(thrown([&](Types& all) { all.add_type("A", any_object, many, {}); }), "IMP_LIMIT");
  many.resize(40);
  types().add_type("A", any_object, many, {});
  for (auto& each : many) each.name("q" + each.name());
  EXPECT_EQ(thrown([&](Types& all) { all.add_type("B", any_object, many, {"A"}); }), "IMP_LIMIT")
      << "with those that it inherits";
  EXPECT_EQ(thrown([](Types& all) { all.add_type(std::string(300, 'a'), any_object, {}, {}); }).substr(0, 30),
            "CosTrading::IllegalServiceType");
}

}  // namespace
}  // namespace feature
