// Handles of SQLite that own what they point to.
#pragma once

#include <sqlite3.h>

#include <memory>

namespace takt::sqlite {

struct Close {
  void operator()(sqlite3* database) const { sqlite3_close(database); }
};
struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Database = std::unique_ptr<sqlite3, Close>;
using Prepared = std::unique_ptr<sqlite3_stmt, Finalize>;

}  // namespace takt::sqlite
