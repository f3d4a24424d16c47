// The trader's file.
#include "trading/store/store.h"

#include <gtest/gtest.h>

#include <sqlite3.h>
#include <stdlib.h>

#include <filesystem>

#include "CosTradingC.h"
#include "trading/store/octets.h"

namespace takt::trading {
namespace {

using Action = Change::Action;

class TradingStore : public testing::Test {
 protected:
  TradingStore() {
    char name[] = "/tmp/takt-trading-XXXXXX";
    EXPECT_NE(::mkdtemp(name), nullptr);
    folder = name;
  }
  ~TradingStore() override { std::filesystem::remove_all(folder); }

  Store open() {
    auto opened = Store::open(path());
    EXPECT_TRUE(opened) << opened.error();
    return std::move(*opened);
  }
  std::string path() const { return folder + "/trading.db"; }
  static bool write(Store& store, const std::vector<Change>& changes) {
    std::vector<const Change*> all;
    for (const Change& each : changes) all.push_back(&each);
    return store.write(all).has_value();
  }
  Stored read() {
    rows.clear();
    const auto read = open().read([&](StoredOffer&& row) {
      rows.push_back(std::move(row));
      return true;
    });
    EXPECT_TRUE(read) << read.error();
    return read.value_or(Stored());
  }

  std::string folder;
  std::vector<StoredOffer> rows;
};

Change named(Action action, const std::string& name, const std::string& octets = {}) {
  return {.action = action, .name = name, .octets = octets};
}

Change of_offer(Action action, OfferNumber number) {
  Change change = named(action, {});
  change.offer = {.number = number,
                  .type = "A",
                  .reference = std::string("\0r", 2),
                  .properties = std::string("p\0", 2),
                  .proxy = {}};
  return change;
}

TEST_F(TradingStore, KeepsEverything) {
  {
    Store store = open();
    Change link = named(Action::put_link, "north");
    link.link = {.name = "north", .target = "t", .target_register = {}, .pass_on = 1, .limiting = 2};
    EXPECT_TRUE(write(store, {named(Action::put_type, "A", "d"), named(Action::put_type, "B", "d"),
                              named(Action::put_type, "A", "e"), named(Action::remove_type, "B"),
                              of_offer(Action::put_offer, 3), of_offer(Action::put_offer, 4),
                              of_offer(Action::remove_offer, 4), link, named(Action::set, "max_list", "7")}));
  }
  const Stored stored = read();
  EXPECT_EQ(stored.types, (std::vector<std::pair<std::string, std::string>>{{"A", "e"}}));
  EXPECT_EQ(stored.settings, (std::vector<std::pair<std::string, std::string>>{{"max_list", "7"}}));
  ASSERT_EQ(stored.links.size(), 1u);
  EXPECT_EQ(stored.links[0].name + stored.links[0].target, "northt");
  EXPECT_EQ(stored.links[0].pass_on, 1u);
  EXPECT_EQ(stored.links[0].limiting, 2u);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].number, 3u);
  EXPECT_EQ(rows[0].reference, std::string("\0r", 2));
  EXPECT_EQ(rows[0].properties, std::string("p\0", 2));
  EXPECT_EQ(stored.last_offer, 4u) << "the number of an offer that was withdrawn does not come again";
}

TEST_F(TradingStore, BelongsToOneProcessAndToATrader) {
  {
    const Store store = open();
    const auto second = Store::open(path());
    ASSERT_FALSE(second);
    EXPECT_NE(second.error().find("another process"), std::string::npos);
  }
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path().c_str(), &database), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(database, "PRAGMA user_version = 9", nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(database);
  const auto newer = Store::open(path());
  ASSERT_FALSE(newer);
  EXPECT_NE(newer.error().find("a trader's store"), std::string::npos);
}

TEST_F(TradingStore, SaysWhichOfferIsDamaged) {
  Store store = open();
  ASSERT_TRUE(write(store, {of_offer(Action::put_offer, 3)}));
  const auto read = store.read([](StoredOffer&&) { return false; });
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error(), "offer 3 is damaged");
}

TEST(StoredOctets, AreReadBackAndRefused) {
  CosTrading::PropertySeq properties{{"n", {}}, {"s", {}}};
  properties[0].value() <<= std::int32_t{7};
  properties[1].value() <<= "text";
  const std::string octets = octets_of(properties);
  CosTrading::PropertySeq back;
  ASSERT_TRUE(read_octets(octets, back, nullptr));
  EXPECT_EQ(back, properties);
  for (std::size_t size = 0; size < octets.size(); ++size)
    EXPECT_FALSE(read_octets(std::string_view(octets).substr(0, size), back, nullptr)) << size;
}

}  // namespace
}  // namespace takt::trading
