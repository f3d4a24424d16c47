// The connections of a channel, by the types of events that they accept.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "rt_events/channel/connection.h"

namespace takt::rt_events {

// Immutable. Each list is in the order of the levels.
struct SubscriptionTable {
  std::vector<std::int32_t> types;                  // sorted
  std::vector<std::vector<Connection*>> accepting;  // for each type, those whose filters list their types
  std::vector<Connection*> accepting_all_types;

  // Calls `use` for the connections whose filters may accept the type, the most urgent first, until it
  // returns false.
  template <class Use>
  void visit(std::int32_t type, Use use) const {
    std::span<Connection* const> some = listed(type), all = accepting_all_types;
    while (!some.empty() || !all.empty()) {
      const bool from_all =
          some.empty() || (!all.empty() && all.front()->settings().level < some.front()->settings().level);
      std::span<Connection* const>& from = from_all ? all : some;
      if (!use(*from.front())) return;
      from = from.subspan(1);
    }
  }

 private:
  std::span<Connection* const> listed(std::int32_t type) const;
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

  // Any thread that has no Reading.
  void add(std::shared_ptr<Connection> connection);
  // False: it was not there. Later no reader sees it. Its memory is kept until it is finished.
  bool remove(const Connection& connection);
  std::vector<std::shared_ptr<Connection>> all() const;
  // Connections that were removed, and are not finished.
  std::vector<std::shared_ptr<Connection>> ending();

 private:
  void publish();  // with the lock

  std::atomic<const SubscriptionTable*> table_;
  std::atomic<std::uint32_t> turn_{0};  // new readers count themselves in readers_[turn_ % 2]
  std::array<std::atomic<std::uint32_t>, 2> readers_{};
  mutable std::mutex changes_;
  std::vector<std::shared_ptr<Connection>> connections_, ending_;
};

}  // namespace takt::rt_events
