#include "events/store/store.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "sqlite/database.h"
#include "sqlite/rows.h"

namespace takt::events {
namespace {

constexpr sqlite::Kind kind{.application_id = 0x54414b45,  // "TAKE"
                            .version = 1,
                            .schema = R"(
  PRAGMA application_id = 1413565253;
  PRAGMA user_version = 1;
  CREATE TABLE channel (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, filter TEXT NOT NULL, queued_events INTEGER NOT NULL,
    pull_proxies INTEGER NOT NULL, pull_period_ms INTEGER NOT NULL, discard INTEGER NOT NULL) STRICT;
  CREATE TABLE proxy (
    id INTEGER PRIMARY KEY, channel INTEGER NOT NULL, kind INTEGER NOT NULL, connected INTEGER NOT NULL,
    client TEXT NOT NULL) STRICT;
  CREATE INDEX proxy_channel ON proxy (channel);
)",
                            .name = "an event store"};
static_assert(kind.application_id == 1413565253);

std::expected<StoredChannel, std::string> channel_in(sqlite3_stmt* row) {
  StoredChannel channel;
  ChannelSettings& settings = channel.settings;
  std::int64_t discard = 0;
  sqlite::get_all(row, channel.id, settings.name, settings.filter, settings.queued_events,
                  settings.pull_proxies, settings.pull_period, discard);
  if (channel.id == 0 || discard < 0 || discard > 1 || settings.pull_period.count() < 1)
    return std::unexpected("channel " + std::to_string(channel.id) + " is damaged");
  settings.discard = static_cast<Discard>(discard);
  return channel;
}

std::expected<StoredProxy, std::string> proxy_in(sqlite3_stmt* row) {
  StoredProxy proxy;
  std::int64_t kind = 0;
  sqlite::get_all(row, proxy.id, proxy.channel, kind, proxy.connected, proxy.client);
  if (proxy.id == 0 || kind < 0 || kind > 3)
    return std::unexpected("proxy " + std::to_string(proxy.id) + " is damaged");
  proxy.kind = static_cast<ProxyKind>(kind);
  return proxy;
}

}  // namespace

struct Store::Statements {
  sqlite::Database database;
  sqlite::Prepared forget_name, add_channel, remove_channel, remove_proxies, add_proxy, connect_proxy,
      remove_proxy;

  bool prepare() {
    return sqlite::prepare(database.get(),
                           {{forget_name, "DELETE FROM channel WHERE name = ? AND name <> ''"},
                            {add_channel, "INSERT INTO channel VALUES (?,?,?,?,?,?,?)"},
                            {remove_channel, "DELETE FROM channel WHERE id = ?"},
                            {remove_proxies, "DELETE FROM proxy WHERE channel = ?"},
                            {add_proxy, "INSERT INTO proxy VALUES (?,?,?,?,?)"},
                            {connect_proxy, "UPDATE proxy SET connected = 1, client = ? WHERE id = ?"},
                            {remove_proxy, "DELETE FROM proxy WHERE id = ?"}});
  }

  bool carry_out(const Change& change) {
    const StoredChannel& channel = change.channel;
    const StoredProxy& proxy = change.proxy;
    switch (change.action) {
      case Change::Action::add_channel:
        // A channel that has the name is left of a commit that failed although the disk had it.
        return sqlite::done_with(forget_name, channel.settings.name) &&
               sqlite::done_with(add_channel, channel.id, channel.settings.name, channel.settings.filter,
                                 channel.settings.queued_events, channel.settings.pull_proxies,
                                 channel.settings.pull_period, channel.settings.discard);
      case Change::Action::remove_channel:
        return sqlite::done_with(remove_proxies, channel.id) && sqlite::done_with(remove_channel, channel.id);
      case Change::Action::add_proxy:
        return sqlite::done_with(add_proxy, proxy.id, proxy.channel, proxy.kind, proxy.connected,
                                 proxy.client);
      case Change::Action::connect_proxy:
        return sqlite::done_with(connect_proxy, proxy.client, proxy.id);
      case Change::Action::remove_proxy:
        return sqlite::done_with(remove_proxy, proxy.id);
    }
    return false;
  }
};

Store::Store(sqlite::Hidden<Statements> statements) : statements_(std::move(statements)) {}

std::expected<Store, std::string> Store::open(const std::string& path) {
  // Proxies that were made while their channel was destroyed.
  constexpr const char* without_channel = "DELETE FROM proxy WHERE channel NOT IN (SELECT id FROM channel)";
  auto statements = sqlite::open_prepared<Statements>(path, kind, without_channel);
  if (!statements) return std::unexpected(std::move(statements.error()));
  return Store(std::move(*statements));
}

std::expected<Stored, std::string> Store::read() const {
  sqlite3* database = statements_->database.get();
  Stored stored;
  std::unordered_set<ChannelId> known;
  auto done = sqlite::for_each(
      database, "SELECT id, name, filter, queued_events, pull_proxies, pull_period_ms, discard FROM channel",
      [&](sqlite3_stmt* row) -> std::expected<void, std::string> {
        auto channel = channel_in(row);
        if (!channel) return std::unexpected(std::move(channel.error()));
        known.insert(channel->id);
        stored.channels.push_back(*std::move(channel));
        return {};
      });
  if (done)
    done = sqlite::for_each(database, "SELECT id, channel, kind, connected, client FROM proxy",
                            [&](sqlite3_stmt* row) -> std::expected<void, std::string> {
                              auto proxy = proxy_in(row);
                              if (!proxy) return std::unexpected(std::move(proxy.error()));
                              if (known.contains(proxy->channel)) stored.proxies.push_back(*std::move(proxy));
                              return {};
                            });
  if (!done) return std::unexpected(std::move(done.error()));
  return stored;
}

std::expected<void, StoreFault> Store::write(std::span<const Change* const> changes) {
  return sqlite::in_transaction(statements_->database.get(), [&] {
    return std::ranges::all_of(changes, [&](const Change* each) { return statements_->carry_out(*each); });
  });
}

}  // namespace takt::events
