// SQLite databases of services: opening a file for one process alone, and what stores do with statements.
#pragma once

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <system_error>
#include <utility>

#include "sqlite/handles.h"
#include "sqlite/hidden.h"
#include "sqlite/moved.h"
#include "sqlite/queries.h"
#include "sqlite/store_fault.h"

namespace takt::sqlite {

// The kind of a store. `schema` makes an empty database one of this kind: it sets application_id and
// user_version too. `name`: "an event store". `is_private`: only its owner may read or write it.
struct Kind {
  std::int64_t application_id, version;
  const char* schema;
  const char* name;
  bool is_private = false;
};

// Why this process may not write the file or, for SQLite's own files beside it, its folder; empty if it may.
inline std::string missing_permission(const std::string& path) {
  const auto parent = std::filesystem::path(path).parent_path();
  for (const std::string& one : {path, parent.empty() ? std::string(".") : parent.string()})
    if (::faccessat(AT_FDCWD, one.c_str(), W_OK, AT_EACCESS) != 0 && errno != ENOENT)
      return one + " cannot be written by user " + std::to_string(::geteuid()) + " (" +
             std::generic_category().message(errno) + "); give permission to write the file and its folder";
  return {};
}

// Whether the database is one of the kind. `is_new`: it has no tables yet.
inline bool is_of(sqlite3* database, const Kind& kind, bool is_new) {
  const auto application = number_of(database, "PRAGMA application_id");
  const auto version = number_of(database, "PRAGMA user_version");
  return (application == kind.application_id && version == kind.version) ||
         (is_new && application == 0 && version == 0);
}

// Makes the file its owner's alone, and with it those that SQLite makes beside it later.
inline bool make_private(const std::string& path) {
  using std::filesystem::perms;
  std::error_code failed;
  const perms others = perms::group_all | perms::others_all;
  const perms now = std::filesystem::status(path, failed).permissions();
  if (!failed && (now & others) == perms::none) return true;
  std::filesystem::permissions(path, perms::owner_read | perms::owner_write, failed);
  return !failed;
}

// Makes an empty file that is its owner's alone from its first moment, if there is none at the path. SQLite's
// would be for all that the umask permits. SQLite tells why there is none after this.
inline void begin_private(const std::string& path) {
  constexpr mode_t for_owner = 0600;
  const int made = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, for_owner);
  if (made >= 0) ::close(made);  // no other connection of this process has a lock of it that would end
}

// The reason for which the last statement has failed on a database that is being opened; it may be null.
inline std::string why_not_opened(const std::string& path, sqlite3* database) {
  if (!database) return "out of memory";
  if (sqlite3_errcode(database) == SQLITE_BUSY)
    return "another process has it open; give another file, or end that process";
  const std::string not_permitted = missing_permission(path);
  return not_permitted.empty() ? error_text(database) : not_permitted;
}

// Locks the file while it is open. Each commit is on disk before it returns. On failure the reason, with the
// path: the file cannot be opened, is of another kind, or belongs to another process. A file of another kind
// is left as it was.
inline std::expected<Database, std::string> open_alone(const std::string& path, const Kind& kind) {
  // Exclusive mode needs no shared-memory file, which a full disk could take away.
  constexpr const char* settings = R"(
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA journal_size_limit = 67108864;
    PRAGMA wal_autocheckpoint = 4000;
  )";
  if (kind.is_private) begin_private(path);
  sqlite3* opened = nullptr;
  const int result = sqlite3_open(path.c_str(), &opened);
  Database database(opened);
  const auto refused = [&] { return std::unexpected(path + ": " + why_not_opened(path, opened)); };
  if (result != SQLITE_OK || !run(opened, "PRAGMA locking_mode = EXCLUSIVE")) return refused();
  const auto tables = number_of(opened, "SELECT count(*) FROM sqlite_master");
  if (tables < 0) return refused();
  if (!is_of(opened, kind, tables == 0))
    return std::unexpected(path + ": not " + kind.name + " that this version can read; give another file");
  if (kind.is_private && !make_private(path))
    return std::unexpected(path + ": belongs to another user, and only its owner may write " + kind.name);
  if (!run(opened, settings)) return refused();
  if (tables == 0 && !(run(opened, "BEGIN IMMEDIATE") && run(opened, kind.schema) && run(opened, "COMMIT")))
    return refused();
  return database;
}

// A statement that a store keeps.
struct KeptStatement {
  Prepared& statement;
  const char* sql;
};

// Prepares them all; false if SQLite refuses one, and sqlite3_errmsg() then says why.
inline bool prepare(sqlite3* database, std::initializer_list<KeptStatement> kept) {
  for (const KeptStatement& each : kept) {
    each.statement.reset(prepared(database, each.sql));
    if (!each.statement) return false;
  }
  return true;
}

// Opens a store of that kind, as open_alone(). `Statements` has a `database` and prepare(), as above.
// `first`: statements that are carried out before, as far as they can be; may be null.
template <class Statements>
std::expected<Hidden<Statements>, std::string> open_prepared(const std::string& path, const Kind& kind,
                                                             const char* first = nullptr) {
  auto database = open_alone(path, kind);
  if (!database) return std::unexpected(std::move(database.error()));
  auto statements = make_hidden<Statements>();
  statements->database = std::move(*database);
  if (first) run(statements->database.get(), first);
  if (!statements->prepare())
    return std::unexpected(path + ": " + sqlite3_errmsg(statements->database.get()));
  return statements;
}

// Carries out `change`, which returns whether SQLite has done all, in a transaction of its own: all or
// nothing.
template <class Change>
std::expected<void, StoreFault> in_transaction(sqlite3* database, const Change& change) {
  const auto failed = [&](bool maybe_done) {
    const StoreFault why{sqlite3_errmsg(database), maybe_done};
    if (!sqlite3_get_autocommit(database)) run(database, "ROLLBACK");
    return std::unexpected(why);
  };
  if (has_moved(database)) return std::unexpected(StoreFault{moved_text, false});
  try {
    if (!run(database, "BEGIN IMMEDIATE") || !change()) return failed(false);
    if (!run(database, "COMMIT")) return failed(true);
  } catch (...) {  // no memory
    if (!sqlite3_get_autocommit(database)) run(database, "ROLLBACK");
    throw;
  }
  return {};
}

}  // namespace takt::sqlite
