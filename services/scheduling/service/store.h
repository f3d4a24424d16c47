// Persistent storage for registrations.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "schedulability/model/repository.h"
#include "sqlite/handles.h"

namespace takt::scheduling {

// One SQLite file with the RT_Infos of one application. Changes are durable when a call returns, also if the
// machine crashes. Not thread-safe; every call may block for the disk.
class Store {
 public:
  // Whether a file with this beginning may be a store.
  static bool is_one(std::string_view beginning) { return beginning.starts_with("SQLite format 3"); }
  // Fails with the reason and the path if the file cannot be opened or is no such store.
  static std::expected<Store, std::string> open(const std::string& path);

  // Reads the stored operations and registers them again, with all checks.
  std::expected<Repository, std::string> read() const;
  // Writes the operation's present state except its dependencies. Returns the reason on failure.
  std::expected<void, std::string> write(const RtInfo& info);
  // Writes the dependency that was added last.
  std::expected<void, std::string> write_last_dependency(const RtInfo& info);

 private:
  explicit Store(sqlite::Database database) : database_(std::move(database)) {}

  sqlite::Database database_;
};

}  // namespace takt::scheduling
