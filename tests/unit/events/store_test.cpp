#include "events/store/store.h"

#include <gtest/gtest.h>

#include <sqlite3.h>
#include <stdlib.h>

#include <filesystem>

#include "events/store/journal.h"

namespace takt::events {
namespace {

class EventStore : public testing::Test {
 protected:
  EventStore() {
    char name[] = "/tmp/takt-events-XXXXXX";
    EXPECT_NE(::mkdtemp(name), nullptr);
    folder = name;
  }
  ~EventStore() override { std::filesystem::remove_all(folder); }

  Store open() {
    auto opened = Store::open(path());
    EXPECT_TRUE(opened) << opened.error();
    return std::move(*opened);
  }
  std::string path() const { return folder + "/events.db"; }
  static void write(Store& store, const Change& change) {
    const Change* all[] = {&change};
    EXPECT_TRUE(store.write(all));
  }
  void sql(const char* text) const {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(path().c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, text, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
    sqlite3_close(database);
  }
  std::string refusal() const {
    const auto opened = Store::open(path());
    if (!opened) return opened.error();
    const auto read = opened->read();
    return read ? "none" : read.error();
  }

  std::string folder;
};

Change channel(ChannelId id, Change::Action action = Change::Action::add_channel) {
  Change change;
  change.action = action;
  change.channel.id = id;
  return change;
}

Change proxy(ProxyId id, ChannelId of, Change::Action action = Change::Action::add_proxy) {
  Change change;
  change.action = action;
  change.proxy.id = id;
  change.proxy.channel = of;
  change.proxy.kind = ProxyKind::pull_consumer;
  return change;
}

TEST_F(EventStore, ReturnsWhatWasWritten) {
  {
    Store store = open();
    Change weather = channel(5);
    weather.channel.settings = {.name = "weather",
                                .filter = "IDL:x:1.0",
                                .queued_events = 7,
                                .pull_proxies = 8,
                                .pull_period = std::chrono::milliseconds(9),
                                .discard = Discard::newest};
    write(store, weather);
    write(store, channel(6));
    write(store, proxy(1, 5));
    write(store, proxy(2, 5));
    write(store, proxy(3, 6));
    Change connected = proxy(2, 0, Change::Action::connect_proxy);
    connected.proxy.client = "IOR:00";
    write(store, connected);
    write(store, proxy(1, 0, Change::Action::remove_proxy));
    write(store, channel(6, Change::Action::remove_channel));
  }
  const auto stored = open().read();
  ASSERT_TRUE(stored);
  ASSERT_EQ(stored->channels.size(), 1u);
  const ChannelSettings& settings = stored->channels[0].settings;
  EXPECT_EQ(stored->channels[0].id, 5u);
  EXPECT_EQ(settings.name + settings.filter, "weatherIDL:x:1.0");
  EXPECT_EQ(settings.queued_events, 7u);
  EXPECT_EQ(settings.pull_proxies, 8u);
  EXPECT_EQ(settings.pull_period.count(), 9);
  EXPECT_EQ(settings.discard, Discard::newest);
  ASSERT_EQ(stored->proxies.size(), 1u);
  EXPECT_EQ(stored->proxies[0].id, 2u);
  EXPECT_EQ(stored->proxies[0].channel, 5u);
  EXPECT_EQ(stored->proxies[0].kind, ProxyKind::pull_consumer);
  EXPECT_TRUE(stored->proxies[0].connected);
  EXPECT_EQ(stored->proxies[0].client, "IOR:00");
}

TEST_F(EventStore, HasOneChannelOfAName) {
  {
    Store store = open();
    for (const ChannelId id : {5, 6}) {
      Change named = channel(id);
      named.channel.settings.name = "weather";
      write(store, named);
    }
    write(store, channel(7));
    write(store, channel(8));
  }
  const auto stored = open().read();
  ASSERT_TRUE(stored);
  ASSERT_EQ(stored->channels.size(), 3u);
  EXPECT_EQ(stored->channels[0].id, 6u);
}

TEST_F(EventStore, ForgetsProxiesWithoutAChannel) {
  {
    Store store = open();
    write(store, proxy(1, 9));
  }
  EXPECT_TRUE(open().read()->proxies.empty());
}

TEST_F(EventStore, RefusesDamagedData) {
  for (const char* damage :
       {"INSERT INTO channel VALUES (0,'','',0,0,1,0)", "INSERT INTO channel VALUES (7,'','',0,0,1,2)",
        "INSERT INTO channel VALUES (7,'','',0,0,0,0)"}) {
    open();
    sql(damage);
    EXPECT_TRUE(refusal().starts_with("channel ")) << refusal();
    std::filesystem::remove(path());
  }
  open();
  sql("INSERT INTO channel VALUES (7,'','',0,0,1,0); INSERT INTO proxy VALUES (1,7,4,0,'')");
  EXPECT_EQ(refusal(), "proxy 1 is damaged");
}

TEST_F(EventStore, RefusesOtherFiles) {
  sql("CREATE TABLE other (x)");
  EXPECT_EQ(refusal(), path() + ": not an event store that this version can read; give another file");
  EXPECT_NE(Store::open(folder).error().find(folder + ": "), std::string::npos);
}

TEST_F(EventStore, WritesAllChangesOrNone) {
  Store store = open();
  const Change first = channel(5), twice = channel(5);
  const Change* all[] = {&first, &twice};
  const auto failed = store.write(all);
  ASSERT_FALSE(failed);
  EXPECT_NE(failed.error().text.find("UNIQUE"), std::string::npos) << failed.error().text;
  EXPECT_FALSE(failed.error().maybe_done);
  EXPECT_TRUE(store.read()->channels.empty());
}

TEST_F(EventStore, AJournalReportsOnceThatItFailsAndOnceThatItWorks) {
  std::vector<std::string> told;
  Journal journal(std::make_unique<Store>(open()),
                  [&](const std::string& why_not) { told.push_back(why_not); });
  EXPECT_TRUE(journal.write(channel(5)));
  EXPECT_FALSE(journal.write(channel(5)));
  EXPECT_FALSE(journal.write(channel(5)));
  EXPECT_TRUE(journal.write(channel(6)));
  ASSERT_EQ(told.size(), 2u);
  EXPECT_NE(told[0].find("UNIQUE"), std::string::npos);
  EXPECT_EQ(told[1], "");
}

TEST(EventJournal, WithoutAStoreCarriesOutEverything) {
  Journal journal(nullptr, {});
  EXPECT_TRUE(journal.write(Change{}));
}

}  // namespace
}  // namespace takt::events
