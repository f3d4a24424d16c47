// The callers of a shared connection that wait for replies.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <takt/base/memory_charge.h>
#include <takt/os/io_result.h>

#include "client/channel/client_channel.h"
#include "giop/connection.h"
#include "threads/locks/semaphore.h"
#include "threads/scheduling/priority_loan.h"

namespace takt::client {

// A caller, and its reply, which is copied out of the shared receive buffer. The fields that each call uses
// stand together in memory. It is large because it holds a whole reply.
struct Waiter {
  giop::Event reply;
  // Backs the reply's views if it is short; else `storage` does.
  static constexpr std::size_t few_bytes = 48;
  alignas(8) std::array<std::uint8_t, few_bytes> few;
  Exchange exchange;
  std::atomic<bool> answered{false};  // from then on the caller owns the rest
  std::atomic<bool> begun{false};  // part of its request may have been sent; for callers that send themselves
  bool asleep = false;             // until woken; other waiting callers still send
  bool reads_itself = false;       // the caller may read the reply, and is woken only while asleep
  bool tells_left = false;         // the next request that it sends on an active connection calls `left`
  os::Urgency urgency = 0;         // urgency of its thread while that waits for another thread
  std::uint64_t queued_as = 0;     // number of the request in the SendQueue of an active connection
  // For ActiveConnection::give_up_late(): when it ends as too late; never, if something else watches the
  // time.
  std::chrono::steady_clock::time_point late_at = std::chrono::steady_clock::time_point::max();
  // Called in place of waking, for calls that no thread waits for. The connection's lock is held, so it must
  // only hand the waiter on. The waiter belongs to `ended` from then on.
  void (*ended)(Waiter& waiter) noexcept = nullptr;
  // Called for a request with tells_left, once, when it has left the queue: `whole` says whether the system
  // has all of its octets. The waiter may have ended before. The connection's lock is held, as for `ended`.
  void (*left)(Waiter& waiter, bool whole) noexcept = nullptr;

 private:
  friend class WaitingCalls;
  std::uint32_t id_ = 0;
  std::uint64_t number_ = 0;     // order of arrival
  std::uint8_t counted_as_ = 0;  // the urgency at the time of add()
  Waiter* next_ = nullptr;

 public:
  std::vector<std::uint8_t> storage;
  giop::FragmentParts parts;
  os::Semaphore wake;
  // Set by `ended`: what the thread calls as soon as it holds no lock; null if there is nothing to do.
  using HandOn = void (*)() noexcept;
  static inline thread_local constinit HandOn hand_on = nullptr;
  // The thread is about to hand on further calls, whose requests can leave with the next.
  static inline thread_local constinit bool more_follow = false;

  // Sets the result and wakes the caller.
  void end(const Exchange& how);
  // Delivers a reply, possibly a refused one. The result is no_memory if there is none for the copy. `memory`
  // is null or outlives the waiter.
  void answer(const giop::Event& event, MemoryBudget* memory) noexcept;
  // For the caller, when it no longer needs a long reply.
  bool holds_memory() const { return storage.capacity() > MemoryBudget::uncounted_bytes; }
  void give_back_memory() noexcept;

 private:
  void tell_end();

  MemoryCharge memory_;  // for `storage`
};

// One thread at a time. Never allocates after its construction.
class WaitingCalls {
 public:
  static constexpr std::size_t usual_chains = 128;

  // `chains`: a power of two, some for each few calls that wait together.
  explicit WaitingCalls(std::size_t chains = usual_chains) : first_(chains) {}

  std::size_t size() const { return size_; }
  // `waiter` must stay alive until it is taken out.
  void add(std::uint32_t request_id, Waiter& waiter);
  // Null if no caller waits for it.
  Waiter* take(std::uint32_t request_id);
  // Begins to load the waiter of a call that was made a few calls after `request_id`, whose reply is probably
  // the next but a few.
  void prefetch_after(std::uint32_t request_id) const {
    constexpr std::uint32_t calls_ahead = 6;
    const Waiter* const waiter = first_[chain_of(request_id + 2 * calls_ahead)];
    if (!waiter) return;
    const auto* const memory = reinterpret_cast<const char*>(waiter);
    for (std::size_t line = 0; line < hot_lines; ++line) {
      __builtin_prefetch(memory + 64 * line, 1);
      __builtin_prefetch(memory + 64 * (line + hot_lines + cold_lines), 1);
    }
  }
  // Ends all of them with the same result.
  void end_all(const Exchange& how);
  // Ends each with the result how_of(waiter).
  template <class HowOf>
  void end_each(HowOf how_of) {
    if (size_ == 0) return;
    for (Waiter*& first : first_)
      while (first) {
        Waiter& waiter = *std::exchange(first, first->next_);
        waiter.end(how_of(waiter));
      }
    size_ = 0;
    of_urgency_.fill(0);
  }
  // Takes out each waiter that is late at `now`, and calls end(waiter, its request id).
  template <class End>
  void take_late(std::chrono::steady_clock::time_point now, End end) {
    if (size_ == 0) return;
    for (Waiter*& first : first_)
      for (Waiter** link = &first; *link;) {
        Waiter& waiter = **link;
        if (waiter.late_at > now) {
          link = &waiter.next_;
          continue;
        }
        *link = waiter.next_;
        note_out(waiter);
        end(waiter, waiter.id_);
      }
  }
  // The highest urgency of the callers without a reply, as it was when they were added; 0 if there are none.
  os::Urgency most_urgent();
  // The most urgent sleeping caller without a reply, the earliest among equals; null if there is none.
  Waiter* most_urgent_asleep() const;

 private:
  // A call uses the first lines of a waiter, and as many of the object that derives from it. Those between
  // are for long messages.
  static constexpr std::size_t hot_lines = 5, cold_lines = 3;

  // Ids increase by two, so they spread evenly.
  std::size_t chain_of(std::uint32_t id) const { return id / 2 & (first_.size() - 1); }

  void note_out(const Waiter& waiter) {
    --size_;
    if (waiter.counted_as_ != 0) --of_urgency_[waiter.counted_as_];
  }

  std::vector<Waiter*> first_;
  std::size_t size_ = 0;
  std::array<std::uint32_t, 128> of_urgency_{};  // number of callers of each urgency above 0
  std::uint8_t top_urgency_ = 0;                 // no caller has a higher one
  std::uint64_t last_number_ = 0;
};

// Call without locks after calls may have ended.
inline void hand_on_ended() {
  if (Waiter::hand_on) [[unlikely]]
    std::exchange(Waiter::hand_on, nullptr)();
}

// Delivers the arrived replies to their callers, and drops those that no caller waits for, such as late ones.
// Any other message from the server ends the connection, which the result reports for all its calls.
std::optional<Exchange> deliver(giop::Connection& protocol, WaitingCalls& waiting);
// The same for as many replies as are well handed on together, while their calls are in the processor's
// cache. `more`: whether others may have arrived. With `of_one` it delivers the next one only, and returns
// the urgency of its caller there.
std::optional<Exchange> deliver_some(giop::Connection& protocol, WaitingCalls& waiting, bool& more,
                                     os::Urgency* of_one = nullptr);
// The result for a request that was not sent for lack of room. `reason` is a static text: what is full, and
// what to do.
Exchange refused(const char* reason);
inline constexpr const char* too_many_outstanding =
    "-ORBMaxOutstandingRequests are without a reply; wait for one, or allow more";
// The result when a read or write has met the end of the connection. `protocol` must not be used to read
// afterwards.
Exchange end_of_reading(giop::Connection& protocol, const os::IoResult& result);

}  // namespace takt::client
