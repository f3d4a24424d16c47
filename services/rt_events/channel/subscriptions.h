// The connections of a channel, by the types of events that they accept.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "rt_events/channel/connection.h"

namespace takt::rt_events {

// Immutable while it has readers. Entries of the same type are in the order of the levels.
struct SubscriptionTable {
  struct Entry {
    std::int32_t type;
    Connection* connection;
  };
  std::vector<Entry> accepting;  // for each type, those whose filters list their types; sorted by type
  std::vector<Entry> accepting_all_types;

  void insert(Connection& connection);
  // Allocates nothing if this table had as many entries as `from` before.
  void assign_without(const Connection& connection, const SubscriptionTable& from);

  // Calls `use` for the connections whose filters may accept the type, the most urgent first, until it
  // returns false.
  template <class Use>
  void visit(std::int32_t type, Use use) const {
    std::span<const Entry> some = std::ranges::equal_range(accepting, type, {}, &Entry::type);
    std::span<const Entry> all = accepting_all_types;
    while (!some.empty() || !all.empty()) {
      const bool from_all = some.empty() || (!all.empty() && level(all.front()) < level(some.front()));
      std::span<const Entry>& from = from_all ? all : some;
      if (!use(*from.front().connection)) return;
      from = from.subspan(1);
    }
  }

 private:
  static std::size_t level(const Entry& entry) { return entry.connection->settings().level; }
};

// Readers take no lock, allocate nothing and never wait. Changes build a new table and wait until no reader
// has the old one.
class Subscriptions {
 public:
  // While it exists, the connections in its table are not ended.
  class Reading {
   public:
    explicit Reading(Subscriptions& of);
    ~Reading() { readers_->fetch_sub(1); }
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;
    const SubscriptionTable& table() const { return *table_; }

   private:
    std::atomic<std::uint32_t>* readers_;
    const SubscriptionTable* table_;
  };

  Subscriptions();
  ~Subscriptions();

  // Any thread that has no Reading. An exception of add() leaves all as it was.
  void add(const std::shared_ptr<Connection>& connection);
  // False: it was not there. Later no reader sees it. It is kept until it is finished and sweep() is called.
  // Allocates nothing.
  bool remove(const Connection& connection) noexcept;
  // Drops the removed connections that are finished, with their consumers, whose destructors may call
  // anything. Any thread that has no Reading. Allocates nothing.
  void sweep();
  // For the threads of levels, which must not wait for a thread of lower priority: does nothing while another
  // thread uses the table. The next sweep drops what it leaves, at the latest when a consumer connects or
  // disconnects.
  void sweep_if_free();
  std::vector<std::shared_ptr<Connection>> all() const;
  // Null: there is none. Allocates nothing.
  std::shared_ptr<Connection> any() const;
  // Connections that were removed, and may not be finished. Allocates nothing.
  std::vector<std::shared_ptr<Connection>> take_ending();

 private:
  // A removed connection that is finished; null: there is none. With the lock.
  std::shared_ptr<Connection> take_finished();
  template <class... TryToLock>
  void drop_finished(TryToLock... how);
  // With the lock. Returns the table that was there.
  std::unique_ptr<SubscriptionTable> publish(std::unique_ptr<SubscriptionTable> table);

  std::atomic<SubscriptionTable*> table_;
  std::unique_ptr<SubscriptionTable> spare_;  // has room for the entries of table_
  std::atomic<std::uint32_t> turn_{0};        // new readers count themselves in readers_[turn_ % 2]
  std::array<std::atomic<std::uint32_t>, 2> readers_{};
  mutable std::mutex changes_;
  std::vector<std::shared_ptr<Connection>> connections_, ending_;
};

}  // namespace takt::rt_events
