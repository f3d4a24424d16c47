#include "notification_parts/store/store.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

#include "sqlite/database.h"
#include "sqlite/rows.h"

namespace takt::notification {
namespace {

constexpr sqlite::Kind kind{.application_id = 0x54414b4f,  // "TAKO"; a naming service has "TAKN"
                            .version = 1,
                            .schema = R"(
  PRAGMA application_id = 1413565263;
  PRAGMA user_version = 1;
  CREATE TABLE channel (
    id INTEGER PRIMARY KEY, number INTEGER NOT NULL, name TEXT NOT NULL, qos BLOB NOT NULL,
    admin BLOB NOT NULL) STRICT;
  CREATE TABLE admin (
    id INTEGER PRIMARY KEY, channel INTEGER NOT NULL, number INTEGER NOT NULL, side INTEGER NOT NULL,
    combine INTEGER NOT NULL, qos BLOB NOT NULL, types BLOB NOT NULL, filters BLOB NOT NULL,
    priority INTEGER NOT NULL, lifetime INTEGER NOT NULL) STRICT;
  CREATE TABLE proxy (
    id INTEGER PRIMARY KEY, admin INTEGER NOT NULL, number INTEGER NOT NULL, kind INTEGER NOT NULL,
    form INTEGER NOT NULL, connected INTEGER NOT NULL, suspended INTEGER NOT NULL, updates INTEGER NOT NULL,
    client TEXT NOT NULL, qos BLOB NOT NULL, types BLOB NOT NULL, filters BLOB NOT NULL,
    priority INTEGER NOT NULL, lifetime INTEGER NOT NULL) STRICT;
  CREATE INDEX proxy_admin ON proxy (admin);
  CREATE TABLE filter (
    id INTEGER PRIMARY KEY, is_mapping INTEGER NOT NULL, grammar TEXT NOT NULL, default_value BLOB NOT NULL,
    constraints BLOB NOT NULL) STRICT;
  CREATE TABLE event (
    number INTEGER PRIMARY KEY, channel INTEGER NOT NULL, is_any INTEGER NOT NULL, octets BLOB NOT NULL,
    targets BLOB NOT NULL) STRICT;
  CREATE TABLE settled (
    event INTEGER NOT NULL, proxy INTEGER NOT NULL, PRIMARY KEY (event, proxy)) STRICT, WITHOUT ROWID;
)",
                            .name = "a store of a notification service"};
static_assert(kind.application_id == 1413565263);

constexpr const char* without_parents = R"(
  DELETE FROM admin WHERE channel NOT IN (SELECT id FROM channel);
  DELETE FROM proxy WHERE admin NOT IN (SELECT id FROM admin);
  DELETE FROM event WHERE channel NOT IN (SELECT id FROM channel);
  DELETE FROM settled WHERE event NOT IN (SELECT number FROM event);
)";

using sqlite::Blob;
using sqlite::done_with;
using sqlite::get_all;

}  // namespace

// It is large because each prepared statement is a member.
struct Store::Statements {
  sqlite::Database database;
  sqlite::Prepared forget_name, put_channel, put_admin, put_proxy, put_filter, put_event, remove_channel,
      remove_admins_of, remove_proxies_under, remove_events_of, remove_admin, remove_proxies_of, remove_proxy,
      remove_filter, settle, remove_event, remove_events, remove_settled;

  bool prepare() {
    return sqlite::prepare(
        database.get(),
        {{forget_name, "DELETE FROM channel WHERE name = ? AND name <> '' AND id <> ?"},
         {put_channel, "INSERT OR REPLACE INTO channel VALUES (?,?,?,?,?)"},
         {put_admin, "INSERT OR REPLACE INTO admin VALUES (?,?,?,?,?,?,?,?,?,?)"},
         {put_proxy, "INSERT OR REPLACE INTO proxy VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)"},
         {put_filter, "INSERT OR REPLACE INTO filter VALUES (?,?,?,?,?)"},
         {put_event, "INSERT INTO event VALUES (?,?,?,?,?)"},
         {remove_channel, "DELETE FROM channel WHERE id = ?"},
         {remove_admins_of, "DELETE FROM admin WHERE channel = ?"},
         {remove_proxies_under, "DELETE FROM proxy WHERE admin IN (SELECT id FROM admin WHERE channel = ?)"},
         {remove_events_of, "DELETE FROM event WHERE channel = ?"},
         {remove_admin, "DELETE FROM admin WHERE id = ?"},
         {remove_proxies_of, "DELETE FROM proxy WHERE admin = ?"},
         {remove_proxy, "DELETE FROM proxy WHERE id = ?"},
         {remove_filter, "DELETE FROM filter WHERE id = ?"},
         {settle, "INSERT OR IGNORE INTO settled VALUES (?,?)"},
         {remove_event, "DELETE FROM event WHERE number = ?"},
         {remove_events, "DELETE FROM event WHERE number BETWEEN ? AND ?"},
         {remove_settled, "DELETE FROM settled WHERE event = ?"}});
  }

  bool carry_out(const ChannelRow& row) {
    // A channel that has the name is left of a commit that failed although the disk had it.
    return done_with(forget_name, row.name, row.id) &&
           done_with(put_channel, row.id, row.number, row.name, Blob(row.qos), Blob(row.admin));
  }
  bool carry_out(const AdminRow& row) {
    return done_with(put_admin, row.id, row.channel, row.number, row.side, row.combine, Blob(row.qos),
                     Blob(row.types), Blob(row.filters.list), row.filters.priority, row.filters.lifetime);
  }
  bool carry_out(const ProxyRow& row) {
    return done_with(put_proxy, row.id, row.admin, row.number, row.kind, row.form, row.connected,
                     row.suspended, row.updates, row.client, Blob(row.qos), Blob(row.types),
                     Blob(row.filters.list), row.filters.priority, row.filters.lifetime);
  }
  bool carry_out(const FilterRow& row) {
    return done_with(put_filter, row.id, row.is_mapping, row.grammar, Blob(row.default_value),
                     Blob(row.constraints));
  }
  bool carry_out(const EventRow& row) {
    return done_with(put_event, row.number, row.channel, row.is_any, Blob(row.octets), Blob(row.targets));
  }
  bool carry_out(const RemoveChannel& row) {
    return done_with(remove_proxies_under, row.id) && done_with(remove_admins_of, row.id) &&
           done_with(remove_events_of, row.id) && done_with(remove_channel, row.id);
  }
  bool carry_out(const RemoveAdmin& row) {
    return done_with(remove_proxies_of, row.id) && done_with(remove_admin, row.id);
  }
  bool carry_out(const RemoveProxy& row) { return done_with(remove_proxy, row.id); }
  bool carry_out(const RemoveFilter& row) { return done_with(remove_filter, row.id); }
};

Store::Store(sqlite::Hidden<Statements> statements) : statements_(std::move(statements)) {}

std::expected<Store, std::string> Store::open(const std::string& path) {
  // A full disk must not keep the service from starting: what has no parent is not read either.
  auto statements = sqlite::open_prepared<Statements>(path, kind, without_parents);
  if (!statements) return std::unexpected(std::move(statements.error()));
  return Store(std::move(*statements));
}

std::expected<StoredObjects, std::string> Store::read() const {
  StoredObjects all;
  const auto channel = [&](sqlite3_stmt* row) {
    ChannelRow& to = all.channels.emplace_back();
    get_all(row, to.id, to.number, to.name, to.qos, to.admin);
  };
  const auto admin = [&](sqlite3_stmt* row) {
    AdminRow& to = all.admins.emplace_back();
    get_all(row, to.id, to.channel, to.number, to.side, to.combine, to.qos, to.types, to.filters.list,
            to.filters.priority, to.filters.lifetime);
  };
  const auto proxy = [&](sqlite3_stmt* row) {
    ProxyRow& to = all.proxies.emplace_back();
    get_all(row, to.id, to.admin, to.number, to.kind, to.form, to.connected, to.suspended, to.updates,
            to.client, to.qos, to.types, to.filters.list, to.filters.priority, to.filters.lifetime);
  };
  const auto filter = [&](sqlite3_stmt* row) {
    FilterRow& to = all.filters.emplace_back();
    get_all(row, to.id, to.is_mapping, to.grammar, to.default_value, to.constraints);
  };
  const auto event = [&](sqlite3_stmt* row) {
    EventRow& to = all.events.emplace_back().row;
    get_all(row, to.number, to.channel, to.is_any, to.octets, to.targets);
  };
  // In the order of the events.
  const auto settled = [&all, at = std::size_t{0}](sqlite3_stmt* row) mutable {
    EventNumber number = 0;
    ObjectId proxy = 0;
    get_all(row, number, proxy);
    while (at < all.events.size() && all.events[at].row.number < number) ++at;
    if (at < all.events.size() && all.events[at].row.number == number)
      all.events[at].settled.push_back(proxy);
  };
  using Take = std::function<void(sqlite3_stmt*)>;
  const std::pair<const char*, Take> queries[] = {
      {"SELECT id, number, name, qos, admin FROM channel ORDER BY number", channel},
      {"SELECT id, channel, number, side, combine, qos, types, filters, priority, lifetime FROM admin "
       "ORDER BY number",
       admin},
      {"SELECT id, admin, number, kind, form, connected, suspended, updates, client, qos, types, filters, "
       "priority, lifetime FROM proxy ORDER BY number",
       proxy},
      {"SELECT id, is_mapping, grammar, default_value, constraints FROM filter", filter},
      {"SELECT number, channel, is_any, octets, targets FROM event ORDER BY number", event},
      {"SELECT event, proxy FROM settled ORDER BY event, proxy", settled}};
  for (const auto& [query, take] : queries)
    if (auto done = sqlite::for_each(statements_->database.get(), query, take); !done)
      return std::unexpected(std::move(done.error()));
  return all;
}

bool Store::settle(const Settled& settled) {
  Statements& all = *statements_;
  if (settled.last != 0) return done_with(all.remove_events, settled.number, settled.last);
  if (settled.proxy != 0) return done_with(all.settle, settled.number, settled.proxy);
  return done_with(all.remove_event, settled.number) &&
         (!settled.has_rows || done_with(all.remove_settled, settled.number));
}

std::expected<void, StoreFault> Store::write(std::span<const Change* const> changes,
                                             std::span<const Settled> settled) {
  const auto carry_out = [&](const Change* change) {
    return std::visit([&](const auto& each) { return statements_->carry_out(each); }, *change);
  };
  return sqlite::in_transaction(statements_->database.get(), [&] {
    return std::ranges::all_of(changes, carry_out) &&
           std::ranges::all_of(settled, [&](const Settled& each) { return settle(each); });
  });
}

}  // namespace takt::notification
