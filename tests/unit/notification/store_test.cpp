#include "notification_parts/store/store.h"

#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>
#include <thread>

#include "../../feature/folder.h"
#include "notification_parts/store/persistence.h"
#include "notification_parts/store/targets.h"
#include "sqlite/queries.h"

namespace takt::notification {
namespace {

class NotifyStore : public ::testing::Test {
 protected:
  Store open() const {
    auto store = Store::open(path_);
    if (!store) throw std::runtime_error(store.error());
    return *std::move(store);
  }
  static StoredObjects read(const Store& store) {
    auto objects = store.read();
    if (!objects) throw std::runtime_error(objects.error());
    return *std::move(objects);
  }
  StoredObjects reopened() const { return read(open()); }
  static void write(Store& store, const std::vector<Change>& changes,
                    const std::vector<Settled>& settled = {}) {
    std::vector<const Change*> pointers;
    for (const Change& each : changes) pointers.push_back(&each);
    const auto written = store.write(pointers, settled);
    EXPECT_TRUE(written) << written.error().text;
  }
  static EventRow event(EventNumber number, const std::vector<StoredTarget>& targets) {
    return {
        .number = number, .channel = 1, .is_any = true, .octets = "octets", .targets = octets_of(targets)};
  }

  const feature::Folder folder_;
  const std::string path_ = folder_ / "notify.db";
};

TEST_F(NotifyStore, ReadsWhatWasWritten) {
  {
    Store store = open();
    write(store, {ChannelRow{.id = 1, .number = 7, .name = "alarms", .qos = "", .admin = "admin"},
                  AdminRow{.id = 2,
                           .channel = 1,
                           .number = 3,
                           .side = 1,
                           .combine = 1,
                           .qos = "q",
                           .types = "t",
                           .filters = {.list = "f", .priority = 8, .lifetime = 9}},
                  ProxyRow{.id = 3,
                           .admin = 2,
                           .number = 4,
                           .kind = 2,
                           .form = 1,
                           .connected = true,
                           .suspended = true,
                           .updates = true,
                           .client = "IOR:00",
                           .qos = "q",
                           .types = "t",
                           .filters = {}},
                  FilterRow{.id = 8,
                            .is_mapping = true,
                            .grammar = "ETCL",
                            .default_value = "d",
                            .constraints = std::string("\0c", 2)}});
    write(store, {ChannelRow{.id = 1, .number = 7, .name = "alarms", .qos = "new", .admin = "admin"}});
  }
  const StoredObjects read = reopened();
  ASSERT_EQ(read.channels.size(), 1u);
  EXPECT_EQ(read.channels[0].qos, "new");
  EXPECT_EQ(read.channels[0].name, "alarms");
  ASSERT_EQ(read.admins.size(), 1u);
  EXPECT_EQ(read.admins[0].filters.lifetime, 9u);
  EXPECT_EQ(read.admins[0].combine, 1);
  ASSERT_EQ(read.proxies.size(), 1u);
  EXPECT_TRUE(read.proxies[0].connected && read.proxies[0].suspended && read.proxies[0].updates);
  EXPECT_EQ(read.proxies[0].client, "IOR:00");
  ASSERT_EQ(read.filters.size(), 1u);
  EXPECT_EQ(read.filters[0].constraints, std::string("\0c", 2));
}

TEST_F(NotifyStore, RemovesAllThatIsInAChannel) {
  {
    Store store = open();
    write(store, {ChannelRow{.id = 1}, AdminRow{.id = 2, .channel = 1}, ProxyRow{.id = 3, .admin = 2},
                  ChannelRow{.id = 11, .name = "other"}, AdminRow{.id = 12, .channel = 11},
                  ProxyRow{.id = 13, .admin = 12}, ProxyRow{.id = 14, .admin = 12}, event(5, {})});
    write(store, {RemoveChannel{1}, RemoveProxy{13}});
    // A channel with the same name replaces one that a failed commit has left.
    write(store, {ChannelRow{.id = 21, .name = "other"}});
  }
  const StoredObjects read = reopened();
  ASSERT_EQ(read.channels.size(), 1u);
  EXPECT_EQ(read.channels[0].id, 21u);
  EXPECT_EQ(read.admins.size() + read.proxies.size() + read.events.size(), 0u);
}

TEST_F(NotifyStore, KeepsEventsUntilAllHaveThem) {
  const std::vector<StoredTarget> targets{
      {.proxy = 3, .priority = -5, .start_ns = -7, .expiry_ns = 1'000'000'000'000'000'000},
      {.proxy = ~std::uint64_t{0} >> 1}};
  {
    Store store = open();
    write(store, {ChannelRow{.id = 1}, event(5, targets), event(6, targets), event(7, {})});
    write(store, {}, {{.number = 5, .proxy = 3}, {.number = 7}});
    write(store, {}, {{.number = 5, .proxy = 3}});  // again
  }
  const StoredObjects read = reopened();
  ASSERT_EQ(read.events.size(), 2u);
  EXPECT_EQ(read.events[0].row.number, 5u);
  EXPECT_EQ(read.events[0].settled, (std::vector<ObjectId>{3}));
  EXPECT_EQ(targets_in(read.events[1].row.targets), targets);
  EXPECT_TRUE(read.events[0].row.is_any);
  EXPECT_TRUE(targets_in(std::string(25, 'x')).empty());
}

TEST_F(NotifyStore, SaysWhyAFileIsNone) {
  {
    std::ofstream(path_) << std::string(4096, 'x');
  }
  const auto refused = Store::open(path_);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().find("notify.db"), std::string::npos);
}

TEST_F(NotifyStore, IsNotThatOfANamingService) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path_.c_str(), &database), SQLITE_OK);
  ASSERT_TRUE(sqlite::run(
      database, "PRAGMA application_id = 1413565262; PRAGMA user_version = 1; CREATE TABLE context (id)"));
  sqlite3_close(database);
  const auto refused = Store::open(path_);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().find("not a store of a notification service"), std::string::npos)
      << refused.error();
}

TEST_F(NotifyStore, LearnsThatDeliveriesHaveEnded) {
  const std::vector<StoredTarget> two{{.proxy = 3}, {.proxy = 4}};
  {
    Persistence persistence(open(), {});
    const std::vector<Change> rows{ChannelRow{.id = 1}, event(1, two), event(2, two), event(3, two)};
    ASSERT_TRUE(persistence.write(rows));
    persistence.settle(1, 3, false);
    persistence.settle(2, 3, false);
    ASSERT_TRUE(persistence.write(ChannelRow{.id = 2, .name = "b"}));  // takes them along
    persistence.settle(2, 4, true);
    persistence.stop();
  }
  const StoredObjects read = reopened();
  ASSERT_EQ(read.events.size(), 2u);
  EXPECT_EQ(read.events[0].settled, (std::vector<ObjectId>{3}));
  EXPECT_EQ(read.events[1].row.number, 3u);
}

// Suppliers may go on for long while the disk is full.
TEST(NotifySettlements, EventsThatWereRefusedTogetherTakeNoMemory) {
  Settlements settlements;
  EXPECT_TRUE(settlements.withdraw(5));
  for (const EventNumber number : {7, 6, 10, 4, 8}) EXPECT_FALSE(settlements.withdraw(number));
  EXPECT_EQ(settlements.size(), 2u);
  auto taken = settlements.take();
  ASSERT_EQ(taken.size(), 2u);
  EXPECT_EQ(settlements.size(), 0u);
  EXPECT_EQ(std::pair(taken.at(0).number, taken.at(0).last), std::pair(EventNumber{4}, EventNumber{8}));
  settlements.withdraw(9);
  settlements.put_back(std::move(taken));
  EXPECT_EQ(settlements.size(), 1u);
}

TEST_F(NotifyStore, RemovesEventsThatWereWithdrawn) {
  {
    Persistence persistence(open(), {});
    const std::vector<Change> rows{ChannelRow{.id = 1}, event(1, {}), event(2, {}), event(3, {}),
                                   event(4, {})};
    ASSERT_TRUE(persistence.write(rows));
    persistence.withdraw(2);
    persistence.withdraw(3);
    persistence.stop();
  }
  const StoredObjects read = reopened();
  ASSERT_EQ(read.events.size(), 2u);
  EXPECT_EQ(read.events[1].row.number, 4u);
}

TEST_F(NotifyStore, WritesSettlementsByItself) {
  Persistence persistence(open(), {});
  const std::vector<Change> rows{ChannelRow{.id = 1}, event(1, {{.proxy = 3}})};
  ASSERT_TRUE(persistence.write(rows));
  EXPECT_EQ(persistence.pending(), 0u);
  persistence.settle(1, 3, true);
  for (int i = 0; i < 1'000 && persistence.pending() > 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(persistence.pending(), 0u);
}

}  // namespace
}  // namespace takt::notification
