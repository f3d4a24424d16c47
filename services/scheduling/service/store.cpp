#include "scheduling/service/store.h"

#include <sqlite3.h>

#include <initializer_list>

#include "sqlite/moved.h"
#include "sqlite/queries.h"

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

// A prepared statement with bound values. Turns false when a step fails, and stays false.
class Statement {
 public:
  Statement(sqlite3* database, const char* sql) {
    sqlite3_prepare_v2(database, sql, -1, &statement_, nullptr);
  }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement() { sqlite3_finalize(statement_); }

  void bind(int place, std::int64_t value) { sqlite3_bind_int64(statement_, place, value); }
  void bind(int place, const std::string& value) {
    sqlite3_bind_text(statement_, place, value.data(), static_cast<int>(value.size()), SQLITE_STATIC);
  }
  int step() { return statement_ ? sqlite3_step(statement_) : SQLITE_ERROR; }
  std::int64_t number(int column) const { return sqlite3_column_int64(statement_, column); }
  Time time(int column) const { return Time(number(column)); }
  std::string text(int column) const {
    const auto* octets = sqlite3_column_text(statement_, column);
    const auto length = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
    return octets ? std::string(reinterpret_cast<const char*>(octets), length) : std::string();
  }

 private:
  sqlite3_stmt* statement_ = nullptr;
};

// A single statement is a transaction of its own.
std::expected<void, std::string> carried_out(sqlite3* database, Statement& statement) {
  if (sqlite::has_moved(database)) return std::unexpected(sqlite::moved_text);
  if (statement.step() == SQLITE_DONE) return {};
  return std::unexpected(sqlite3_errmsg(database));
}

template <class Enumeration>
Enumeration level(std::int64_t number) {
  return number >= 0 && number < 5 ? static_cast<Enumeration>(number) : Enumeration::medium;
}

Requirements requirements_of(const Statement& row) {
  Requirements needs;
  needs.worstcase_execution_time = row.time(2);
  needs.typical_execution_time = row.time(3);
  needs.cached_execution_time = row.time(4);
  needs.period = row.time(5);
  needs.criticality = level<Criticality>(row.number(6));
  needs.importance = level<Importance>(row.number(7));
  needs.quantum = row.time(8);
  needs.threads = static_cast<std::int32_t>(row.number(9));
  needs.deadline = row.time(10);
  needs.phase = row.time(11);
  needs.jitter = row.time(12);
  needs.blocking = row.time(13);
  needs.processor = static_cast<std::int32_t>(row.number(14));
  return needs;
}

std::expected<void, std::string> read_operations(sqlite3* database, Repository& repository) {
  Statement rows(database, "SELECT * FROM operation ORDER BY handle");
  int step;
  while ((step = rows.step()) == SQLITE_ROW) {
    const auto handle = repository.create(rows.text(1));
    if (!handle) return std::unexpected(handle.error().text);
    if (*handle != rows.number(0))
      return std::unexpected("operation " + std::to_string(*handle) + " is missing");
    if (const auto set = repository.set(*handle, requirements_of(rows)); !set)
      return std::unexpected(set.error().text);
  }
  if (step != SQLITE_DONE) return std::unexpected(sqlite3_errmsg(database));
  return {};
}

std::expected<void, std::string> read_dependencies(sqlite3* database, Repository& repository) {
  Statement rows(database, "SELECT * FROM dependency ORDER BY handle, place");
  int step;
  while ((step = rows.step()) == SQLITE_ROW) {
    const auto type = rows.number(4) == 0 ? DependencyType::two_way : DependencyType::one_way;
    const auto added = repository.add_dependency(static_cast<Handle>(rows.number(0)),
                                                 static_cast<Handle>(rows.number(2)), rows.number(3), type);
    if (!added) return std::unexpected(added.error().text);
  }
  if (step != SQLITE_DONE) return std::unexpected(sqlite3_errmsg(database));
  return {};
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
  Statement statement(database_.get(),
                      "INSERT OR REPLACE INTO operation VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
  statement.bind(1, info.handle);
  statement.bind(2, info.entry_point);
  int place = 3;
  for (const std::int64_t value :
       {info.worstcase_execution_time.count(), info.typical_execution_time.count(),
        info.cached_execution_time.count(), info.period.count(), static_cast<std::int64_t>(info.criticality),
        static_cast<std::int64_t>(info.importance), info.quantum.count(), std::int64_t{info.threads},
        info.deadline.count(), info.phase.count(), info.jitter.count(), info.blocking.count(),
        std::int64_t{info.processor}})
    statement.bind(place++, value);
  return carried_out(database_.get(), statement);
}

std::expected<void, std::string> Store::write_last_dependency(const RtInfo& info) {
  Statement statement(database_.get(), "INSERT INTO dependency VALUES (?,?,?,?,?)");
  const auto place = static_cast<std::int64_t>(info.dependencies.size()) - 1;
  const DependencyInfo& last = info.dependencies.back();
  int at = 1;
  for (const std::int64_t value : {std::int64_t{info.handle}, place, std::int64_t{last.rt_info},
                                   last.number_of_calls, static_cast<std::int64_t>(last.type)})
    statement.bind(at++, value);
  return carried_out(database_.get(), statement);
}

}  // namespace takt::scheduling
