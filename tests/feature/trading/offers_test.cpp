// Exports over the wire, by the rules of the standard.
#include <gtest/gtest.h>

#include <sqlite3.h>

#include <filesystem>

#include "../folder.h"
#include "served.h"

namespace feature {
namespace {

using CosTrading::Register;

struct Offers : testing::Test {
  Offers() { server.add_printer(); }
  Register& registry() { return *server.registry; }
  std::string thrown(const std::function<void(Register&)>& call) {
    return exception_of([&] { call(registry()); });
  }
  std::string export_thrown(const CosTrading::PropertySeq& properties, const std::string& type = "Printer") {
    return thrown([&](Register& all) { all._cxx_export(server.object("x"), type, properties); });
  }
  TradingServer server;
  const CosTrading::Property id = property("id", std::string("a")),
                             pages = property("pages", std::int32_t{3});
};

TEST_F(Offers, AreDescribedAsExported) {
  const auto offer = registry()._cxx_export(server.object("x"), "Printer",
                                            {id, pages, property("extra", std::string("not in the type"))});
  const auto info = registry().describe(offer);
  EXPECT_TRUE(info.reference()->_is_equivalent(server.object("x")));
  EXPECT_EQ(info.type(), "Printer");
  ASSERT_EQ(info.properties().size(), 3u);
  EXPECT_EQ(info.properties()[2].name(), "extra");
  EXPECT_EQ(info.properties()[1].value(), pages.value());
  registry().withdraw(offer);
  EXPECT_EQ(thrown([&](Register& all) { all.describe(offer); }),
            "CosTrading::UnknownOfferId{id=\"" + offer + "\"}");
  EXPECT_EQ(thrown([&](Register& all) { all.withdraw(offer); }),
            "CosTrading::UnknownOfferId{id=\"" + offer + "\"}");
}

TEST_F(Offers, AreRefusedByName) {
  EXPECT_EQ(export_thrown({id, pages}, "<>"), "CosTrading::IllegalServiceType{type=\"<>\"}");
  EXPECT_EQ(export_thrown({id, pages}, "Plotter"), "CosTrading::UnknownServiceType{type=\"Plotter\"}");
  EXPECT_EQ(export_thrown({id}), "CosTrading::MissingMandatoryProperty{type=\"Printer\",name=\"pages\"}");
  EXPECT_EQ(export_thrown({id, pages, property("<foo-bar", true)}),
            "CosTrading::IllegalPropertyName{name=\"<foo-bar\"}");
  EXPECT_EQ(export_thrown({id, pages, id}), "CosTrading::DuplicatePropertyName{name=\"id\"}");
  EXPECT_EQ(export_thrown({id, property("pages", 3.0)}).substr(0, 47),
            "CosTrading::PropertyTypeMismatch{type=\"Printer\"");
  EXPECT_EQ(thrown([&](Register& all) { all._cxx_export(nullptr, "Printer", {id, pages}); }).substr(0, 38),
            "CosTrading::Register::InvalidObjectRef");
  for (const char* bad : {"", "7", "offer-x", "offer-0"})
    EXPECT_EQ(thrown([&](Register& all) { all.withdraw(bad); }),
              std::string("CosTrading::IllegalOfferId{id=\"") + bad + "\"}");
  EXPECT_EQ(thrown([](Register& all) { all.describe("offer-99"); }),
            "CosTrading::UnknownOfferId{id=\"offer-99\"}");
  EXPECT_EQ(server.service->offers(), 0u);
}

TEST_F(Offers, HaveTheInterfaceOfTheirType) {
  server.types->add_type("Lookup", "IDL:omg.org/CosTrading/Lookup:1.0", {}, {});
  server.types->add_type("Components", "IDL:omg.org/CosTrading/TraderComponents:1.0", {}, {});
  registry()._cxx_export(server.lookup, "Lookup", {});
  registry()._cxx_export(server.lookup, "Components", {});  // the object is asked
  EXPECT_EQ(thrown([&](Register& all) { all._cxx_export(server.registry, "Lookup", {}); }).substr(0, 43),
            "CosTrading::Register::InterfaceTypeMismatch");
  EXPECT_EQ(thrown([&](Register& all) { all._cxx_export(server.object("x"), "Lookup", {}); }).substr(0, 38),
            "CosTrading::Register::InvalidObjectRef")
      << "an object that cannot be asked";
}

TEST_F(Offers, AreModifiedAsAWhole) {
  const auto offer = server.add("a", 3, {property("extra", true)});
  registry().modify(offer, {"extra"},
                    {property("pages", std::int32_t{4}), property("floor", std::int32_t{2})});
  EXPECT_EQ(found(*server.lookup, {.constraint = "pages == 4 and floor == 2 and not exist extra"}), "a");
  const auto modified = [&](const CosTrading::PropertyNameSeq& deleted,
                            const CosTrading::PropertySeq& changed) {
    return thrown([&](Register& all) { all.modify(offer, deleted, changed); });
  };
  EXPECT_EQ(modified({"extra"}, {property("pages", std::int32_t{5})}),
            "CosTrading::Register::UnknownPropertyName{name=\"extra\"}");
  EXPECT_EQ(modified({"pages"}, {}),
            "CosTrading::Register::MandatoryProperty{type=\"Printer\",name=\"pages\"}");
  EXPECT_EQ(modified({}, {property("pages", std::int32_t{5}), property("floor", std::int32_t{3})}),
            "CosTrading::Register::ReadonlyProperty{type=\"Printer\",name=\"floor\"}");
  EXPECT_EQ(modified({"floor"}, {}),
            "CosTrading::Register::ReadonlyProperty{type=\"Printer\",name=\"floor\"}");
  EXPECT_EQ(modified({"floor"}, {property("floor", std::int32_t{3})}),
            "CosTrading::DuplicatePropertyName{name=\"floor\"}");
  EXPECT_EQ(modified({"f-r"}, {}), "CosTrading::IllegalPropertyName{name=\"f-r\"}");
  EXPECT_EQ(modified({}, {property("pages", std::string("5"))}).substr(0, 32),
            "CosTrading::PropertyTypeMismatch");
  EXPECT_EQ(found(*server.lookup, {.constraint = "pages == 4 and floor == 2"}), "a") << "all or nothing";
}

TEST_F(Offers, AreWithdrawnByAConstraint) {
  server.types->add_type("Laser", any_object, {}, {"Printer"});
  server.add("a", 1);
  server.add("b", 20);
  server.add("c", 30, {}, "Laser");
  registry().withdraw_using_constraint("Printer", "pages >= 20");
  EXPECT_EQ(found(*server.lookup, {}), "a");
  EXPECT_EQ(thrown([](Register& all) { all.withdraw_using_constraint("Printer", "pages >= 20"); }),
            "CosTrading::Register::NoMatchingOffers{constr=\"pages >= 20\"}");
  EXPECT_EQ(thrown([](Register& all) { all.withdraw_using_constraint("Printer", "pages >="); }),
            "CosTrading::IllegalConstraint{constr=\"pages >=\"}");
  EXPECT_EQ(thrown([](Register& all) { all.withdraw_using_constraint("Plotter", ""); }),
            "CosTrading::UnknownServiceType{type=\"Plotter\"}");
}

TEST_F(Offers, AreBounded) {
  CosTrading::PropertySeq many{id, pages};
  for (int i = 0; i < 63; ++i) many.push_back(property("p" + std::to_string(i), true));
  EXPECT_EQ(export_thrown(many), "IMP_LIMIT");
  EXPECT_EQ(export_thrown({id, pages, property("big", std::string(70'000, 'x'))}), "IMP_LIMIT");
  EXPECT_EQ(server.service->offers(), 0u);
}

TEST(OffersOfOneHost, AreBounded) {
  takt::trading::Limits limits;
  limits.offers_per_host = 2;
  limits.offers = 3;
  TradingServer server({.limits = limits});
  server.types->add_type("A", any_object, {}, {});
  const auto add = [&](const char* host) {
    return exception_of([&] { server.registry->_cxx_export(server.object("x", host), "A", {}); });
  };
  EXPECT_EQ(add("1.1.1.1"), "nothing");
  EXPECT_EQ(add("1.1.1.1"), "nothing");
  EXPECT_EQ(add("1.1.1.1"), "IMP_LIMIT");
  EXPECT_EQ(add("2.2.2.2"), "nothing");
  EXPECT_EQ(add("2.2.2.2"), "IMP_LIMIT") << "in all";
}

TEST(OctetsOfOffers, AreBoundedTogether) {
  const Folder folder;
  takt::trading::Limits limits;
  limits.host_bytes = 100'000;
  const std::string large(40'000, 'x'), small("x");
  const auto options = [&] {
    return takt::trading::TradingService::Options{.store = folder / "trading.db", .limits = limits};
  };
  std::string first;
  {
    TradingServer server(options());
    server.add_printer();
    first = server.add("a", 1, {property("text", large)});
    server.add("b", 2, {property("text", large)});
    EXPECT_EQ(exception_of([&] { server.add("c", 3, {property("text", large)}); }), "IMP_LIMIT");
  }
  TradingServer server(options());
  const auto grow = [&](const std::string& id, const std::string& text) {
    return exception_of([&] { server.registry->modify(id, {}, {property("text", text)}); });
  };
  EXPECT_EQ(exception_of([&] { server.add("c", 3, {property("text", large)}); }), "IMP_LIMIT")
      << "those that are stored count";
  const std::string third = server.add("c", 3, {property("text", small)});
  EXPECT_EQ(grow(third, large), "IMP_LIMIT");
  EXPECT_EQ(grow(first, small), "nothing");
  EXPECT_EQ(grow(third, large), "nothing");
  EXPECT_EQ(grow(first, large), "IMP_LIMIT");
  server.registry->withdraw(third);
  EXPECT_EQ(grow(first, large), "nothing");
}

TEST(StoredOffers, AreThereAfterARestart) {
  const Folder folder;
  const std::string store = folder / "trading.db";
  std::string kept, gone;
  {
    TradingServer server({.store = store});
    server.add_printer();
    server.types->add_type("Laser", any_object, {property_type<bool>("colour", Mode::PROP_READONLY)},
                           {"Printer"});
    server.types->add_type("Old", any_object, {}, {});
    server.types->mask_type("Old");
    kept = server.add("a", 3);
    gone = server.add("b", 4);
    server.add("c", 5, {property("colour", true)}, "Laser");
    server.registry->modify(kept, {}, {property("pages", std::int32_t{7})});
    server.registry->withdraw(gone);
  }
  TradingServer server({.store = store});
  EXPECT_EQ(found(*server.lookup, {.preference = "max pages"}), "a c");
  const auto info = server.registry->describe(kept);
  EXPECT_TRUE(info.reference()->_is_equivalent(server.object("a")));
  EXPECT_EQ(exception_of([&] { server.registry->describe(gone); }).substr(0, 26),
            "CosTrading::UnknownOfferId");
  EXPECT_NE(server.add("d", 1), gone);
  EXPECT_TRUE(server.types->describe_type("Old").masked());
  EXPECT_EQ(server.types->fully_describe_type("Laser").props().size(), 4u);
  EXPECT_EQ(server.types->incarnation().low(), 3u);
}

// The disk fails with the last of three transactions.
TEST(StoredOffers, AreWithdrawnSomeAtATime) {
  const Folder folder;
  const std::string store = folder / "trading.db";
  takt::trading::Limits limits;
  limits.withdrawn_at_once = 2;
  {
    const TradingServer creates({.store = store});
  }
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(store.c_str(), &database), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(database,
                         "CREATE TRIGGER broken BEFORE DELETE ON offer WHEN old.number = 5 "
                         "BEGIN SELECT RAISE(FAIL, 'the disk is broken'); END",
                         nullptr, nullptr, nullptr),
            SQLITE_OK)
      << sqlite3_errmsg(database);
  sqlite3_close(database);
  TradingServer server({.store = store, .limits = limits});
  server.add_printer();
  for (std::int32_t i = 1; i <= 5; ++i) server.add(std::to_string(i), i);
  try {
    server.registry->withdraw_using_constraint("Printer", "pages > 0");
    ADD_FAILURE() << "it does not fail";
  } catch (const CORBA::PERSIST_STORE& failure) {
    EXPECT_EQ(failure.completed(), CORBA::COMPLETED_MAYBE);
  }
  EXPECT_EQ(found(*server.lookup, {}), "5");
}

}  // namespace
}  // namespace feature
