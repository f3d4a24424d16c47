// Short messages of one stream that wait to be written together.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/base/live_setting.h>
#include <takt/transport/stream.h>

#include "threads/locks/priority_mutex.h"

namespace takt::transport {

class BatchGuard;

// Two threads use it: its user, which is one thread at a time, and the BatchGuard. As soon as the user has
// added a message, the guard may write what is held, because the user may be blocked in something else before
// its next message. The user calls close() before it uses the batch again. No lock is taken unless the guard
// writes at that moment. It is large because each of its two threads has members of its own.
class WriteBatch {
 public:
  using Clock = std::chrono::steady_clock;
  // Limits of a message that is held, and of all that are held at a time.
  static constexpr std::size_t most_message_bytes = 1024, most_bytes = 8 * 1024;
  // After two messages that were more than `longest` apart, this number of messages is not held, and twice
  // as many for each further pause, until messages are held again.
  static constexpr unsigned first_after_pause = 4, most_after_pause = 64;

  // `blocking`: writes to the stream may wait for the peer. `longest`: limit of the time for which a message
  // is held, unless the user takes longer for its next one. The arguments must outlive end().
  WriteBatch(Stream& stream, bool blocking, const LiveSetting<std::chrono::nanoseconds>& longest,
             BatchGuard& guard)
      : stream_(stream), blocking_(blocking), longest_(longest), guard_(guard) {}

  // The functions of the user.

  // The time to the next message counts from now.
  void begin() { last_at_ = Clock::now(); }
  // Keeps the guard from writing.
  void close() {
    auto expected = Turn::any;
    if (!turn_.compare_exchange_strong(expected, Turn::user, std::memory_order_acquire)) [[unlikely]]
      return close_while_written(expected);
    note_change();
  }
  // The next functions need a close() before.
  // Called for each message. Whether it may be held: not if it is long, or if they take long to make.
  bool takes(std::size_t bytes);
  // Holds the octets. The guard may write them from now on. May throw std::bad_alloc.
  void add(std::span<const ByteView> pieces);
  // Whether the oldest message is held for longer than it may be. If not, the guard may write them from now
  // on.
  bool overdue();
  // Octets that are not written yet.
  ByteView held() const { return ByteView(octets_).subspan(written_); }
  bool empty() const { return written_ == octets_.size(); }
  // Whether the guard has found the stream to have failed.
  bool failed() const { return failed_; }
  void clear();
  // Needs no close(). Whether a limit of time or octets is reached, so that they must be written now.
  bool due() const { return added_bytes_ >= most_bytes || last_at_ - since_ > longest_.get(); }

  // The functions of the guard.

  // Writes what is held if the user has not returned since the last call. Returns whether messages are held,
  // or were since the last call.
  bool look() noexcept;
  // Whether messages are held. Sequentially consistent with the guard's sleep.
  bool is_used() const { return used_.load(); }
  bool is_over() const { return over_.load(std::memory_order_relaxed); }
  // The stream must not be used any more.
  void end() noexcept;

 private:
  enum class Turn : std::uint8_t { any, user, guard };

  void close_while_written(Turn found);
  void note_change() {
    changes_.store(changes_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  void write();

  Stream& stream_;
  const bool blocking_;
  const LiveSetting<std::chrono::nanoseconds>& longest_;
  BatchGuard& guard_;
  std::atomic<Turn> turn_{Turn::user};
  std::atomic<std::uint32_t> changes_{0};  // counts each close() with something held
  std::atomic<bool> used_{false}, over_{false};
  os::PriorityMutex writing_;  // held by the guard while it looks
  // Used by the guard:
  std::uint32_t seen_changes_ = 0;
  bool seen_used_ = false;
  // Used by the thread that has the turn:
  std::vector<std::uint8_t> octets_;
  std::size_t written_ = 0;
  bool failed_ = false;
  // Used by the user:
  std::size_t added_bytes_ = 0;
  unsigned not_held_ = 0, after_pause_ = first_after_pause;
  Clock::time_point since_, last_at_;  // when the oldest and the latest message were made
};

}  // namespace takt::transport
