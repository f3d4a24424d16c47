// Rows of SQLite tables: values into statements, and columns into values.
#pragma once

#include <sqlite3.h>

#include <chrono>
#include <concepts>
#include <cstdint>
#include <expected>
#include <string>
#include <type_traits>

#include "sqlite/handles.h"
#include "sqlite/queries.h"

namespace takt::sqlite {

template <class T>
concept Integer = std::integral<T> || std::is_enum_v<T>;

// Octets for a column that is a BLOB; a string by itself is for one that is TEXT. Empty ones are stored as
// such, not as NULL.
struct Blob {
  const std::string& octets;
};

// The octets of strings and blobs must outlive the step.
inline void bind(sqlite3_stmt* statement, int place, const std::string& text) {
  sqlite3_bind_text64(statement, place, text.empty() ? "" : text.data(), text.size(), SQLITE_STATIC,
                      SQLITE_UTF8);
}
inline void bind(sqlite3_stmt* statement, int place, Blob blob) {
  sqlite3_bind_blob64(statement, place, blob.octets.empty() ? "" : blob.octets.data(), blob.octets.size(),
                      SQLITE_STATIC);
}
void bind(sqlite3_stmt* statement, int place, Integer auto number) {
  sqlite3_bind_int64(statement, place, static_cast<std::int64_t>(number));
}
template <class Period>
void bind(sqlite3_stmt* statement, int place, std::chrono::duration<std::int64_t, Period> time) {
  sqlite3_bind_int64(statement, place, time.count());
}

// Binds the statement's first values, in this order.
template <class... Value>
void bind_all(sqlite3_stmt* statement, const Value&... values) {
  int place = 0;
  (bind(statement, ++place, values), ...);
}

// Carries out a statement without results, and makes it ready for the next time. False if SQLite fails.
template <class... Value>
bool done_with(const Prepared& statement, const Value&... values) {
  bind_all(statement.get(), values...);
  const bool stepped = sqlite3_step(statement.get()) == SQLITE_DONE;
  sqlite3_reset(statement.get());
  return stepped;
}

// Text or octets.
inline void get(sqlite3_stmt* row, int column, std::string& octets) {
  const void* first = sqlite3_column_blob(row, column);
  const auto length = static_cast<std::size_t>(sqlite3_column_bytes(row, column));
  octets = first ? std::string(static_cast<const char*>(first), length) : std::string();
}
// Does not check that the value has such an enumerator.
void get(sqlite3_stmt* row, int column, Integer auto& number) {
  number = static_cast<std::remove_reference_t<decltype(number)>>(sqlite3_column_int64(row, column));
}
template <class Period>
void get(sqlite3_stmt* row, int column, std::chrono::duration<std::int64_t, Period>& time) {
  time = std::chrono::duration<std::int64_t, Period>(sqlite3_column_int64(row, column));
}

// Reads the row's first columns, in this order.
template <class... Value>
void get_all(sqlite3_stmt* row, Value&... values) {
  int column = 0;
  (get(row, column++, values), ...);
}

// Calls `each` for every row until it refuses one: it returns nothing, or why the row is damaged. Returns
// that, or SQLite's reason if it fails.
template <class Each>
std::expected<void, std::string> for_each(sqlite3* database, const char* query, const Each& each) {
  const Prepared rows(prepared(database, query));
  int step = SQLITE_ERROR;
  while (rows && (step = sqlite3_step(rows.get())) == SQLITE_ROW) {
    if constexpr (std::is_void_v<decltype(each(rows.get()))>)
      each(rows.get());
    else if (std::expected<void, std::string> sound = each(rows.get()); !sound)
      return sound;
  }
  if (step != SQLITE_DONE) return std::unexpected(sqlite3_errmsg(database));
  return {};
}

}  // namespace takt::sqlite
