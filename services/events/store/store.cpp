#include "events/store/store.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "sqlite/database.h"

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

std::int64_t integer(std::uint64_t number) { return static_cast<std::int64_t>(number); }

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
};

Store::Store(std::unique_ptr<Statements> statements) : statements_(std::move(statements)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

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
  const sqlite::Prepared channels(sqlite::prepared(
      database,
      "SELECT id, name, filter, queued_events, pull_proxies, pull_period_ms, discard FROM channel"));
  int step = SQLITE_ERROR;
  while (channels && (step = sqlite3_step(channels.get())) == SQLITE_ROW) {
    sqlite3_stmt* row = channels.get();
    StoredChannel& channel = stored.channels.emplace_back();
    channel.id = static_cast<ChannelId>(sqlite3_column_int64(row, 0));
    channel.settings.name = sqlite::octets_at(row, 1);
    channel.settings.filter = sqlite::octets_at(row, 2);
    channel.settings.queued_events = static_cast<std::uint32_t>(sqlite3_column_int64(row, 3));
    channel.settings.pull_proxies = static_cast<std::uint32_t>(sqlite3_column_int64(row, 4));
    channel.settings.pull_period = std::chrono::milliseconds(sqlite3_column_int64(row, 5));
    const auto discard = sqlite3_column_int64(row, 6);
    channel.settings.discard = static_cast<Discard>(discard);
    if (channel.id == 0 || discard < 0 || discard > 1 || channel.settings.pull_period.count() < 1)
      return std::unexpected("channel " + std::to_string(channel.id) + " is damaged");
    known.insert(channel.id);
  }
  if (step != SQLITE_DONE) return std::unexpected(sqlite3_errmsg(database));
  const sqlite::Prepared proxies(
      sqlite::prepared(database, "SELECT id, channel, kind, connected, client FROM proxy"));
  step = SQLITE_ERROR;
  while (proxies && (step = sqlite3_step(proxies.get())) == SQLITE_ROW) {
    sqlite3_stmt* row = proxies.get();
    StoredProxy proxy{.id = static_cast<ProxyId>(sqlite3_column_int64(row, 0)),
                      .channel = static_cast<ChannelId>(sqlite3_column_int64(row, 1)),
                      .kind = static_cast<ProxyKind>(sqlite3_column_int64(row, 2)),
                      .connected = sqlite3_column_int64(row, 3) != 0,
                      .client = sqlite::octets_at(row, 4)};
    if (proxy.id == 0 || sqlite3_column_int64(row, 2) < 0 || sqlite3_column_int64(row, 2) > 3)
      return std::unexpected("proxy " + std::to_string(proxy.id) + " is damaged");
    if (known.contains(proxy.channel)) stored.proxies.push_back(std::move(proxy));
  }
  if (step != SQLITE_DONE) return std::unexpected(sqlite3_errmsg(database));
  return stored;
}

std::expected<void, StoreFault> Store::write(std::span<const Change* const> changes) {
  return sqlite::in_transaction(statements_->database.get(), [&] {
    return std::ranges::all_of(changes, [&](const Change* change) { return carry_out(*change); });
  });
}

bool Store::carry_out(const Change& change) {
  const auto remove = [](sqlite3_stmt* statement, std::uint64_t id) {
    sqlite3_bind_int64(statement, 1, integer(id));
    return sqlite::done(statement);
  };
  switch (change.action) {
    case Change::Action::add_channel: {
      sqlite3_stmt* statement = statements_->add_channel.get();
      const ChannelSettings& settings = change.channel.settings;
      // A channel that has the name is left of a commit that failed although the disk had it.
      sqlite::bind_text(statements_->forget_name.get(), 1, settings.name);
      if (!sqlite::done(statements_->forget_name.get())) return false;
      sqlite3_bind_int64(statement, 1, integer(change.channel.id));
      sqlite::bind_text(statement, 2, settings.name);
      sqlite::bind_text(statement, 3, settings.filter);
      sqlite3_bind_int64(statement, 4, settings.queued_events);
      sqlite3_bind_int64(statement, 5, settings.pull_proxies);
      sqlite3_bind_int64(statement, 6, settings.pull_period.count());
      sqlite3_bind_int64(statement, 7, static_cast<std::int64_t>(settings.discard));
      return sqlite::done(statement);
    }
    case Change::Action::remove_channel:
      return remove(statements_->remove_proxies.get(), change.channel.id) &&
             remove(statements_->remove_channel.get(), change.channel.id);
    case Change::Action::add_proxy: {
      sqlite3_stmt* statement = statements_->add_proxy.get();
      sqlite3_bind_int64(statement, 1, integer(change.proxy.id));
      sqlite3_bind_int64(statement, 2, integer(change.proxy.channel));
      sqlite3_bind_int64(statement, 3, static_cast<std::int64_t>(change.proxy.kind));
      sqlite3_bind_int64(statement, 4, change.proxy.connected);
      sqlite::bind_text(statement, 5, change.proxy.client);
      return sqlite::done(statement);
    }
    case Change::Action::connect_proxy: {
      sqlite3_stmt* statement = statements_->connect_proxy.get();
      sqlite::bind_text(statement, 1, change.proxy.client);
      sqlite3_bind_int64(statement, 2, integer(change.proxy.id));
      return sqlite::done(statement);
    }
    case Change::Action::remove_proxy:
      return remove(statements_->remove_proxy.get(), change.proxy.id);
  }
  return false;
}

}  // namespace takt::events
