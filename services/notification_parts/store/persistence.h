// Writes the changes and events of a notification service to its store.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "notification_parts/store/store.h"
#include "sqlite/journal.h"

namespace takt::notification {

// Deliveries that have ended, and that the store does not know of yet. Thread-safe.
class Settlements {
 public:
  // Returns whether there was none before.
  bool add(EventNumber number, ObjectId proxy, bool is_last);
  // No consumer gets the event, which the store may have. Returns whether there was none before. Takes memory
  // only for the first of successive numbers.
  bool withdraw(EventNumber number);
  // Those that are to be written now, and those of a transaction that failed.
  std::vector<Settled> take();
  void put_back(std::vector<Settled> settled);
  std::size_t size() const;
  void note_rows(EventNumber number);

 private:
  mutable std::mutex mutex_;
  std::unordered_map<EventNumber, std::vector<ObjectId>> partial_;  // others have yet to get the event
  std::unordered_set<EventNumber> with_rows_;  // events that have rows of this kind in the store
  std::vector<Settled> whole_;
  std::map<EventNumber, EventNumber> withdrawn_;  // the first and the last of successive numbers

  bool is_empty() const { return partial_.empty() && whole_.empty() && withdrawn_.empty(); }
  void add_withdrawn(EventNumber first, EventNumber last);
};

// Thread-safe. Changes and events are on disk when write() returns; simultaneous ones share a transaction.
// That a delivery has ended is written with the next transaction, at the latest after a tenth of a second, so
// what was delivered in the last tenth of a second before a crash is delivered again.
class Persistence {
 public:
  // As sqlite::Journal::Report.
  using Report = std::function<void(const std::string& why_not)>;

  Persistence(Store store, Report report);
  ~Persistence();

  // Blocks for the disk. All, or none.
  std::expected<void, StoreFault> write(std::span<const Change> changes);
  std::expected<void, StoreFault> write(const Change& change) { return write(std::span(&change, 1)); }
  // For events; `after` sets the number that precedes the next.
  EventNumber next_number() { return last_number_.fetch_add(1, std::memory_order_relaxed) + 1; }
  void number_after(EventNumber number) { last_number_ = number; }
  // The proxy needs the event no longer; `is_last`: nor does any other. Does not block.
  void settle(EventNumber number, ObjectId proxy, bool is_last);
  // The same for an event that the store may have although write() has failed.
  void withdraw(EventNumber number);
  // The store has been told of proxies that have the event.
  void note_rows(EventNumber number) { settlements_.note_rows(number); }
  // Settlements that the store does not have yet.
  std::size_t pending() const { return settlements_.size(); }
  // Writes what there is. The last call.
  void stop();

  std::atomic<std::uint64_t> stored{0};  // events that were written
  // Deliveries that were read from the store when the service started, or that a broken call may have made:
  // consumers may get them twice.
  std::atomic<std::uint64_t> repeated{0};

 private:
  // Adds the settlements to each transaction.
  struct Writer {
    std::expected<void, StoreFault> write(std::span<const Change* const> changes);
    Store store;
    Settlements& settlements;
  };

  void write_settlements();
  void wake_writer();

  Settlements settlements_;
  sqlite::Journal<Writer, Change> journal_;
  std::atomic<EventNumber> last_number_{0};
  std::mutex mutex_;
  std::condition_variable wakes_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace takt::notification
