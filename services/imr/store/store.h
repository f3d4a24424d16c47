// Persistent storage of servers, and of the processes that a later repository may find alive.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "imr/model/actions.h"
#include "imr/model/definition.h"
#include "sqlite/hidden.h"

namespace takt::imr {

struct StoredProcess {
  std::uint64_t start = 0;
  bool child = false;
  PlaceKind kind = PlaceKind::life;
  bool local = false;
  std::int32_t pid = 0;
  std::int32_t place_pid = 0;  // as the process itself told it
  std::string identity{};      // tells it from later processes with that pid (process/identity.h)
  std::string reference{};     // empty while it starts
  // Whether it was started for one client; not known of processes that earlier versions have written.
  std::optional<bool> one_client{};
};

struct StoredServer {
  Definition definition{};
  std::string token{};
  std::vector<StoredProcess> processes{};
};

// One SQLite file, which only its owner can read, and which this process locks while it is open. Not
// thread-safe; every call may block for the disk. All fail with the reason.
class Store {
 public:
  using Done = std::expected<void, std::string>;

  static std::expected<Store, std::string> open(const std::string& path);

  std::expected<std::vector<StoredServer>, std::string> read() const;
  // Adds the server or replaces its definition. On disk when it returns.
  Done write(const Definition& definition, const std::string& token);
  // Removes the server and its processes. On disk when it returns.
  Done remove(const std::string& name);
  // Replaces the server's processes. They are kept if this process is killed, but may not be on disk: no
  // process lives longer than its machine.
  Done write_processes(const std::string& name, const std::vector<StoredProcess>& processes);

 private:
  struct Statements;
  explicit Store(sqlite::Hidden<Statements> statements);

  sqlite::Hidden<Statements> statements_;
};

}  // namespace takt::imr
