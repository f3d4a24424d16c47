// Sends a connection's outgoing messages, and keeps what the peer does not read yet.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/base/gather_buffer.h>
#include <takt/base/live_setting.h>
#include <takt/base/memory_charge.h>
#include <takt/base/probe_site.h>
#include <takt/transport/stream.h>

#include "giop/compression/compressor.h"
#include "giop/fragments/fragment.h"
#include "giop/header/message_header.h"
#include "giop/header/version.h"
#include "os/poll/interest.h"
#include "threads/locks/priority_mutex.h"

namespace takt::transport {
class WriteBatch;
}  // namespace takt::transport

namespace takt::server {

// Lets further threads send messages of a buffer's stream.
class SharedWriting {
 public:
  virtual ~SharedWriting() = default;
  // Sends a message of the connection's own thread with WriteBuffer::send_locked(), or later. False: the
  // connection is over.
  virtual bool send(GatherBuffer& message) = 0;

  os::PriorityMutex mutex;  // guards the buffer
};

// Nearly always, a message leaves in one system call. On a blocking stream, send() returns when everything
// was sent; the stream's timeout limits each wait for a peer that does not read, and ten times `patience`
// limits them together. On a non-blocking stream, the rest of a message is kept for flush(). If there is no
// memory for it, the connection is over, so a peer that never reads replies loses its connection. One thread
// at a time, but after share() the functions that are not const lock, and waiting() and waits_for() need not.
// It is large because what waits for a slow peer, and what is held for later replies, share one connection.
class WriteBuffer {
 public:
  using Clock = std::chrono::steady_clock;
  enum class Flushed : std::uint8_t { all, some, failed };

  // `patience`: limit of the time in which the peer reads nothing. `fragment_bytes`: longer messages are sent
  // in fragments; 0: no fragments. `memory`: the budget for kept octets; may be null. The stream, `patience`
  // and `memory` must outlive it.
  WriteBuffer(transport::Stream& stream, std::size_t fragment_bytes,
              const LiveSetting<std::chrono::nanoseconds>& patience, MemoryBudget* memory = nullptr)
      : stream_(stream), fragment_bytes_(fragment_bytes), patience_(patience), unsent_memory_(memory) {}

  ~WriteBuffer();
  // The stream blocks: its thread keeps a message until the peer has read it. Meanwhile, a message of more
  // than MemoryBudget::uncounted_bytes counts against the budget. If there is no room for it, it is written
  // all the same, but the peer's time is short: one second without reading, ten for the whole message. A
  // message that could never fit counts as half of the budget, or less.
  void count_blocked_messages();
  // Compresses long messages from now on, because the peer accepts it; `wanted` are its wishes. The next
  // reply states that this side accepts compressed messages too.
  void compress(const giop::compression::CompressionSettings& settings, std::uint16_t own_expansion,
                const giop::compression::MethodList& methods, giop::compression::Wanted wanted);
  // Locks from now on. `by` must outlive the buffer's use.
  void share(SharedWriting& by);
  // Replies may be held in `batch`, which the buffer ends, until use_batch(null). Not after share().
  void use_batch(std::shared_ptr<transport::WriteBatch> batch);
  // From now on, send() holds messages that the batch takes, so that one write sends many; until
  // write_batch(). Needs a batch.
  void gather();
  bool gathers() const { return gathers_; }
  // Writes the held messages, and holds no more. False: the connection is over.
  bool write_batch() { return !gathers_ || end_gathering(); }
  // Writes the held messages; those that follow are held. False: the connection is over.
  bool write_held() { return !gathers_ || write_gathered(); }
  // The same if the batch's time is over.
  bool write_overdue() { return !gathers_ || write_if_overdue(); }
  // For the sharing object, with its mutex. The message must be complete.
  bool send_locked(GatherBuffer& message);
  Flushed flush_locked();
  bool overdue_locked(Clock::time_point now) const;
  // Completes the message, and sends it after the kept octets. The message may be cleared or reused
  // afterwards. False: the connection is over.
  bool send(GatherBuffer& message) {
    giop::finish_message(message);
    const std::size_t size = message.size();
    if (message.contiguous() && size <= untouched_bytes_ && !waiting()) [[likely]] {
      TAKT_PROBE(server_transport_send);
      const transport::IoResult result = stream_.write({message.owned(), size});
      TAKT_PROBE(server_done);
      if (result.status == transport::IoStatus::ok && result.bytes == size) [[likely]]
        return true;
      return send_rest(message, result);
    }
    return send_in_pieces(message);
  }
  // Sends CloseConnection after the kept octets. False: the connection is over.
  bool close(giop::Version version);
  // Whether octets are kept.
  bool waiting() const { return keeps_.load(std::memory_order_relaxed); }
  // The readiness of the stream's handle to wait for: until writing can continue, or, if nothing is kept,
  // until there is something to read.
  os::Interest waits_for() const {
    return waiting() && !stream_.write_waits_for_read() ? os::Interest::write : os::Interest::read;
  }
  // A message was sent in part and its rest is lost, so nothing may follow.
  bool cut() const { return cut_; }
  // The rest was lost because there was no memory to keep it, or to wait longer for the peer.
  bool out_of_memory() const { return out_of_memory_; }
  std::size_t kept_bytes() const { return unsent_.size() - unsent_from_; }
  // Continues writing the kept octets.
  Flushed flush();
  // Sends the connection's last octets after the kept ones. Blocks until the peer takes them, or until
  // `until`. Sends nothing if cut().
  void end_with(ByteView last, Clock::time_point until);
  // Whether the peer's time to read the kept octets has passed.
  bool overdue(Clock::time_point now) const;

 private:
  std::unique_lock<os::PriorityMutex> exclusive() const;
  bool begin_to_end(ByteView last);
  bool send_rest(GatherBuffer& message, const transport::IoResult& sent);
  bool send_in_pieces(GatherBuffer& message);
  bool send_pieces();
  bool send_counted();
  transport::IoStatus write_pieces(std::span<ByteView>& left, std::chrono::nanoseconds patience);
  void make_pieces(GatherBuffer& message);
  bool send_gathering(GatherBuffer& message);
  bool write_gathered();
  bool write_if_overdue();
  bool end_gathering();
  transport::IoStatus write_some();
  bool keep(std::span<const ByteView> pieces);

  // Longer messages are cleared after sending, so that their buffers do not keep the memory.
  static constexpr std::size_t short_bytes = 256 * 1024;
  std::size_t untouched(std::size_t most) const {
    return std::min(most, counts_blocked_ ? MemoryBudget::uncounted_bytes : short_bytes);
  }
  void note_untouched();

  transport::Stream& stream_;
  const std::size_t fragment_bytes_;
  bool counts_blocked_ = false;
  std::size_t untouched_bytes_ =
      untouched(fragment_bytes_ != 0 ? fragment_bytes_ : SIZE_MAX);  // shorter messages are sent unchanged
  std::unique_ptr<giop::compression::Compressor> compressor_;  // null: the peer has not agreed to compression
  const LiveSetting<std::chrono::nanoseconds>& patience_;
  std::vector<ByteView> pieces_;
  giop::FragmentHeaders fragment_headers_;
  MemoryCharge unsent_memory_;
  std::vector<std::uint8_t> unsent_;
  std::atomic<bool> keeps_{false};  // unsent_ is not empty
  std::size_t unsent_from_ = 0;
  SharedWriting* shared_ = nullptr;
  std::shared_ptr<transport::WriteBatch> batch_;  // null: no message is held
  bool gathers_ = false;
  bool cut_ = false;  // a message was sent in part and its rest is lost
  bool out_of_memory_ = false;
  Clock::time_point unsent_since_, taken_at_;  // since when octets are kept, and when the peer last took some
};

}  // namespace takt::server
