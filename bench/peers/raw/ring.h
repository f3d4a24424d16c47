// Two rings in memory shared by client and server: the best that shared memory can do, waiting on a futex or
// by polling.
#pragma once

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <algorithm>
#include <atomic>
#include <climits>
#include <cstring>
#include <memory>
#include <string>

#include "socket.h"

namespace bench::raw {

// A ring for octets in one direction, as both sides see it.
struct Ring {
  static constexpr std::uint32_t bytes = 256 * 1024;
  static constexpr std::size_t apart = 128;
  using Word = std::atomic<std::uint32_t>;

  alignas(apart) Word written;
  alignas(apart) Word taken;
  alignas(apart) Word reader_sleeps;
  alignas(apart) Word writer_sleeps;
  alignas(apart) char octets[bytes];
};

template <class Condition>
void wait_while(Ring::Word& sleeps, bool spin, Condition condition) {
  while (condition()) {
    if (spin) {
      __builtin_ia32_pause();
      continue;
    }
    sleeps.store(1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (condition()) ::syscall(SYS_futex, &sleeps, FUTEX_WAIT, 1, nullptr, nullptr, 0);
    sleeps.store(0, std::memory_order_relaxed);
  }
}
inline void wake(Ring::Word& sleeps, bool spin) {
  if (spin) return;
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (sleeps.load(std::memory_order_relaxed) == 0) return;
  sleeps.store(0, std::memory_order_relaxed);
  ::syscall(SYS_futex, &sleeps, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

// One side of a ring. Reads the other side's position only when it must.
class RingWriter {
 public:
  RingWriter(Ring& ring, bool spin) : ring_(&ring), spin_(spin) {}

  void write_all(const void* data, std::size_t size) {
    for (auto* from = static_cast<const char*>(data); size > 0;) {
      if (at_ - taken_ == Ring::bytes)
        wait_while(ring_->writer_sleeps, spin_, [&] {
          return at_ - (taken_ = ring_->taken.load(std::memory_order_acquire)) == Ring::bytes;
        });
      const std::uint32_t room = Ring::bytes - (at_ - taken_);
      const auto count = std::min({size, std::size_t{room}, std::size_t{Ring::bytes - at_ % Ring::bytes},
                                   std::size_t{Ring::bytes / 8}});
      std::memcpy(ring_->octets + at_ % Ring::bytes, from, count);
      at_ += static_cast<std::uint32_t>(count);
      ring_->written.store(at_, std::memory_order_release);
      wake(ring_->reader_sleeps, spin_);
      from += count;
      size -= count;
    }
  }

 private:
  Ring* ring_;
  bool spin_;
  std::uint32_t at_ = 0, taken_ = 0;
};

class RingReader {
 public:
  RingReader(Ring& ring, bool spin) : ring_(&ring), spin_(spin) {}

  std::size_t read_some(void* data, std::size_t max) {
    std::uint32_t written = at_;
    wait_while(ring_->reader_sleeps, spin_,
               [&] { return (written = ring_->written.load(std::memory_order_acquire)) == at_; });
    const auto count =
        std::min({max, std::size_t{written - at_}, std::size_t{Ring::bytes - at_ % Ring::bytes}});
    std::memcpy(data, ring_->octets + at_ % Ring::bytes, count);
    at_ += static_cast<std::uint32_t>(count);
    ring_->taken.store(at_, std::memory_order_release);
    wake(ring_->writer_sleeps, spin_);
    return count;
  }

 private:
  Ring* ring_;
  bool spin_;
  std::uint32_t at_ = 0;
};

// "ring:" or "spin:" followed by the address of the socket over which the memory is passed.
inline constexpr std::string_view ring_prefix = "ring:", spin_prefix = "spin:";

// Has the interface of Socket. A server's end does not notice when its client ends; it lasts as long as the
// process.
class RingChannel {
 public:
  // The client makes the memory, and sends its process id and descriptor.
  static RingChannel connect(const std::string& address) {
    const bool spin = address.starts_with(spin_prefix);
    Socket socket = Socket::connect(address.substr(ring_prefix.size()));
    const int memory = checked(::memfd_create("bench-ring", 0), "memfd_create");
    checked(::ftruncate(memory, sizeof(Rings)), "ftruncate");
    const int where[] = {::getpid(), memory};
    socket.write_all(where, sizeof where);
    return {map(memory), true, spin, std::move(socket)};
  }
  static RingChannel accept(Socket socket, bool spin) {
    int where[2] = {};
    for (std::size_t got = 0; got < sizeof where;) {
      const std::size_t more = socket.read_some(reinterpret_cast<char*>(where) + got, sizeof where - got);
      if (more == 0) throw std::runtime_error("no memory from the client");
      got += more;
    }
    const std::string path = "/proc/" + std::to_string(where[0]) + "/fd/" + std::to_string(where[1]);
    return {map(checked(::open(path.c_str(), O_RDWR | O_CLOEXEC), path.c_str())), false, spin,
            std::move(socket)};
  }

  std::size_t read_some(void* data, std::size_t max) { return in_.read_some(data, max); }
  void write_all(const void* data, std::size_t size) { out_.write_all(data, size); }

 private:
  struct Rings {
    Ring to_server, to_client;
  };
  RingChannel(Rings* rings, bool client, bool spin, Socket socket)
      : in_(client ? rings->to_client : rings->to_server, spin),
        out_(client ? rings->to_server : rings->to_client, spin),
        socket_(std::move(socket)) {}
  // Mapped until the process ends.
  static Rings* map(int memory) {
    void* const data = ::mmap(nullptr, sizeof(Rings), PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    if (data == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
    return static_cast<Rings*>(data);
  }

  RingReader in_;
  RingWriter out_;
  Socket socket_;
};

}  // namespace bench::raw
