// The rings that a thread shares with the system, the buffers into which the system receives, and those from
// which it sends.
#pragma once

#include <liburing.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>

#include <takt/base/bytes.h>

namespace takt::uring {

// The system's number of the calling thread.
inline int this_thread() {
  static thread_local const int id = ::gettid();
  return id;
}

// Only the thread that made it uses it. Nothing but create() allocates. The kernel must know
// IORING_SETUP_DEFER_TASKRUN (6.1): completions then come only while this thread is in wait() or submit().
class Ring {
 public:
  static constexpr unsigned entries = 256;       // submissions until the next system call
  static constexpr unsigned completions = 4096;  // the system keeps further ones itself
  static constexpr unsigned buffers = 128;       // a power of two
  static constexpr std::size_t buffer_bytes = 4096;
  static constexpr std::size_t send_bytes = 4096;
  static constexpr std::uint16_t buffer_group = 0;

  // Fails with an errno value if the kernel, a limit or a filter of system calls refuses.
  static std::expected<std::unique_ptr<Ring>, int> create();
  ~Ring();
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;

  // An empty submission. Makes a system call if there is no room for another; null if that did not help.
  io_uring_sqe* entry();
  // Hands the submissions to the system. Returns 0 or an errno value; EEXIST: another thread made the ring.
  int submit();
  // The same, and waits for `count` completions, at most for `timeout`; zero does not wait, a negative
  // timeout never passes. Returns 0, ETIME, EINTR or another errno value.
  int wait(unsigned count, std::chrono::nanoseconds timeout);

  // Whether the system keeps completions for which there was no room. wait() fetches them.
  bool has_overflown() const { return io_uring_cq_has_overflow(&ring_); }
  // Frees each completion that has come, and calls take(completion). Returns their number. `take` must not
  // use the ring but for give_back() and the memory.
  template <class Take>
  unsigned collect(Take&& take) {
    unsigned head = 0, count = 0;
    io_uring_cqe* one = nullptr;
    io_uring_for_each_cqe(&ring_, head, one) {
      const io_uring_cqe taken = *one;
      io_uring_cq_advance(&ring_, 1);
      take(taken);
      ++count;
    }
    return count;
  }

  const std::uint8_t* buffer(unsigned id) const { return received_.get() + id * buffer_bytes; }
  void give_back(unsigned id);
  // Memory of send_bytes for octets that a submission sends.
  std::uint8_t* sending() { return sent_.data(); }

 private:
  Ring() = default;
  int set_up();

  io_uring ring_{};
  bool is_set_up_ = false;
  io_uring_buf_ring* free_buffers_ = nullptr;
  std::unique_ptr<std::uint8_t[]> received_;
  std::array<std::uint8_t, send_bytes> sent_;
};

}  // namespace takt::uring
