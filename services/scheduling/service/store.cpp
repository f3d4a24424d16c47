#include "scheduling/service/store.h"

#include <sqlite3.h>

#include <cstdint>
#include <string>

#include "sqlite/moved.h"
#include "sqlite/queries.h"
#include "sqlite/rows.h"

namespace takt::scheduling {
namespace {

constexpr int application_id = 0x54414b53;  // "TAKS"
constexpr int version = 1;
constexpr int patience_ms = 5000;  // wait for another process that is writing

constexpr const char* schema = R"(
  PRAGMA application_id = 1413565267;
  PRAGMA user_version = 1;
  CREATE TABLE operation (
    handle INTEGER PRIMARY KEY, entry_point TEXT NOT NULL UNIQUE,
    worst_ns INTEGER NOT NULL, typical_ns INTEGER NOT NULL, cached_ns INTEGER NOT NULL, period_ns INTEGER NOT NULL,
    criticality INTEGER NOT NULL, importance INTEGER NOT NULL, quantum_ns INTEGER NOT NULL, threads INTEGER NOT NULL,
    deadline_ns INTEGER NOT NULL, phase_ns INTEGER NOT NULL, jitter_ns INTEGER NOT NULL, blocking_ns INTEGER NOT NULL,
    processor INTEGER NOT NULL) STRICT;
  CREATE TABLE dependency (
    handle INTEGER NOT NULL REFERENCES operation, place INTEGER NOT NULL, on_handle INTEGER NOT NULL,
    calls INTEGER NOT NULL, type INTEGER NOT NULL, PRIMARY KEY (handle, place)) STRICT, WITHOUT ROWID;
)";
static_assert(application_id == 1413565267);

using Done = std::expected<void, std::string>;  // the reason if it failed

// Carries out the statement with these values. A single statement is a transaction of its own.
template <class... Value>
Done carry_out(sqlite3* database, const char* sql, const Value&... values) {
  if (sqlite::has_moved(database)) return std::unexpected(sqlite::moved_text);
  const sqlite::Prepared statement(sqlite::prepared(database, sql));
  if (statement && sqlite::done_with(statement, values...)) return {};
  return std::unexpected(sqlite3_errmsg(database));
}

template <class Enumeration>
Enumeration level(std::int64_t number) {
  return number >= 0 && number < 5 ? static_cast<Enumeration>(number) : Enumeration::medium;
}

Done read_operations(sqlite3* database, Repository& repository) {
  return sqlite::for_each(
      database, "SELECT * FROM operation ORDER BY handle", [&](sqlite3_stmt* row) -> Done {
        std::int64_t number = 0, criticality = 0, importance = 0;
        std::string entry_point;
        Requirements needs;
        sqlite::get_all(row, number, entry_point, needs.worstcase_execution_time,
                        needs.typical_execution_time, needs.cached_execution_time, needs.period, criticality,
                        importance, needs.quantum, needs.threads, needs.deadline, needs.phase, needs.jitter,
                        needs.blocking, needs.processor);
        needs.criticality = level<Criticality>(criticality);
        needs.importance = level<Importance>(importance);
        const auto handle = repository.create(entry_point);
        if (!handle) return std::unexpected(handle.error().text);
        if (*handle != number) return std::unexpected("operation " + std::to_string(*handle) + " is missing");
        if (const auto set = repository.set(*handle, needs); !set) return std::unexpected(set.error().text);
        return {};
      });
}

Done read_dependencies(sqlite3* database, Repository& repository) {
  return sqlite::for_each(
      database, "SELECT handle, on_handle, calls, type FROM dependency ORDER BY handle, place",
      [&](sqlite3_stmt* row) -> Done {
        Handle handle = 0, on = 0;
        std::int64_t calls = 0, type = 0;
        sqlite::get_all(row, handle, on, calls, type);
        const auto added = repository.add_dependency(
            handle, on, calls, type == 0 ? DependencyType::two_way : DependencyType::one_way);
        if (!added) return std::unexpected(added.error().text);
        return {};
      });
}

}  // namespace

std::expected<Store, std::string> Store::open(const std::string& path) {
  sqlite3* opened = nullptr;
  const int result = sqlite3_open(path.c_str(), &opened);
  sqlite::Database database(opened);
  if (result != SQLITE_OK)
    return std::unexpected(path + ": " + (opened ? sqlite3_errmsg(opened) : "out of memory"));
  sqlite3_busy_timeout(opened, patience_ms);
  const auto is_new = sqlite::number_of(opened, "SELECT count(*) FROM sqlite_master") == 0;
  const bool ready = is_new ? sqlite::run(opened, "BEGIN IMMEDIATE") && sqlite::run(opened, schema) &&
                                  sqlite::run(opened, "COMMIT")
                            : sqlite::number_of(opened, "PRAGMA application_id") == application_id &&
                                  sqlite::number_of(opened, "PRAGMA user_version") == version;
  if (!ready)
    return std::unexpected(
        path + ": not a store of operations that this version can read" +
        (sqlite3_errcode(opened) == SQLITE_OK ? "" : " (" + std::string(sqlite3_errmsg(opened)) + ")") +
        "; give another file");
  // Each commit is on disk before the caller gets the answer.
  if (!sqlite::run(opened, "PRAGMA journal_mode = WAL") || !sqlite::run(opened, "PRAGMA synchronous = FULL"))
    return std::unexpected(path + ": " + sqlite3_errmsg(opened));
  return Store(std::move(database));
}

std::expected<Repository, std::string> Store::read() const {
  Repository repository;
  if (const auto operations = read_operations(database_.get(), repository); !operations)
    return std::unexpected(operations.error());
  if (const auto dependencies = read_dependencies(database_.get(), repository); !dependencies)
    return std::unexpected(dependencies.error());
  return repository;
}

std::expected<void, std::string> Store::write(const RtInfo& info) {
  return carry_out(database_.get(), "INSERT OR REPLACE INTO operation VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                   info.handle, info.entry_point, info.worstcase_execution_time, info.typical_execution_time,
                   info.cached_execution_time, info.period, info.criticality, info.importance, info.quantum,
                   info.threads, info.deadline, info.phase, info.jitter, info.blocking, info.processor);
}

std::expected<void, std::string> Store::write_last_dependency(const RtInfo& info) {
  const DependencyInfo& last = info.dependencies.back();
  return carry_out(database_.get(), "INSERT INTO dependency VALUES (?,?,?,?,?)", info.handle,
                   info.dependencies.size() - 1, last.rt_info, last.number_of_calls, last.type);
}

}  // namespace takt::scheduling
