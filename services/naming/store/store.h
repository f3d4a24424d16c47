// Persistent storage for bindings.
#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>

#include "naming/model/tree.h"
#include "naming/store/changes.h"
#include "sqlite/handles.h"

namespace takt::naming {

// One SQLite file, locked by this process while it is open. Changes are durable when write() returns, also if
// the machine crashes. Not thread-safe; every call may block for the disk.
class Store {
 public:
  // Fails with the reason and the path if the file cannot be opened, is no such store, or belongs to another
  // process.
  static std::expected<Store, std::string> open(const std::string& path);

  // Fills an empty tree. Fails with the reason if the data is inconsistent.
  std::expected<void, std::string> read(Tree& tree) const;
  // Writes all changes, or none and returns the reason. A caller may try again later, because the disk may
  // have room then.
  std::expected<void, StoreFault> write(std::span<const Change* const> changes);

 private:
  explicit Store(sqlite::Database database) : database_(std::move(database)) {}

  bool prepare();
  bool carry_out(const Change& change);

  sqlite::Database database_;
  sqlite::Prepared put_binding_, remove_binding_, put_context_, remove_context_;
};

}  // namespace takt::naming
