// The last octets of a message body, gathered in a block of memory of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/base/memory_charge.h>
#include <takt/base/octet_buffer.h>
#include <takt/cdr/body_window.h>
#include <takt/cdr/byte_order.h>

namespace takt::cdr {

// The driver reads the octets to where they stay. If a sequence of octets is the tail, or all of it but a few
// octets at the end, the decoder takes the block and copies nothing. It gives the sequence's previous memory
// in exchange, which becomes the next block. Everything else is decoded from the block. Memory grows with
// what has arrived, and is charged to the budget. One thread at a time.
class BodyTail final : public BodySource {
 public:
  static constexpr std::size_t step_bytes = 128 * 1024;     // octets that are made ready for one read
  static constexpr std::size_t most_trusted = 1024 * 1024;  // see begin()
  static constexpr std::size_t most_spare = 2 * 1024 * 1024;

  // `memory` may be null; it must outlive this object.
  explicit BodyTail(MemoryBudget* memory = nullptr) : memory_(memory) {}
  BodyTail(BodyTail&& from) noexcept { *this = std::move(from); }
  // Takes the tail, its memory and its charge, and leaves its own spare block in exchange.
  BodyTail& operator=(BodyTail&& from) noexcept;

  // Offset of the first octet of a sequence that, by its length, reaches to the end of the message or nearly
  // so; 0 if none is `present`. Any octets may look like a length. The decoder finds out, and then copies.
  static std::size_t likely_begin(ByteView present, std::size_t body_index, std::size_t message_bytes,
                                  ByteOrder order);
  // Begins a tail of `bytes` octets, more than those that have `arrived`, which are copied. If one of at
  // least this length, or of most_trusted, has been gathered before, memory for all of it is taken at once.
  // False: there is no memory for it.
  [[nodiscard]] bool begin(ByteView arrived, std::size_t bytes);
  // The first `arrived` octets have arrived. Makes space() for more, unless that is all. False: there is no
  // memory for more.
  [[nodiscard]] bool make_room(std::size_t arrived);
  MutableBytes space(std::size_t arrived) { return MutableBytes(octets_).subspan(arrived); }
  // Ends the tail. Keeps a block for the next one, of at most most_spare octets, which is charged.
  void drop();
  // Frees that block, if it is longer than `keep_bytes` and no tail has begun.
  void trim(std::size_t keep_bytes = 0);
  // Charges nothing from now on, because the budget may end before this object.
  void leave_budget() { memory_ = MemoryCharge(); }

  // Whether there is a tail.
  bool begun() const { return bytes_ != 0; }
  std::size_t size() const { return bytes_; }
  std::size_t missing() const { return bytes_ - arrived_; }
  // Whether the last read filled its space, so more may be waiting in the system.
  bool more_is_likely() const { return was_filled_; }
  // After begin() or make_room() has failed: whether other messages use the memory at present.
  bool fits_later() const { return fits_later_; }

  bool read_exact(MutableBytes into) override;
  HeldOctets read_in_place(std::size_t count) override;
  bool take_vector(std::vector<std::uint8_t>& into, std::size_t count) override;
  ByteView in_memory() const override { return ByteView(octets_).subspan(taken_); }

 private:
  bool reserve(std::size_t bytes);
  bool grow();
  void settle();

  MemoryCharge memory_;
  std::vector<std::uint8_t> octets_;
  std::vector<std::uint8_t> spare_;  // for the next tail
  std::size_t bytes_ = 0;            // size of the tail
  std::size_t arrived_ = 0;          // the octets after them are zero, or those of an earlier message
  std::size_t taken_ = 0;            // octets that the decoder has read
  std::size_t trusted_ = 0;          // the longest tail that was complete
  bool was_filled_ = false;
  bool fits_later_ = false;
};

}  // namespace takt::cdr
