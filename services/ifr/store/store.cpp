#include "ifr/store/store.h"

#include <sqlite3.h>

#include <algorithm>
#include <utility>

#include <takt/cdr/exception.h>

#include "ifr/model/type_text.h"
#include "ifr/store/details_octets.h"
#include "sqlite/moved.h"
#include "sqlite/queries.h"
#include "sqlite/rows.h"

namespace takt::ifr {
namespace {

constexpr int application_id = 0x54414b49;  // "TAKI"
constexpr int version = 2;

// AUTOINCREMENT stores the highest number, so numbers are never used again. Row 0 is the repository. A type,
// base or exception that a definition refers to is a row of `use`, in which numbers of types without a name
// are negative.
constexpr const char* schema = R"(
  PRAGMA application_id = 1413565257;
  PRAGMA user_version = 2;
  CREATE TABLE definition (
    number INTEGER PRIMARY KEY AUTOINCREMENT, kind INTEGER NOT NULL, container INTEGER NOT NULL,
    id TEXT NOT NULL, name TEXT NOT NULL COLLATE NOCASE, version TEXT NOT NULL, details BLOB NOT NULL) STRICT;
  CREATE UNIQUE INDEX definition_id ON definition (id);
  CREATE UNIQUE INDEX definition_name ON definition (name, container);
  CREATE INDEX definition_container ON definition (container);
  CREATE TABLE use (used INTEGER NOT NULL, user INTEGER NOT NULL, PRIMARY KEY (used, user)) STRICT, WITHOUT ROWID;
  CREATE TABLE unnamed (number INTEGER PRIMARY KEY AUTOINCREMENT, type TEXT NOT NULL) STRICT;
)";
// Version 1 had no types without a name that clients may change.
constexpr const char* upgrade = R"(
  PRAGMA user_version = 2;
  CREATE TABLE unnamed (number INTEGER PRIMARY KEY AUTOINCREMENT, type TEXT NOT NULL) STRICT;
)";
static_assert(application_id == 1413565257);

// The write-ahead log lets other processes read while one writes. Each commit is on disk before it returns.
constexpr const char* settings = R"(
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA journal_size_limit = 67108864;
  PRAGMA cache_size = -65536;
)";
constexpr int longest_wait_ms = 10'000;  // for another process's transaction

// Ends the use of a statement, also by an exception.
class Reset {
 public:
  explicit Reset(sqlite3_stmt* statement) : statement_(statement) {}
  Reset(const Reset&) = delete;
  ~Reset() { sqlite3_reset(statement_); }

 private:
  sqlite3_stmt* statement_;
};

Entry entry_at(sqlite3_stmt* row) {
  Entry entry;
  std::int64_t kind = 0;
  sqlite::get_all(row, entry.number, kind, entry.container, entry.id, entry.name, entry.version);
  if (kind < 0 || kind > static_cast<std::int64_t>(Kind::dk_LocalInterface))
    throw CORBA::PERSIST_STORE(0, CORBA::COMPLETED_NO, "the repository's file is damaged: an unknown kind");
  entry.kind = static_cast<Kind>(kind);
  return entry;
}

}  // namespace

struct Store::Statements {
  Prepared find, entry, id, name, contents, named, users, inheritable_users, count, insert, update, remove,
      put_use, remove_use, find_unnamed, insert_unnamed, update_unnamed, remove_unnamed, count_unnamed,
      begin_read, begin_change, commit;
};

Store::Store(sqlite::Database database)
    : database_(std::move(database)), statements_(sqlite::make_hidden<Statements>()) {}

namespace {

enum class Schema { current, unknown, failed };

// Makes the tables of a new file, and upgrades those of an earlier version.
Schema open_schema(sqlite3* database) {
  const auto ran = [&](const char* sql) { return sqlite::run(database, sql); };
  const auto number = [&](const char* sql) { return sqlite::number_of(database, sql); };
  // Two processes may make the file at the same time.
  if (!ran("BEGIN IMMEDIATE")) return Schema::failed;
  const auto tables = number("SELECT count(*) FROM sqlite_master");
  if (tables < 0 || (tables == 0 && !ran(schema))) return Schema::failed;
  const bool is_own = number("PRAGMA application_id") == application_id;
  if (is_own && number("PRAGMA user_version") == 1 && !ran(upgrade)) return Schema::failed;
  if (!ran("COMMIT")) return Schema::failed;
  return is_own && number("PRAGMA user_version") == version ? Schema::current : Schema::unknown;
}

}  // namespace

std::expected<Store, std::string> Store::open(const std::string& path) {
  sqlite3* opened = nullptr;
  const std::string name = path.empty() ? ":memory:" : path;
  const int result = sqlite3_open(name.c_str(), &opened);
  Store store{sqlite::Database(opened)};
  const auto refused = [&] {
    return std::unexpected(name + ": " + (opened ? sqlite::error_text(opened) : "out of memory"));
  };
  if (result != SQLITE_OK) return refused();
  sqlite3_busy_timeout(opened, longest_wait_ms);
  switch (open_schema(opened)) {
    case Schema::current:
      break;
    case Schema::unknown:
      return std::unexpected(name +
                             ": not an interface repository that this version can read; give another file");
    case Schema::failed:
      return refused();
  }
  if (!sqlite::run(opened, settings) || !store.prepare()) return refused();
  return store;
}

namespace {

// As SQL has a list.
std::string inheritable_kinds() {
  std::string list;
  for (auto kind = std::uint32_t{0}; kind <= static_cast<std::uint32_t>(Kind::dk_LocalInterface); ++kind)
    if (has_bases(static_cast<Kind>(kind))) list += (list.empty() ? "(" : ",") + std::to_string(kind);
  return list + ")";
}

}  // namespace

bool Store::prepare() {
  const std::string columns = "SELECT number, kind, container, id, name, version FROM definition ";
  bool all = true;
  const auto make = [&](const std::string& sql) {
    Prepared statement(sqlite::prepared(database_.get(), sql.c_str()));
    all = all && statement;
    return statement;
  };
  Statements& made = *statements_;
  made.find =
      make("SELECT number, kind, container, id, name, version, details FROM definition WHERE number = ?");
  made.entry = make(columns + "WHERE number = ?");
  made.id = make(columns + "WHERE id = ?");
  made.name = make(columns + "WHERE name = ? AND container = ?");
  made.contents = make(columns + "WHERE container = ? ORDER BY number LIMIT ?");
  made.named = make(columns + "WHERE name = ? ORDER BY number LIMIT ?");
  made.users = make("SELECT user FROM use WHERE used = ? ORDER BY user LIMIT ?");
  made.inheritable_users =
      make("SELECT user FROM use CROSS JOIN definition ON number = user WHERE used = ? AND kind IN " +
           inheritable_kinds() + " ORDER BY user LIMIT ?");
  made.count = make("SELECT count(*) FROM definition");
  made.insert = make("INSERT INTO definition VALUES (?,?,?,?,?,?,?)");
  made.update = make(
      "UPDATE definition SET kind = ?2, container = ?3, id = ?4, name = ?5, version = ?6, details = ?7 "
      "WHERE number = ?1");
  made.remove = make("DELETE FROM definition WHERE number = ?");
  made.put_use = make("INSERT INTO use VALUES (?,?)");
  made.remove_use = make("DELETE FROM use WHERE used = ? AND user = ?");
  made.find_unnamed = make("SELECT type FROM unnamed WHERE number = ?");
  made.insert_unnamed = make("INSERT INTO unnamed (type) VALUES (?)");
  made.update_unnamed = make("UPDATE unnamed SET type = ?2 WHERE number = ?1");
  made.remove_unnamed = make("DELETE FROM unnamed WHERE number = ?");
  made.count_unnamed = make("SELECT count(*) FROM unnamed");
  made.begin_read = make("BEGIN");
  made.begin_change = make("BEGIN IMMEDIATE");
  made.commit = make("COMMIT");
  return all;
}

void Store::set_longest_wait(std::chrono::milliseconds wait) {
  sqlite3_busy_timeout(database_.get(), static_cast<int>(wait.count()));
}

void Store::fail() const {
  if (sqlite3_errcode(database_.get()) == SQLITE_BUSY)
    throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO,
                           "another process changes the repository's file; try again later");
  throw CORBA::PERSIST_STORE(0, CORBA::COMPLETED_NO, sqlite3_errmsg(database_.get()));
}

bool Store::next(sqlite3_stmt* statement) {
  const int result = sqlite3_step(statement);
  if (result == SQLITE_ROW) return true;
  if (result == SQLITE_DONE) return false;
  fail();
}

void Store::finish(sqlite3_stmt* statement) {
  const Reset reset(statement);
  while (next(statement)) continue;
}

void Store::begin(Access access) {
  if (access == Access::change && sqlite::has_moved(database_.get()))
    throw CORBA::PERSIST_STORE(0, CORBA::COMPLETED_NO, sqlite::moved_text);
  finish((access == Access::read ? statements_->begin_read : statements_->begin_change).get());
  if (access == Access::change)
    last_number_ = std::max<Number>(
        0, sqlite::number_of(database_.get(), "SELECT ifnull(max(seq), 0) FROM sqlite_sequence"));
}

void Store::commit() { finish(statements_->commit.get()); }

void Store::roll_back() noexcept {
  if (!sqlite3_get_autocommit(database_.get()))
    sqlite3_exec(database_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
}

std::optional<Definition> Store::find(Number number) {
  sqlite3_stmt* statement = statements_->find.get();
  sqlite::bind(statement, 1, number);
  const Reset reset(statement);
  if (!next(statement)) return {};
  Definition found{entry_at(statement), {}};
  const auto* octets = static_cast<const std::uint8_t*>(sqlite3_column_blob(statement, 6));
  const auto length = static_cast<std::size_t>(sqlite3_column_bytes(statement, 6));
  if (!read_details({octets, length}, found.details))
    throw CORBA::PERSIST_STORE(0, CORBA::COMPLETED_NO,
                               "the repository's file is damaged at definition " + found.id);
  return found;
}

std::optional<Entry> Store::one_entry(sqlite3_stmt* statement) {
  const Reset reset(statement);
  if (!next(statement)) return {};
  return entry_at(statement);
}

std::optional<Entry> Store::find_entry(Number number) {
  sqlite3_stmt* statement = statements_->entry.get();
  sqlite::bind(statement, 1, number);
  return one_entry(statement);
}

std::optional<Entry> Store::find_id(const std::string& id) {
  sqlite3_stmt* statement = statements_->id.get();
  sqlite::bind(statement, 1, id);
  return one_entry(statement);
}

std::optional<Entry> Store::find_name(Number container, const std::string& name) {
  sqlite3_stmt* statement = statements_->name.get();
  sqlite::bind_all(statement, name, container);
  return one_entry(statement);
}

std::vector<Entry> Store::entries(sqlite3_stmt* statement) {
  const Reset reset(statement);
  std::vector<Entry> all;
  while (next(statement)) all.push_back(entry_at(statement));
  return all;
}

std::vector<Entry> Store::contents(Number container, std::size_t limit) {
  sqlite3_stmt* statement = statements_->contents.get();
  sqlite::bind_all(statement, container, limit);
  return entries(statement);
}

std::vector<Entry> Store::named(const std::string& name, std::size_t limit) {
  sqlite3_stmt* statement = statements_->named.get();
  sqlite::bind_all(statement, name, limit);
  return entries(statement);
}

std::vector<Number> Store::users(Number number, std::size_t limit) {
  return numbers(statements_->users.get(), number, limit);
}
std::vector<Number> Store::inheritable_users(Number number, std::size_t limit) {
  return numbers(statements_->inheritable_users.get(), number, limit);
}

std::vector<Number> Store::numbers(sqlite3_stmt* statement, Number first, std::size_t limit) {
  sqlite::bind_all(statement, first, limit);
  const Reset reset(statement);
  std::vector<Number> all;
  while (next(statement)) all.push_back(sqlite3_column_int64(statement, 0));
  return all;
}

std::uint64_t Store::count() { return counted(statements_->count.get()); }
std::uint64_t Store::count_unnamed() { return counted(statements_->count_unnamed.get()); }

std::uint64_t Store::counted(sqlite3_stmt* statement) {
  const Reset reset(statement);
  if (!next(statement)) fail();
  return static_cast<std::uint64_t>(sqlite3_column_int64(statement, 0));
}

std::uint64_t Store::rows_scanned() const {
  const Statements& all = *statements_;
  std::uint64_t rows = 0;
  for (const Prepared* each :
       {&all.find, &all.entry, &all.id, &all.name, &all.contents, &all.named, &all.users,
        &all.inheritable_users, &all.insert, &all.update, &all.remove, &all.put_use, &all.remove_use,
        &all.find_unnamed, &all.update_unnamed, &all.remove_unnamed})
    rows += static_cast<std::uint64_t>(sqlite3_stmt_status(each->get(), SQLITE_STMTSTATUS_FULLSCAN_STEP, 0));
  return rows;
}

Number Store::next_number() { return ++last_number_; }

namespace {

std::vector<Number> used_by(const std::string& type) {
  const Number used = used_in(type);
  return used ? std::vector{used} : std::vector<Number>();
}

void bind_definition(sqlite3_stmt* statement, const Definition& definition,
                     const std::vector<std::uint8_t>& details) {
  sqlite::bind_all(statement, definition.number, definition.kind, definition.container, definition.id,
                   definition.name, definition.version);
  sqlite3_bind_blob64(statement, 7, details.data(), details.size(), SQLITE_STATIC);
}

}  // namespace

void Store::insert(const Definition& definition) {
  const auto details = octets_of(definition.details);
  bind_definition(statements_->insert.get(), definition, details);
  finish(statements_->insert.get());
  put_uses(definition.number, used_by(definition.details));
}

void Store::update(const Definition& old, const Definition& definition) {
  remove_uses(old.number, used_by(old.details));
  const auto details = octets_of(definition.details);
  bind_definition(statements_->update.get(), definition, details);
  finish(statements_->update.get());
  put_uses(definition.number, used_by(definition.details));
}

void Store::remove(const Definition& definition) {
  remove_uses(definition.number, used_by(definition.details));
  sqlite::bind(statements_->remove.get(), 1, definition.number);
  finish(statements_->remove.get());
}

std::optional<std::string> Store::find_unnamed(Number number) {
  sqlite3_stmt* statement = statements_->find_unnamed.get();
  sqlite::bind(statement, 1, -number);
  const Reset reset(statement);
  if (!next(statement)) return {};
  std::string type;
  sqlite::get(statement, 0, type);
  return type;
}

Number Store::insert_unnamed(const std::string& type) {
  sqlite::bind(statements_->insert_unnamed.get(), 1, type);
  finish(statements_->insert_unnamed.get());
  const Number number = -sqlite3_last_insert_rowid(database_.get());
  put_uses(number, used_by(type));
  return number;
}

void Store::update_unnamed(Number number, const std::string& old, const std::string& type) {
  remove_uses(number, used_by(old));
  sqlite::bind_all(statements_->update_unnamed.get(), -number, type);
  finish(statements_->update_unnamed.get());
  put_uses(number, used_by(type));
}

void Store::remove_unnamed(Number number, const std::string& old) {
  remove_uses(number, used_by(old));
  sqlite::bind(statements_->remove_unnamed.get(), 1, -number);
  finish(statements_->remove_unnamed.get());
}

std::string Store::expanded(const std::string& type, std::size_t nesting) {
  std::string text = type;
  for (std::size_t level = 0; level <= nesting; ++level) {
    const Number used = used_in(text);
    if (used >= 0) return text;
    const auto inner = find_unnamed(used);
    if (!inner)
      throw CORBA::PERSIST_STORE(0, CORBA::COMPLETED_NO,
                                 "the repository's file is damaged: a type without a name is missing");
    text.replace(text.size() - unnamed_text(used).size(), std::string::npos, *inner);
  }
  throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO, "types without a name nest too deep");
}

void Store::put_uses(Number user, const std::vector<Number>& all) {
  for (const Number used : all) {
    sqlite::bind_all(statements_->put_use.get(), used, user);
    finish(statements_->put_use.get());
  }
}

void Store::remove_uses(Number user, const std::vector<Number>& all) {
  for (const Number used : all) {
    sqlite::bind_all(statements_->remove_use.get(), used, user);
    finish(statements_->remove_use.get());
  }
}

}  // namespace takt::ifr
