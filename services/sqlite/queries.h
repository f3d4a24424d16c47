// Short queries on SQLite databases, which the stores of services share. One thread at a time per database.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <string>
#include <system_error>

namespace takt::sqlite {

// Null if SQLite refuses it; sqlite3_errmsg() then says why. For statements that are kept.
inline sqlite3_stmt* prepared(sqlite3* database, const char* sql) {
  sqlite3_stmt* statement = nullptr;
  sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  return statement;
}

// The text of the last failure, with the system's reason if there is one: a full disk, a missing folder.
inline std::string error_text(sqlite3* database) {
  const int kind = sqlite3_errcode(database) & 0xff, reason = sqlite3_system_errno(database);
  const std::string text = sqlite3_errmsg(database);
  if (reason == 0 || (kind != SQLITE_CANTOPEN && kind != SQLITE_IOERR)) return text;
  return text + " (" + std::generic_category().message(reason) + ')';
}

// The first column of the first row; -1 if there is none, or SQLite fails.
inline std::int64_t number_of(sqlite3* database, const char* sql) {
  sqlite3_stmt* statement = nullptr;
  sqlite3_prepare_v2(database, sql, -1, &statement, nullptr);
  const std::int64_t number =
      statement && sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : -1;
  sqlite3_finalize(statement);
  return number;
}

// Whether SQLite has carried out all statements of the text.
inline bool run(sqlite3* database, const char* sql) {
  return sqlite3_exec(database, sql, nullptr, nullptr, nullptr) == SQLITE_OK;
}

}  // namespace takt::sqlite
