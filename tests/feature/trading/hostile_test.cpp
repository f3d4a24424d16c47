// Clients of a trader that mean harm, or are careless.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "served.h"

namespace feature {
namespace {

struct HostileTrading : testing::Test {
  HostileTrading() {
    server.add_printer();
    server.add("a", 1);
    server.add("b", 2);
  }
  std::string found(const Asked& asked) { return feature::found(*server.lookup, asked); }
  std::string thrown(const Asked& asked) {
    return exception_of([&] { ask(*server.lookup, asked); });
  }
  TradingServer server;
};

TEST_F(HostileTrading, NumbersAtTheirEnds) {
  constexpr std::uint32_t most = 4'294'967'295;
  for (const char* name : {"search_card", "match_card", "return_card"}) {
    const auto none = ask(*server.lookup, {.policies = {policy(name, std::uint32_t{0})}});
    EXPECT_TRUE(none.offers.empty() && !none.rest) << name;
    EXPECT_EQ(none.limits, CosTrading::PolicyNameSeq{name});
    EXPECT_EQ(found({.policies = {policy(name, most)}}), "a b") << name;
  }
  auto answered = ask(*server.lookup, {.how_many = most});
  EXPECT_EQ(answered.offers.size(), 2u);
  answered = ask(*server.lookup, {.how_many = 0});
  CosTrading::OfferSeq offers;
  EXPECT_TRUE(answered.rest->next_n(0, offers));
  EXPECT_TRUE(offers.empty());
  EXPECT_FALSE(answered.rest->next_n(most, offers));
  EXPECT_EQ(offers.size(), 2u);
  EXPECT_FALSE(answered.rest->next_n(1, offers));
  EXPECT_EQ(thrown({.constraint = "pages == 99999999999999999999999999999999"}), "nothing");
  EXPECT_EQ(
      found({.constraint = "pages * 9999999999999999999 * 9999999999999999999 * 9999999999999999999 > 0"}),
      "a b");
}

TEST_F(HostileTrading, TextsThatAreNoLanguage) {
  std::string deep;
  for (int i = 0; i < 5'000; ++i) deep += "not (";
  std::string minus(5'000, '-');
  for (const std::string& text :
       {deep, minus + "1", std::string("'\xff\xfe"), std::string("pages == 'x\\"), std::string("(((("),
        std::string("\\"), std::string("$"), std::string("\n\t\v;")}) {
    EXPECT_EQ(thrown({.constraint = text}).substr(0, 29), "CosTrading::IllegalConstraint")
        << text.substr(0, 20);
    EXPECT_EQ(thrown({.preference = "max " + text}).substr(0, 37), "CosTrading::Lookup::IllegalPreference");
  }
  EXPECT_EQ(found({}), "a b");
}

TEST_F(HostileTrading, ValuesOfAllKinds) {
  CORBA::Any nested = any_of(std::int32_t{7});
  for (int i = 0; i < 50; ++i) {
    CORBA::Any outer;
    outer <<= nested;
    nested = outer;
  }
  server.add("c", 3,
             {{"nested", nested},
              {"nothing", CORBA::Any()},
              property("wide", std::wstring(L"wide")),
              property("type", IDL::type_code<double>()),
              property("anys", std::vector<CORBA::Any>{any_of(std::int32_t{1}), any_of(std::string("x"))}),
              property("octets", std::vector<std::uint8_t>(10'000, 1)),
              property("object", server.object("x"))});
  for (const char* name : {"nothing", "wide", "type", "anys", "octets", "object"}) {
    EXPECT_EQ(found({.constraint = std::string("exist ") + name}), "c") << name;
    EXPECT_EQ(found({.constraint = std::string(name) + " == 1"}), "") << name;
    EXPECT_EQ(found({.constraint = "pages == 3", .preference = std::string("max ") + name}), "c") << name;
  }
  EXPECT_EQ(found({.constraint = "nested == 7"}), "c");
  EXPECT_EQ(found({.constraint = "'x' in anys"}), "c");
  EXPECT_EQ(found({.constraint = "2 in octets"}), "");
  EXPECT_EQ(found({.constraint = "1 in object"}), "");
}

TEST_F(HostileTrading, ProxiesToTheTraderItself) {
  const auto proxy = server.lookup->proxy_if();
  const CosTrading::PropertySeq properties{property("id", std::string("p")),
                                           property("pages", std::int32_t{9})};
  for (int i = 0; i < 5; ++i) proxy->export_proxy(server.lookup, "Printer", properties, true, "TRUE", {});
  EXPECT_EQ(found({}), "a b");
  EXPECT_EQ(server.state().loops(), 5u);
}

// Types and offers change at once, and no call waits for another for ever.
TEST_F(HostileTrading, TypesComeAndGoUnderOffers) {
  std::atomic<bool> stop{false};
  std::atomic<int> exported{0};
  std::jthread types([&] {
    while (!stop) {
      exception_of([&] { server.types->add_type("Fleeting", any_object, {}, {"Printer"}); });
      exception_of([&] { server.types->mask_type("Fleeting"); });
      exception_of([&] { server.types->unmask_type("Fleeting"); });
      exception_of([&] { server.registry->withdraw_using_constraint("Fleeting", ""); });
      exception_of([&] { server.types->remove_type("Fleeting"); });
    }
  });
  std::jthread offers([&] {
    while (!stop)
      if (exception_of([&] { server.add("x", 5, {}, "Fleeting"); }) == "nothing") ++exported;
  });
  for (int i = 0; i < 300 || exported < 5; ++i) EXPECT_EQ(thrown({.constraint = "pages >= 0"}), "nothing");
  stop = true;
  types = {};
  offers = {};
  exception_of([&] { server.registry->withdraw_using_constraint("Fleeting", ""); });
  EXPECT_EQ(found({}), "a b");
  EXPECT_EQ(server.service->offers(), 2u);
}

// An export, a change or a withdrawal of one offer by many at once happens once.
TEST_F(HostileTrading, ManyWithdrawOneOffer) {
  for (int round = 0; round < 20; ++round) {
    const std::string id = server.add("x", 5);
    std::atomic<int> withdrawn{0};
    {
      std::vector<std::jthread> threads;
      for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
          if (exception_of([&] { server.registry->withdraw(id); }) == "nothing") ++withdrawn;
        });
    }
    EXPECT_EQ(withdrawn, 1);
  }
  EXPECT_EQ(server.service->offers(), 2u);
}

}  // namespace
}  // namespace feature
