#include "imr/store/store.h"

#include <string_view>
#include <unordered_map>
#include <utility>

#include "sqlite/database.h"

namespace takt::imr {
namespace {

constexpr sqlite::Kind kind{.application_id = 0x54414b41,  // "TAKA"
                            .version = 1,
                            .schema = R"(
  PRAGMA application_id = 1413565249;
  PRAGMA user_version = 1;
  CREATE TABLE server (
    name TEXT PRIMARY KEY, token TEXT NOT NULL, command BLOB NOT NULL, environment BLOB NOT NULL,
    directory TEXT NOT NULL, reference_file TEXT NOT NULL, output_file TEXT NOT NULL, mode INTEGER NOT NULL,
    start_limit INTEGER NOT NULL, longest_start_ms INTEGER NOT NULL, longest_stop_ms INTEGER NOT NULL,
    first_pause_ms INTEGER NOT NULL, longest_pause_ms INTEGER NOT NULL, most_processes INTEGER NOT NULL)
    STRICT;
  CREATE TABLE process (
    server TEXT NOT NULL, start INTEGER NOT NULL, child INTEGER NOT NULL, has_life INTEGER NOT NULL,
    local INTEGER NOT NULL, pid INTEGER NOT NULL, place_pid INTEGER NOT NULL, identity TEXT NOT NULL, reference TEXT NOT NULL) STRICT;
  CREATE INDEX process_server ON process (server);
)",
                            .name = "a store of an implementation repository",
                            .is_private = true};  // it contains commands
static_assert(kind.application_id == 1413565249);

// Each text is followed by an octet 0, which no text has.
std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& each : texts) all.append(each).push_back('\0');
  return all;
}

std::vector<std::string> split(std::string_view all) {
  std::vector<std::string> texts;
  for (auto end = all.find('\0'); end != std::string_view::npos; end = all.find('\0')) {
    texts.emplace_back(all.substr(0, end));
    all.remove_prefix(end + 1);
  }
  return texts;
}

// The column was a truth value before servers of TAO came.
PlaceKind kind_of(std::int64_t number) {
  return number == 2 ? PlaceKind::server_object : number == 0 ? PlaceKind::main_object : PlaceKind::life;
}

Definition definition_in(sqlite3_stmt* row) {
  const auto number = [&](int column) {
    return static_cast<std::uint32_t>(sqlite3_column_int64(row, column));
  };
  const auto time = [&](int column) { return std::chrono::milliseconds(sqlite3_column_int64(row, column)); };
  return {.name = sqlite::octets_at(row, 0),
          .command = split(sqlite::octets_at(row, 2)),
          .directory = sqlite::octets_at(row, 4),
          .environment = split(sqlite::octets_at(row, 3)),
          .mode = static_cast<Mode>(sqlite3_column_int64(row, 7)),
          .start_limit = number(8),
          .longest_start = time(9),
          .longest_stop = time(10),
          .first_pause = time(11),
          .longest_pause = time(12),
          .most_processes = number(13),
          .reference_file = sqlite::octets_at(row, 5),
          .output_file = sqlite::octets_at(row, 6)};
}

StoredProcess process_in(sqlite3_stmt* row) {
  return {.start = static_cast<std::uint64_t>(sqlite3_column_int64(row, 1)),
          .child = sqlite3_column_int64(row, 2) != 0,
          .kind = kind_of(sqlite3_column_int64(row, 3)),
          .local = sqlite3_column_int64(row, 4) != 0,
          .pid = static_cast<std::int32_t>(sqlite3_column_int64(row, 5)),
          .place_pid = static_cast<std::int32_t>(sqlite3_column_int64(row, 6)),
          .identity = sqlite::octets_at(row, 7),
          .reference = sqlite::octets_at(row, 8)};
}

bool insert(sqlite3_stmt* statement, const std::string& server, const StoredProcess& process) {
  sqlite::bind_text(statement, 1, server);
  sqlite3_bind_int64(statement, 2, static_cast<std::int64_t>(process.start));
  sqlite3_bind_int64(statement, 3, process.child);
  sqlite3_bind_int64(statement, 4, static_cast<std::int64_t>(process.kind));
  sqlite3_bind_int64(statement, 5, process.local);
  sqlite3_bind_int64(statement, 6, process.pid);
  sqlite3_bind_int64(statement, 7, process.place_pid);
  sqlite::bind_text(statement, 8, process.identity);
  sqlite::bind_text(statement, 9, process.reference);
  return sqlite::done(statement);
}

}  // namespace

struct Store::Statements {
  sqlite::Database database;
  sqlite::Prepared write, remove, forget, add_process;

  bool prepare() {
    return sqlite::prepare(database.get(),
                           {{write, "INSERT OR REPLACE INTO server VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)"},
                            {remove, "DELETE FROM server WHERE name = ?"},
                            {forget, "DELETE FROM process WHERE server = ?"},
                            {add_process, "INSERT INTO process VALUES (?,?,?,?,?,?,?,?,?)"}});
  }

  // Carries out `change` in a transaction of its own.
  template <class Change>
  Done transaction(const Change& change) const {
    auto done = sqlite::in_transaction(database.get(), change);
    if (!done) return std::unexpected(std::move(done.error().text));
    return {};
  }
  bool done_for(const sqlite::Prepared& statement, const std::string& name) const {
    sqlite::bind_text(statement.get(), 1, name);
    return sqlite::done(statement.get());
  }
};

Store::Store(std::unique_ptr<Statements> statements) : statements_(std::move(statements)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

std::expected<Store, std::string> Store::open(const std::string& path) {
  auto statements = sqlite::open_prepared<Statements>(path, kind);
  if (!statements) return std::unexpected(std::move(statements.error()));
  return Store(std::move(*statements));
}

std::expected<std::vector<StoredServer>, std::string> Store::read() const {
  sqlite3* const database = statements_->database.get();
  std::vector<StoredServer> servers;
  std::unordered_map<std::string, std::size_t> places;
  const sqlite::Prepared rows(sqlite::prepared(database, "SELECT * FROM server ORDER BY name"));
  int step = SQLITE_ERROR;
  while (rows && (step = sqlite3_step(rows.get())) == SQLITE_ROW) {
    StoredServer server{.definition = definition_in(rows.get()), .token = sqlite::octets_at(rows.get(), 1)};
    if (auto valid = validate(server.definition, Limits());
        !valid || server.definition.mode > Mode::automatic)
      return std::unexpected("server " + server.definition.name + " is damaged");
    places.emplace(server.definition.name, servers.size());
    servers.push_back(std::move(server));
  }
  if (step != SQLITE_DONE) return std::unexpected(sqlite3_errmsg(database));
  const sqlite::Prepared processes(sqlite::prepared(database, "SELECT * FROM process"));
  step = SQLITE_ERROR;
  while (processes && (step = sqlite3_step(processes.get())) == SQLITE_ROW) {
    const auto server = places.find(sqlite::octets_at(processes.get(), 0));
    if (server != places.end()) servers[server->second].processes.push_back(process_in(processes.get()));
  }
  if (step != SQLITE_DONE) return std::unexpected(sqlite3_errmsg(database));
  return servers;
}

Store::Done Store::write(const Definition& one, const std::string& token) {
  sqlite3_stmt* const statement = statements_->write.get();
  const std::string command = joined(one.command), environment = joined(one.environment);
  sqlite::bind_text(statement, 1, one.name);
  sqlite::bind_text(statement, 2, token);
  sqlite::bind_octets(statement, 3, command);
  sqlite::bind_octets(statement, 4, environment);
  sqlite::bind_text(statement, 5, one.directory);
  sqlite::bind_text(statement, 6, one.reference_file);
  sqlite::bind_text(statement, 7, one.output_file);
  sqlite3_bind_int64(statement, 8, static_cast<std::int64_t>(one.mode));
  sqlite3_bind_int64(statement, 9, one.start_limit);
  sqlite3_bind_int64(statement, 10, one.longest_start.count());
  sqlite3_bind_int64(statement, 11, one.longest_stop.count());
  sqlite3_bind_int64(statement, 12, one.first_pause.count());
  sqlite3_bind_int64(statement, 13, one.longest_pause.count());
  sqlite3_bind_int64(statement, 14, one.most_processes);
  return statements_->transaction([&] { return sqlite::done(statement); });
}

Store::Done Store::remove(const std::string& name) {
  return statements_->transaction([&] {
    return statements_->done_for(statements_->remove, name) &&
           statements_->done_for(statements_->forget, name);
  });
}

Store::Done Store::write_processes(const std::string& name, const std::vector<StoredProcess>& processes) {
  sqlite3* const database = statements_->database.get();
  sqlite::run(database, "PRAGMA synchronous = NORMAL");  // no commit is synchronised, but a checkpoint is
  auto done = statements_->transaction([&] {
    if (!statements_->done_for(statements_->forget, name)) return false;
    for (const StoredProcess& each : processes)
      if (!insert(statements_->add_process.get(), name, each)) return false;
    return true;
  });
  sqlite::run(database, "PRAGMA synchronous = FULL");
  return done;
}

}  // namespace takt::imr
