// A ring buffer that carries octets between processes, in memory that both map.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <takt/base/bytes.h>

namespace takt::transport {

// State that both sides of a ring share. Positions count octets modulo 2^32. Each has one writer, and its own
// pair of adjacent cache lines, since processors prefetch in pairs. A waiting side states how it waits, so
// that the other side wakes it only then.
//
// The peer is untrusted and may write anything at any time. Each value is therefore loaded once and checked,
// and neither side reads back what it stored. The worst result is the end of this connection.
struct RingControl {
  enum Waiting : std::uint32_t {
    awake = 0,
    on_futex = 1,   // waits on the futex, the word that holds this value
    on_socket = 2,  // a reader waits for a bell, a writer for the removal of its plug (os::Doorbell)
  };
  static constexpr std::size_t apart = 128;

  alignas(apart) std::atomic<std::uint32_t> written;  // the writer's position
  std::atomic<std::uint32_t> spliced;               // the number of splices that it has announced (splice.h)
  alignas(apart) std::atomic<std::uint32_t> taken;  // the reader's position
  std::atomic<std::uint32_t> splices_taken;
  alignas(apart) std::atomic<std::uint32_t> reader;  // Waiting
  alignas(apart) std::atomic<std::uint32_t> writer;  // Waiting
};
static_assert(sizeof(RingControl) == 512);

// Sizes are powers of two in this range.
constexpr std::uint32_t least_ring_bytes = 4096, most_ring_bytes = 16 << 20;
constexpr bool is_ring_size(std::uint32_t bytes) {
  return bytes >= least_ring_bytes && bytes <= most_ring_bytes && (bytes & (bytes - 1)) == 0;
}

// The side that reads octets. One thread at a time.
class RingReader {
 public:
  RingReader() = default;
  RingReader(RingControl& control, const std::uint8_t* octets, std::uint32_t size)
      : control_(&control), octets_(octets), size_(size) {}

  // Octets to read. More than size(): the writer has corrupted the ring.
  std::uint32_t available() const { return control_->written.load(std::memory_order_acquire) - taken_; }
  // Copies octets out, each once, and returns how many. `available` is the checked result of available().
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

  // Whether some of the available octets stand for splices.
  bool has_splices() const { return control_->spliced.load(std::memory_order_acquire) != splices_taken_; }
  std::uint32_t splices_taken() const { return splices_taken_; }
  // Skips the next octet, which stood for a splice.
  void skip_splice() {
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

// The side that writes octets. One thread at a time.
class RingWriter {
 public:
  RingWriter() = default;
  RingWriter(RingControl& control, std::uint8_t* octets, std::uint32_t size)
      : control_(&control), octets_(octets), size_(size) {}

  // Room in octets; updated from the reader's position only if less than `wanted` is known. More than size():
  // the reader has corrupted the ring.
  std::uint32_t room(std::size_t wanted) {
    const std::uint32_t known = size_ - (written_ - taken_);
    if (known >= wanted) [[likely]]
      return known;
    taken_ = control_->taken.load(std::memory_order_acquire);
    return size_ - (written_ - taken_);
  }
  // Writes into room that was checked. The octets are invisible to the reader until publish().
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
  // Makes the octets visible, and returns how the reader waits. It may have found the ring empty before.
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
