// What the decoding of one message has cost so far, and how much it may cost.
#pragma once

#include <cstddef>
#include <cstdint>

#include <takt/base/memory_budget.h>

namespace takt::cdr {

// Counts the memory and the processor time that one message takes. The decoder of the message owns it; the
// decoders of its encapsulations, and copies of the decoder, share it. One thread.
//
// Memory: the first `free_bytes` count against no budget, so that short messages touch no atomic variable.
// After them `budget` is asked for `step_bytes` at a time; all is given back when the message's decoder ends.
//
// Processor time is counted in steps; a step takes at most about 60 ns. A message may take a fixed number of
// steps, and a number for each octet of it that has arrived (cdr::Limits). This stops messages that ask for
// much work with few octets, as sequences of empty structs inside each other do.
//
// Room ahead: memory for elements that a count announces but that have not been read yet. All containers of a
// message share it, so that counts inside each other cannot each claim the rest of the message.
class MessageCosts {
 public:
  static constexpr std::size_t free_bytes = 64 << 10, step_bytes = 64 << 10;

  std::size_t bytes() const { return bytes_; }
  std::size_t steps() const { return steps_; }

  // False if the budget has no more. `budget` null: not limited.
  [[nodiscard]] bool charge(std::size_t bytes, MemoryBudget* budget) {
    bytes_ += bytes;
    return bytes_ <= allowed_bytes_ || take(budget);
  }
  // Memory that was charged and is free again; the message keeps its part of the budget for later charges.
  void uncharge(std::size_t bytes) { bytes_ -= bytes; }

  // How many values, and how many indirections, there have been with this one.
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
  std::size_t arrived_octets_ = 0;  // when decoders began to share these costs
  MemoryBudget* budget_ = nullptr;  // that has given something
  std::uint32_t values_ = 0;
  std::uint32_t indirections_ = 0;
};

}  // namespace takt::cdr
