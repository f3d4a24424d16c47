// Whether an open database is still the file that the next start would find.
#pragma once

#include <sqlite3.h>
#include <unistd.h>

namespace takt::sqlite {

// Whether the file or its write-ahead log was removed, moved or replaced since it was opened: the system
// would still write to it, and no later start would read that. Two system calls. False for a database in
// memory.
inline bool has_moved(sqlite3* database) {
  int moved = 0;
  if (sqlite3_file_control(database, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved)
    return true;
  sqlite3_file* log = nullptr;  // not open before the first transaction
  if (sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, static_cast<void*>(&log)) !=
          SQLITE_OK ||
      !log || !log->pMethods)
    return false;
  const char* const path = sqlite3_db_filename(database, "main");
  return path && *path && ::access(sqlite3_filename_wal(path), F_OK) != 0;
}

inline constexpr const char* moved_text =
    "the store was moved or removed while it was open, so nothing that is written now would be found again; "
    "put its files back, or start the service again";

}  // namespace takt::sqlite
