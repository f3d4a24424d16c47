// The callers of a shared connection whose replies have not come.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <takt/base/memory_charge.h>
#include <takt/os/io_result.h>

#include "client/channel/client_channel.h"
#include "giop/connection.h"
#include "os/threads/priority_loan.h"
#include "os/threads/semaphore.h"

namespace takt::client {

// A caller and the reply it waits for, which is copied out of the shared receive buffer.
struct Waiter {
  giop::Event reply;
  std::vector<std::uint8_t> storage;  // what the reply's views point into
  giop::FragmentParts parts;
  Exchange exchange;
  std::atomic<bool> answered{false};  // the rest is the caller's from then on
  std::atomic<bool> begun{false};     // some of its request may have left, where the caller itself sends it
  bool asleep = false;                // until woken; others that wait still send
  os::Urgency urgency = 0;            // of its thread, while it waits for another
  os::Semaphore wake;

  // How the exchange has ended; wakes the caller.
  void end(const Exchange& how);
  // A reply, or a refused one; NO_MEMORY where there is none for its copy.
  // `memory`: null, or outlives the waiter.
  void answer(const giop::Event& event, MemoryBudget* memory) noexcept;
  // The caller's: its reply is not needed any more, and was a long one.
  bool holds_memory() const { return storage.capacity() > MemoryBudget::uncounted_bytes; }
  void give_back_memory() noexcept;

 private:
  friend class WaitingCalls;
  MemoryCharge memory_;  // for `storage`
  std::uint32_t id_ = 0;
  std::uint64_t number_ = 0;  // in the order in which they came
  Waiter* next_ = nullptr;
};

// One thread at a time. Allocates nothing, whatever comes and goes.
class WaitingCalls {
 public:
  std::size_t size() const { return size_; }
  // `waiter` stays until it is taken out.
  void add(std::uint32_t request_id, Waiter& waiter);
  // Null: nobody waits for it (any more).
  Waiter* take(std::uint32_t request_id);
  // Ends all of them in the same way.
  void end_all(const Exchange& how);
  // Each as how_of(waiter) says.
  template <class HowOf>
  void end_each(HowOf how_of) {
    for (Waiter*& first : first_)
      while (first) {
        Waiter& waiter = *std::exchange(first, first->next_);
        waiter.end(how_of(waiter));
      }
    size_ = 0;
  }
  // Of all that have no answer; 0: there is none.
  os::Urgency most_urgent() const;
  // The most urgent of those that sleep and have no answer, the first to come among equals; null: there is
  // none.
  Waiter* most_urgent_asleep() const;

 private:
  // Ids count up in steps of two, so that they spread evenly.
  static constexpr std::size_t chains = 128;
  static std::size_t chain_of(std::uint32_t id) { return id / 2 % chains; }

  std::array<Waiter*, chains> first_{};
  std::size_t size_ = 0;
  std::uint64_t last_number_ = 0;
};

// Gives each reply that has arrived to its caller; those that nobody waits for, late ones of calls that timed
// out or were given up, are dropped. What else the server said is the end of the connection, and of every
// call on it.
std::optional<Exchange> deliver(giop::Connection& protocol, WaitingCalls& waiting);
// A request that is not sent, for want of room; static text says of what, and what to do.
Exchange refused(const char* reason);
inline constexpr const char* too_many_outstanding =
    "-ORBMaxOutstandingRequests are without a reply; wait for one, or allow more";
// The end of the connection that a read, or a write, has met; nothing more is read by `protocol`.
Exchange end_of_reading(giop::Connection& protocol, const os::IoResult& result);

}  // namespace takt::client
