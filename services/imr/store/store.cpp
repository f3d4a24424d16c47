#include "imr/store/store.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "sqlite/database.h"
#include "sqlite/rows.h"

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

// The column was a truth value before processes of one client were told from others.
constexpr std::int64_t of_all_clients = 2, of_one_client = 3;

std::int64_t number_of(const StoredProcess& process) {
  if (!process.child) return 0;
  if (!process.one_client) return 1;
  return *process.one_client ? of_one_client : of_all_clients;
}

using sqlite::Blob;

std::expected<StoredServer, std::string> server_in(sqlite3_stmt* row) {
  StoredServer server;
  Definition& definition = server.definition;
  std::string command, environment;
  sqlite::get_all(row, definition.name, server.token, command, environment, definition.directory,
                  definition.reference_file, definition.output_file, definition.mode, definition.start_limit,
                  definition.longest_start, definition.longest_stop, definition.first_pause,
                  definition.longest_pause, definition.most_processes);
  definition.command = split(command);
  definition.environment = split(environment);
  if (!validate(definition, Limits()) || definition.mode > Mode::automatic)
    return std::unexpected("server " + definition.name + " is damaged");
  return server;
}

StoredProcess process_in(sqlite3_stmt* row, std::string& server) {
  StoredProcess process;
  std::int64_t child = 0, kind = 0;
  sqlite::get_all(row, server, process.start, child, kind, process.local, process.pid, process.place_pid,
                  process.identity, process.reference);
  process.child = child != 0;
  if (child != 1) process.one_client = child == of_one_client;
  process.kind = kind_of(kind);
  return process;
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
  bool add(const std::string& server, const StoredProcess& process) const {
    return sqlite::done_with(add_process, server, process.start, number_of(process), process.kind,
                             process.local, process.pid, process.place_pid, process.identity,
                             process.reference);
  }
};

Store::Store(sqlite::Hidden<Statements> statements) : statements_(std::move(statements)) {}

std::expected<Store, std::string> Store::open(const std::string& path) {
  auto statements = sqlite::open_prepared<Statements>(path, kind);
  if (!statements) return std::unexpected(std::move(statements.error()));
  return Store(std::move(*statements));
}

std::expected<std::vector<StoredServer>, std::string> Store::read() const {
  sqlite3* const database = statements_->database.get();
  std::vector<StoredServer> servers;
  std::unordered_map<std::string, std::size_t> places;
  auto done = sqlite::for_each(database, "SELECT * FROM server ORDER BY name",
                               [&](sqlite3_stmt* row) -> std::expected<void, std::string> {
                                 auto server = server_in(row);
                                 if (!server) return std::unexpected(std::move(server.error()));
                                 places.emplace(server->definition.name, servers.size());
                                 servers.push_back(*std::move(server));
                                 return {};
                               });
  if (done)
    done = sqlite::for_each(database, "SELECT * FROM process", [&](sqlite3_stmt* row) {
      std::string name;
      StoredProcess process = process_in(row, name);
      if (const auto server = places.find(name); server != places.end())
        servers[server->second].processes.push_back(std::move(process));
    });
  if (!done) return std::unexpected(std::move(done.error()));
  return servers;
}

Store::Done Store::write(const Definition& one, const std::string& token) {
  const std::string command = joined(one.command), environment = joined(one.environment);
  return statements_->transaction([&] {
    return sqlite::done_with(statements_->write, one.name, token, Blob(command), Blob(environment),
                             one.directory, one.reference_file, one.output_file, one.mode, one.start_limit,
                             one.longest_start, one.longest_stop, one.first_pause, one.longest_pause,
                             one.most_processes);
  });
}

Store::Done Store::remove(const std::string& name) {
  return statements_->transaction([&] {
    return sqlite::done_with(statements_->remove, name) && sqlite::done_with(statements_->forget, name);
  });
}

Store::Done Store::write_processes(const std::string& name, const std::vector<StoredProcess>& processes) {
  sqlite3* const database = statements_->database.get();
  sqlite::run(database, "PRAGMA synchronous = NORMAL");  // no commit is synchronised, but a checkpoint is
  auto done = statements_->transaction([&] {
    return sqlite::done_with(statements_->forget, name) &&
           std::ranges::all_of(processes, [&](const auto& each) { return statements_->add(name, each); });
  });
  sqlite::run(database, "PRAGMA synchronous = FULL");
  return done;
}

}  // namespace takt::imr
