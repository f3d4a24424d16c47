// Resources that decoding one message has used, and their limits.
#pragma once

#include <cstddef>
#include <cstdint>

#include <takt/base/memory_budget.h>

namespace takt::cdr {

// Counts the memory and the processor time that one message takes. The message's decoder owns it; decoders of
// its encapsulations, and copies of the decoder, share it. One thread at a time.
//
// Memory: the first `free_bytes` count against no budget, so that short messages touch no atomic variable.
// Beyond that, `budget` is charged `step_bytes` at a time. The decoder's destructor gives all of it back.
//
// Processor time is counted in steps of at most about 60 ns. A message may take a fixed number of steps, plus
// a number per octet that has arrived (cdr::DecoderLimits). This stops messages that cause much work with few
// octets, such as nested sequences of empty structs.
//
// Room ahead: memory for elements that a count announces but that have not been read. All containers of a
// message share it, so that nested counts cannot each claim the rest of the message.
class MessageCosts {
 public:
  static constexpr std::size_t free_bytes = 64 << 10, step_bytes = 64 << 10;

  std::size_t bytes() const { return bytes_; }
  std::size_t bytes_without_joined() const { return bytes_ - joined_bytes_; }
  std::size_t steps() const { return steps_; }

  // Returns false if the budget is used up. A null `budget` is unlimited.
  [[nodiscard]] bool charge(std::size_t bytes, MemoryBudget* budget) {
    bytes_ += bytes;
    return bytes_ <= allowed_bytes_ || take(budget);
  }
  // Memory was charged and is free again. The message keeps its share of the budget for later charges.
  void uncharge(std::size_t bytes) { bytes_ -= bytes; }

  // The octets that the body's window has joined, in memory that was charged, are now this many; earlier ones
  // are free.
  void joined(std::size_t bytes) {
    uncharge(joined_bytes_);
    joined_bytes_ = bytes;
  }

  // Count one value, or one indirection, and return the total.
  std::uint32_t count_value() { return ++values_; }
  std::uint32_t count_indirection() { return ++indirections_; }

  void give_back();

 private:
  friend class Decoder;
  bool take(MemoryBudget* budget);

  std::size_t allowed_bytes_ = free_bytes;
  std::size_t bytes_ = 0;
  std::size_t ahead_bytes_ = 0;
  std::size_t steps_ = 0;
  std::size_t allowed_steps_ = 0;
  std::size_t joined_bytes_ = 0;
  std::size_t arrived_octets_ = 0;  // when decoders began to share these costs
  MemoryBudget* budget_ = nullptr;  // the budget that has been charged
  std::uint32_t values_ = 0;
  std::uint32_t indirections_ = 0;
};

}  // namespace takt::cdr
