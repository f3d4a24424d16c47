// The events that one consumer has yet to receive, in the order of its policies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "events/model/fullest.h"
#include "notification_parts/model/event.h"
#include "notification_parts/model/times.h"

namespace takt::notification {

// The numbers are those of CosNotification. Order::any is fifo.
enum class Order : std::int16_t { any, fifo, priority, deadline };
// Which event a full queue gives up: the oldest, the newest, that of the least priority, or that which
// expires first. Discard::any is fifo.
enum class Discard : std::int16_t { any, fifo, priority, deadline, lifo };

struct QueuePolicies {
  Order order = Order::priority;
  Discard discard = Discard::any;
  std::size_t limit = 1;
  bool operator==(const QueuePolicies&) const = default;
};

// How an event stands in a queue.
struct Placement {
  std::int16_t priority = 0;
  Clock::time_point start = Clock::time_point::min();   // not before
  Clock::time_point expiry = Clock::time_point::max();  // not from then on
  bool stored = false;                                  // the store has the delivery
};

struct Queued {
  EventPtr event;
  Placement placement;
  std::uint64_t number;  // rises with each event that arrives
};

// Bounded; never waits for room. One thread at a time. Adding and taking need logarithmic time.
class EventQueue {
 public:
  // Called for each event that leaves the queue undelivered.
  using GivenUp = std::function<void(const Queued& event)>;

  EventQueue(Memory& memory, QueuePolicies policies, GivenUp given_up = {})
      : memory_(memory), policies_(policies), given_up_(std::move(given_up)) {}
  ~EventQueue() { clear(); }
  EventQueue(const EventQueue&) = delete;
  EventQueue& operator=(const EventQueue&) = delete;

  // Orders the events anew. Those above a smaller limit are given up.
  void set(QueuePolicies policies);
  // A full queue gives up an event, which may be this one.
  void add(EventPtr event, const Placement& placement, Clock::time_point now);
  // Gives up an event, unless it is the only one. Returns whether there was one to give up.
  bool shrink();
  // At most that many of the events whose time has come, with at most that many octets in a message or one
  // alone.
  std::vector<Queued> take(std::size_t most, std::uint64_t most_bytes, Clock::time_point now);
  // Returns events that could not be delivered to their places. If the queue has grown full meanwhile, it
  // gives up events by its policy, these or others.
  void put_back(std::vector<Queued> events);
  void clear();

  // Events whose time has come.
  std::size_t due(Clock::time_point now);
  // Their octets in messages, at the last due() or take().
  std::uint64_t due_bytes() const { return due_bytes_; }
  // When the next of the others comes.
  std::optional<Clock::time_point> next_start() const;
  std::size_t size() const { return entries_.size(); }
  std::uint64_t discarded() const { return discarded_; }
  std::uint64_t expired() const { return expired_; }
  const events::Fullness& fullness() const { return fullness_; }  // any thread

 private:
  using Number = std::uint64_t;
  using Rank = std::pair<std::int64_t, std::int64_t>;
  using Timed = std::set<std::pair<Clock::time_point, Number>>;
  // Estimate of an entry and of its places in the sets.
  static constexpr std::uint64_t entry_bytes = sizeof(Queued) + 4 * 64;

  Rank order_rank(const Queued& entry) const;
  Rank discard_rank(const Queued& entry) const;
  // Without memory it throws, and nothing has changed.
  void insert(Queued entry);
  void insert_into_orders(const Queued& entry);
  // Without memory the entry is given up.
  void insert_or_give_up(Queued entry);
  void make_due(const Queued& entry);
  Queued remove(Number number);
  void discard_one();
  void give_up(Number number);
  // Drops what has expired, and lets in what may start.
  void advance(Clock::time_point now);

  static std::uint64_t bytes_of(const Queued& entry) { return entry.event->bytes() + entry_bytes; }

  Memory& memory_;
  QueuePolicies policies_;
  const GivenUp given_up_;
  std::map<Number, Queued> entries_;
  std::map<Rank, Number> ready_, discards_;
  Timed starts_, expiries_;  // only entries with such a time
  Number last_ = 0;
  std::uint64_t due_bytes_ = 0;  // sum over ready_
  events::Fullness fullness_;
  std::uint64_t discarded_ = 0, expired_ = 0;
};

}  // namespace takt::notification
