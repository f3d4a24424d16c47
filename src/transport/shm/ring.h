// Octets from one process to another, through memory that both map.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <takt/base/bytes.h>

namespace takt::transport {

// What the two sides of a ring tell each other. Positions count octets, modulo 2^32; each has one writer, and
// a line of the processors' caches for itself, and its neighbour, which they fetch along. A side that waits
// says how, so that the other wakes it only then.
//
// The other process may write anything here at any time. So each value is loaded once and checked, nobody
// reads back what it has stored, and the worst that comes of it is that this connection ends.
struct RingControl {
  enum Waiting : std::uint32_t {
    awake = 0,
    on_futex = 1,   // on the word that says so
    on_socket = 2,  // a reader for an octet, a writer for its plug to be taken away (signals.h)
  };
  static constexpr std::size_t apart = 128;

  alignas(apart) std::atomic<std::uint32_t> written;  // the writer's position,
  std::atomic<std::uint32_t> spliced;                 // and of octets elsewhere how many (splice.h)
  alignas(apart) std::atomic<std::uint32_t> taken;    // the reader's
  std::atomic<std::uint32_t> splices_taken;
  alignas(apart) std::atomic<std::uint32_t> reader;  // Waiting
  alignas(apart) std::atomic<std::uint32_t> writer;  // Waiting
};
static_assert(sizeof(RingControl) == 512);

// Sizes are powers of two between these.
constexpr std::uint32_t least_ring_bytes = 4096, most_ring_bytes = 16 << 20;
constexpr bool is_ring_size(std::uint32_t bytes) {
  return bytes >= least_ring_bytes && bytes <= most_ring_bytes && (bytes & (bytes - 1)) == 0;
}

// The side that takes octets out. One thread at a time.
class RingReader {
 public:
  RingReader() = default;
  RingReader(RingControl& control, const std::uint8_t* octets, std::uint32_t size)
      : control_(&control), octets_(octets), size_(size) {}

  // What is there. More than size(): the writer has broken the ring.
  std::uint32_t available() const { return control_->written.load(std::memory_order_acquire) - taken_; }
  // Copies out the first of them, each once; `available` as it was checked. How many.
  std::uint32_t take(MutableBytes into, std::uint32_t available) {
    const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(into.size(), available));
    const std::uint32_t from = taken_ & (size_ - 1);
    const std::uint32_t first = std::min(count, size_ - from);
    std::memcpy(into.data(), octets_ + from, first);
    if (first != count) [[unlikely]]
      std::memcpy(into.data() + first, octets_, count - first);
    taken_ += count;
    control_->taken.store(taken_, std::memory_order_release);
    return count;
  }

  // Of the octets that are available, some may stand for others.
  bool has_splices() const { return control_->spliced.load(std::memory_order_acquire) != splices_taken_; }
  std::uint32_t splices_taken() const { return splices_taken_; }
  // Leaves the next octet out, which did.
  void pass_splice() {
    control_->splices_taken.store(++splices_taken_, std::memory_order_release);
    control_->taken.store(++taken_, std::memory_order_release);
  }

  std::uint32_t size() const { return size_; }
  std::uint32_t taken() const { return taken_; }
  RingControl& control() const { return *control_; }

 private:
  RingControl* control_ = nullptr;
  const std::uint8_t* octets_ = nullptr;
  std::uint32_t size_ = 0, taken_ = 0, splices_taken_ = 0;
};

// The side that puts octets in. One thread at a time.
class RingWriter {
 public:
  RingWriter() = default;
  RingWriter(RingControl& control, std::uint8_t* octets, std::uint32_t size)
      : control_(&control), octets_(octets), size_(size) {}

  // For how many octets there is room: as many as wanted, or fewer. More than size(): the reader has broken
  // the ring.
  std::uint32_t room(std::size_t wanted) {
    const std::uint32_t known = size_ - (written_ - taken_);
    if (known >= wanted) [[likely]]
      return known;
    taken_ = control_->taken.load(std::memory_order_acquire);
    return size_ - (written_ - taken_);
  }
  // Into the room that was checked; nobody sees them before publish().
  void put(ByteView octets) {
    const auto count = static_cast<std::uint32_t>(octets.size());
    const std::uint32_t at = written_ & (size_ - 1);
    const std::uint32_t first = std::min(count, size_ - at);
    std::memcpy(octets_ + at, octets.data(), first);
    if (first != count) [[unlikely]]
      std::memcpy(octets_, octets.data() + first, count - first);
    written_ += count;
  }
  std::uint32_t written() const { return written_; }
  // How the reader waits, who may have found the ring empty before.
  std::uint32_t publish() {
    control_->written.store(written_, std::memory_order_release);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    return control_->reader.load(std::memory_order_relaxed);
  }

  std::uint32_t size() const { return size_; }
  RingControl& control() const { return *control_; }

 private:
  RingControl* control_ = nullptr;
  std::uint8_t* octets_ = nullptr;
  std::uint32_t size_ = 0, written_ = 0, taken_ = 0;
};

}  // namespace takt::transport
