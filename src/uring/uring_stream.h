// A socket whose octets pass through a ring.
#pragma once

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <takt/transport/wrapped_stream.h>

#include "threads/locks/priority_mutex.h"

namespace takt::uring {

class UringReactor;

// While its descriptor is registered with the reactor for reading, octets arrive in the ring's buffers, and
// read() copies them from there; long messages are read directly. A short write() in an event handler leaves
// with the reactor's next system call. All else, and everything after the descriptor was removed, goes to the
// socket at once. While it is registered, the reactor's thread alone uses it, except that any thread may
// write once let_defer(false) was called.
class UringStream final : public transport::WrappedStream, public transport::Deferring {
 public:
  // `reactor` must exist until detach() or the destructor.
  UringStream(std::unique_ptr<transport::Stream> socket, UringReactor& reactor);
  ~UringStream() override;

  transport::IoResult read(MutableBytes into) override;
  transport::IoResult write(ByteView octets) override;
  transport::IoResult write_gather(std::span<const ByteView> pieces) override;
  void set_blocking(bool blocking) override;
  void shut_down_writing() override;
  bool has_room_for_small_write() override {
    return !holds_rest() && WrappedStream::has_room_for_small_write();
  }

  void push() override;
  void let_defer(bool may) override;

  bool stamp_arrivals() override;
  transport::IoResult read_stamped(MutableBytes into, std::chrono::nanoseconds& age) override;

  // For the reactor, in its thread:

  // `count` octets have come in the ring's buffer `id`. Without memory for them the stream has failed.
  void received(unsigned id, std::size_t count) noexcept;
  // Nothing more comes. `error`: 0 at the end of the stream, or an errno value.
  void ended(int error);
  // No buffer was free: the socket is polled for some time.
  void find_no_buffer() { direct_reads_ = direct_reads_after_long; }
  // Whether read() has something to tell without the socket.
  bool holds_news() const { return taken_ < arrived_.size() || !left_.empty() || end_; }
  // Whether its octets should come to the ring's buffers, rather than be polled for.
  bool wants_buffers() const;
  void set_receiving(bool receives) { receives_ = receives; }
  // The last of a deferred message, which the socket had no room for. Without memory for it the stream has
  // failed.
  void keep_rest(ByteView octets) noexcept;
  bool holds_rest() const { return holds_rest_.load(std::memory_order_relaxed); }
  // Tries to send the rest. False: there still is one, or the connection is lost.
  bool send_rest();
  // The ring is about to go: takes out what has arrived. Without memory for it the stream has failed.
  void leave_ring() noexcept;
  // The reactor is of no further use to this stream.
  void detach();

 private:
  struct Arrived {
    unsigned buffer;
    std::size_t from, to;
  };
  // After a full buffer, and after this many short direct reads, the ring's buffers are used again.
  static constexpr unsigned direct_reads_after_long = 16;
  static constexpr std::size_t short_read = 1024;
  // The number of buffers that a stream keeps; octets that come until the system has ended to receive are
  // copied.
  static constexpr std::size_t most_arrived = 8;

  transport::IoResult take(MutableBytes into);
  transport::IoResult take_left(MutableBytes into);
  template <class Read>
  transport::IoResult read_directly(Read&& read);
  std::optional<transport::IoResult> before_writing();
  transport::IoResult write_rest();
  // Whether octets are lost: nothing may be read behind them.
  bool lacks_octets() const { return end_ && end_->error == ENOMEM; }
  void forget_arrived();
  void note_held() { holds_octets_ = taken_ < arrived_.size() || !left_.empty(); }

  UringReactor* reactor_;  // null: detached
  std::vector<Arrived> arrived_;
  std::size_t taken_ = 0;           // number of arrived_ that read() has used up
  std::vector<std::uint8_t> left_;  // octets that came after those in arrived_
  std::size_t left_from_ = 0;
  os::PriorityMutex rest_mutex_;  // guards the rest; locked only if there is one
  std::vector<std::uint8_t> rest_;
  std::atomic<bool> holds_rest_{false};
  std::optional<transport::IoResult> end_;
  unsigned direct_reads_ = 0;
  bool receives_ = false;  // the system puts octets into the ring's buffers
  bool blocking_ = true;
  bool defers_ = true;
  bool stamps_ = false;
};

}  // namespace takt::uring
