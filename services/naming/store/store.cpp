#include "naming/store/store.h"

#include <sqlite3.h>

#include <algorithm>
#include <utility>

#include "sqlite/database.h"
#include "sqlite/rows.h"

namespace takt::naming {
namespace {

// AUTOINCREMENT stores the highest id, so ids of contexts are never reused.
constexpr sqlite::Kind kind{.application_id = 0x54414b4e,  // "TAKN"
                            .version = 1,
                            .schema = R"(
  PRAGMA application_id = 1413565262;
  PRAGMA user_version = 1;
  CREATE TABLE context (id INTEGER PRIMARY KEY AUTOINCREMENT, old_key BLOB NOT NULL) STRICT;
  CREATE TABLE binding (
    context INTEGER NOT NULL, key BLOB NOT NULL, kind INTEGER NOT NULL, target INTEGER NOT NULL, reference BLOB NOT NULL,
    PRIMARY KEY (context, key)) STRICT, WITHOUT ROWID;
  INSERT INTO context VALUES (1, x'');
)",
                            .name = "a naming store"};
static_assert(kind.application_id == 1413565262);

using sqlite::Blob;

}  // namespace

std::expected<Store, std::string> Store::open(const std::string& path) {
  auto database = sqlite::open_alone(path, kind);
  if (!database) return std::unexpected(database.error());
  Store store(std::move(*database));
  if (!store.prepare()) return std::unexpected(path + ": " + sqlite3_errmsg(store.database_.get()));
  return store;
}

bool Store::prepare() {
  return sqlite::prepare(database_.get(),
                         {{put_binding_, "INSERT OR REPLACE INTO binding VALUES (?,?,?,?,?)"},
                          {remove_binding_, "DELETE FROM binding WHERE context = ? AND key = ?"},
                          {put_context_, "INSERT INTO context VALUES (?,?)"},
                          {remove_context_, "DELETE FROM context WHERE id = ?"}});
}

std::expected<void, std::string> Store::read(Tree& tree) const {
  sqlite3* database = database_.get();
  const auto take_context = [&](sqlite3_stmt* row) {
    Change created;
    created.action = Change::Action::create;
    sqlite::get_all(row, created.context, created.old_key);
    tree.apply(std::move(created));
  };
  const auto take_binding = [&](sqlite3_stmt* row) -> std::expected<void, std::string> {
    ContextId context = 0;
    std::string key;
    std::int64_t kind = 0;
    Binding binding;
    sqlite::get_all(row, context, key, kind, binding.context, binding.reference);
    binding.kind = static_cast<BindingKind>(kind);
    if (kind >= 0 && kind <= 2 && tree.add_read(context, std::move(key), std::move(binding))) return {};
    return std::unexpected("a binding of context " + std::to_string(context) + " is damaged");
  };
  auto done = sqlite::for_each(database, "SELECT id, old_key FROM context ORDER BY id", take_context);
  if (!done) return done;
  tree.skip_ids(static_cast<ContextId>(std::max<std::int64_t>(
      sqlite::number_of(database, "SELECT max(seq) FROM sqlite_sequence"), root_context)));
  return sqlite::for_each(database,
                          "SELECT context, key, kind, target, reference FROM binding ORDER BY context, key",
                          take_binding);
}

std::expected<void, StoreFault> Store::write(std::span<const Change* const> changes) {
  return sqlite::in_transaction(database_.get(), [&] {
    return std::ranges::all_of(changes, [&](const Change* change) { return carry_out(*change); });
  });
}

bool Store::carry_out(const Change& change) {
  using Action = Change::Action;
  const Binding& binding = change.binding;
  switch (change.action) {
    case Action::create:
      return sqlite::done_with(put_context_, change.context, Blob(change.old_key));
    case Action::destroy:
      return sqlite::done_with(remove_context_, change.context);
    case Action::unbind:
      return sqlite::done_with(remove_binding_, change.context, Blob(change.key));
    case Action::bind:
    case Action::rebind:
      if (change.creates && !sqlite::done_with(put_context_, binding.context, Blob(std::string())))
        return false;
      return sqlite::done_with(put_binding_, change.context, Blob(change.key), binding.kind, binding.context,
                               Blob(binding.reference));
  }
  return false;
}

}  // namespace takt::naming
