// Persistent storage of definitions.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "ifr/model/definition.h"
#include "sqlite/handles.h"
#include "sqlite/hidden.h"

namespace takt::ifr {

// One SQLite file, which several processes may use at the same time: each transaction sees the file as it was
// at one moment, and the changes of one are visible to the others after its commit. Functions throw
// PERSIST_STORE if the file cannot be read or written, or is damaged. Not thread-safe; any call may block for
// the disk, and begin() for another process's changes.
class Store {
 public:
  // Makes the file unless it exists. Fails with the reason and the path if it cannot be opened or is no such
  // store. An empty path: in memory.
  static std::expected<Store, std::string> open(const std::string& path);

  // The time that begin() waits for another process's changes; by default 10 s. Then it throws TRANSIENT.
  void set_longest_wait(std::chrono::milliseconds wait);

  // Every other function belongs to a transaction. A changing one is durable when commit() returns, also if
  // the machine crashes; without commit() it never happened.
  enum class Access : unsigned char { read, change };
  class Transaction {
   public:
    Transaction(Store& store, Access access) : store_(store) { store.begin(access); }
    Transaction(const Transaction&) = delete;
    ~Transaction() { store_.roll_back(); }
    void commit() { store_.commit(); }

   private:
    Store& store_;
  };

  std::optional<Definition> find(Number number);
  // Without details, which takes less time.
  std::optional<Entry> find_entry(Number number);
  std::optional<Entry> find_id(const std::string& id);
  // Ignores case, as IDL does.
  std::optional<Entry> find_name(Number container, const std::string& name);
  // In the order of their creation; at most `limit`.
  std::vector<Entry> contents(Number container, std::size_t limit);
  std::vector<Entry> named(const std::string& name, std::size_t limit);
  // Definitions and types without a name that refer to this one; at most `limit`.
  std::vector<Number> users(Number number, std::size_t limit);
  // The interfaces and values among them, in the order of their creation; at most `limit`.
  std::vector<Number> inheritable_users(Number number, std::size_t limit);
  std::uint64_t count();
  // Rows that statements besides count() have read one after the other because no index led to them. Look-ups
  // of large stores are fast as long as this is 0.
  std::uint64_t rows_scanned() const;

  // Numbers for definitions that are to be inserted; later calls return higher ones.
  Number next_number();
  void insert(const Definition& definition);
  // Replaces all but the number. `old`: what the store has.
  void update(const Definition& old, const Definition& definition);
  void remove(const Definition& definition);

  // Types without a name that clients may change. Their numbers are negative, and their texts may refer to
  // others.
  std::optional<std::string> find_unnamed(Number number);
  Number insert_unnamed(const std::string& type);
  // `old`: what the store has.
  void update_unnamed(Number number, const std::string& old, const std::string& type);
  void remove_unnamed(Number number, const std::string& old);
  std::uint64_t count_unnamed();
  // The text with those types written out, so that equal types are equal texts. IMP_LIMIT if more than
  // `nesting` rows refer to each other.
  std::string expanded(const std::string& type, std::size_t nesting);

 private:
  using Prepared = sqlite::Prepared;
  struct Statements;
  explicit Store(sqlite::Database database);

  void begin(Access access);
  void commit();
  void roll_back() noexcept;
  bool prepare();
  void put_uses(Number user, const std::vector<Number>& used);
  void remove_uses(Number user, const std::vector<Number>& used);
  std::uint64_t counted(sqlite3_stmt* statement);
  std::vector<Entry> entries(sqlite3_stmt* statement);
  std::vector<Number> numbers(sqlite3_stmt* statement, Number first, std::size_t limit);
  std::optional<Entry> one_entry(sqlite3_stmt* statement);
  void finish(sqlite3_stmt* statement);
  bool next(sqlite3_stmt* statement);
  [[noreturn]] void fail() const;

  sqlite::Database database_;
  sqlite::Hidden<Statements> statements_;
  Number last_number_ = 0;
};

}  // namespace takt::ifr
