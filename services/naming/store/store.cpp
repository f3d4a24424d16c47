#include "naming/store/store.h"

#include <sqlite3.h>

#include <algorithm>
#include <utility>

#include "sqlite/database.h"

namespace takt::naming {
namespace {

constexpr int application_id = 0x54414b4e;  // "TAKN"
constexpr int version = 1;

// AUTOINCREMENT stores the highest id, so ids of contexts are never reused.
constexpr const char* schema = R"(
  PRAGMA application_id = 1413565262;
  PRAGMA user_version = 1;
  CREATE TABLE context (id INTEGER PRIMARY KEY AUTOINCREMENT, old_key BLOB NOT NULL) STRICT;
  CREATE TABLE binding (
    context INTEGER NOT NULL, key BLOB NOT NULL, kind INTEGER NOT NULL, target INTEGER NOT NULL, reference BLOB NOT NULL,
    PRIMARY KEY (context, key)) STRICT, WITHOUT ROWID;
  INSERT INTO context VALUES (1, x'');
)";
static_assert(application_id == 1413565262);

}  // namespace

std::expected<Store, std::string> Store::open(const std::string& path) {
  auto database = sqlite::open_alone(path, {application_id, version, schema, "a naming store"});
  if (!database) return std::unexpected(database.error());
  Store store(std::move(*database));
  if (!store.prepare()) return std::unexpected(path + ": " + sqlite3_errmsg(store.database_.get()));
  return store;
}

bool Store::prepare() {
  sqlite3* database = database_.get();
  put_binding_.reset(sqlite::prepared(database, "INSERT OR REPLACE INTO binding VALUES (?,?,?,?,?)"));
  remove_binding_.reset(sqlite::prepared(database, "DELETE FROM binding WHERE context = ? AND key = ?"));
  put_context_.reset(sqlite::prepared(database, "INSERT INTO context VALUES (?,?)"));
  remove_context_.reset(sqlite::prepared(database, "DELETE FROM context WHERE id = ?"));
  return put_binding_ && remove_binding_ && put_context_ && remove_context_;
}

std::expected<void, std::string> Store::read(Tree& tree) const {
  sqlite3* database = database_.get();
  Prepared contexts(sqlite::prepared(database, "SELECT id, old_key FROM context ORDER BY id"));
  int step = SQLITE_ERROR;
  while (contexts && (step = sqlite3_step(contexts.get())) == SQLITE_ROW) {
    const auto id = static_cast<ContextId>(sqlite3_column_int64(contexts.get(), 0));
    Change created;
    created.action = Change::Action::create;
    created.context = id;
    created.old_key = sqlite::octets_at(contexts.get(), 1);
    tree.apply(std::move(created));
  }
  if (step != SQLITE_DONE) return std::unexpected(sqlite3_errmsg(database));
  tree.skip_ids(static_cast<ContextId>(std::max<std::int64_t>(
      sqlite::number_of(database, "SELECT max(seq) FROM sqlite_sequence"), root_context)));
  Prepared rows(sqlite::prepared(
      database, "SELECT context, key, kind, target, reference FROM binding ORDER BY context, key"));
  step = SQLITE_ERROR;
  while (rows && (step = sqlite3_step(rows.get())) == SQLITE_ROW) {
    const auto kind = sqlite3_column_int64(rows.get(), 2);
    Binding binding{.kind = static_cast<BindingKind>(kind),
                    .context = static_cast<ContextId>(sqlite3_column_int64(rows.get(), 3)),
                    .reference = sqlite::octets_at(rows.get(), 4)};
    const auto context = static_cast<ContextId>(sqlite3_column_int64(rows.get(), 0));
    if (kind < 0 || kind > 2 || !tree.add_read(context, sqlite::octets_at(rows.get(), 1), std::move(binding)))
      return std::unexpected("a binding of context " + std::to_string(context) + " is damaged");
  }
  if (step != SQLITE_DONE) return std::unexpected(sqlite3_errmsg(database));
  return {};
}

std::expected<void, StoreFault> Store::write(std::span<const Change* const> changes) {
  return sqlite::in_transaction(database_.get(), [&] {
    return std::ranges::all_of(changes, [&](const Change* change) { return carry_out(*change); });
  });
}

bool Store::carry_out(const Change& change) {
  using Action = Change::Action;
  switch (change.action) {
    case Action::create:
      return put_context(change.context, change.old_key);
    case Action::destroy:
      return remove(remove_context_.get(), change.context, nullptr);
    case Action::unbind:
      return remove(remove_binding_.get(), change.context, &change.key);
    case Action::bind:
    case Action::rebind:
      return (!change.creates || put_context(change.binding.context, {})) && put_binding(change);
  }
  return false;
}

bool Store::put_binding(const Change& change) {
  sqlite3_stmt* statement = put_binding_.get();
  sqlite3_bind_int64(statement, 1, static_cast<std::int64_t>(change.context));
  sqlite::bind_octets(statement, 2, change.key);
  sqlite3_bind_int64(statement, 3, static_cast<std::int64_t>(change.binding.kind));
  sqlite3_bind_int64(statement, 4, static_cast<std::int64_t>(change.binding.context));
  sqlite::bind_octets(statement, 5, change.binding.reference);
  return sqlite::done(statement);
}

bool Store::put_context(ContextId id, const std::string& old_key) {
  sqlite3_stmt* statement = put_context_.get();
  sqlite3_bind_int64(statement, 1, static_cast<std::int64_t>(id));
  sqlite::bind_octets(statement, 2, old_key);
  return sqlite::done(statement);
}

bool Store::remove(sqlite3_stmt* statement, ContextId context, const std::string* key) {
  sqlite3_bind_int64(statement, 1, static_cast<std::int64_t>(context));
  if (key) sqlite::bind_octets(statement, 2, *key);
  return sqlite::done(statement);
}

}  // namespace takt::naming
