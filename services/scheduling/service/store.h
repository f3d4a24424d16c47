// Registrations that outlive the process.
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <string_view>

#include "scheduling/model/repository.h"

struct sqlite3;

namespace takt::scheduling {

// One SQLite file for the RT_Infos of one application. What a call has written survives the process and the
// machine from its return on. Whoever calls serialises; every call may block for the disk.
class Store {
 public:
  // Whether a file that begins so may be one.
  static bool is_one(std::string_view beginning) { return beginning.starts_with("SQLite format 3"); }
  // The reason, with the path, where it cannot be opened, or is no such file.
  static std::expected<Store, std::string> open(const std::string& path);
  Store(Store&&) = default;
  Store& operator=(Store&&) = default;
  ~Store();

  // What was written, registered anew and checked as such.
  std::expected<Repository, std::string> read() const;
  // Writes the operation as it is now, but for its dependencies. The reason where it could not.
  std::expected<void, std::string> write(const RtInfo& info);
  // Writes the dependency that it got last.
  std::expected<void, std::string> write_last_dependency(const RtInfo& info);

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  explicit Store(std::unique_ptr<sqlite3, Close> database) : database_(std::move(database)) {}

  std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace takt::scheduling
