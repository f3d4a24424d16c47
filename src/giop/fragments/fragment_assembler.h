// Messages whose fragments are still arriving (CORBA 3.0.3, 15.4.9).
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/base/memory_charge.h>

#include "giop/header/limits.h"
#include "giop/header/message_header.h"

namespace takt::giop {

enum class FragmentError : std::uint8_t {
  none,
  not_begun,     // a fragment of a message whose first part never came
  begun_twice,   // two messages with one id, or two at a time without ids
  changed,       // the byte order or version differs from the first part's
  not_in_parts,  // a message of a type, or a version, that has no fragments
  misaligned,    // a part before the last whose length is not a multiple of 8
  too_short,
  too_many,   // messages at a time
  too_long,   // together
  no_memory,  // nothing has changed: give_up() what had arrived
};
const char* to_text(FragmentError error);

// Holds copies of the parts. One thread at a time. Time comes in as an argument.
class FragmentAssembler {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  // `memory`: null, or outlives it and take_memory().
  explicit FragmentAssembler(const Limits& limits, MemoryBudget* memory = nullptr)
      : limits_(limits), memory_(memory) {}

  bool empty() const { return partial_.empty(); }
  // A Request, Reply, LocateRequest or LocateReply with more fragments to come. `message` is all of it.
  FragmentError begin(const MessageHeader& header, ByteView message);
  // A Fragment. When it was the last, `whole` becomes the message as if it had come in one; else it is not
  // touched. In GIOP 1.1, where that makes a difference, `starts` are the places in it at which the data of
  // the other parts begins; from 1.2 it is empty.
  FragmentError add(const MessageHeader& header, ByteView message, std::vector<std::uint8_t>& whole,
                    std::vector<std::uint32_t>& starts);
  // After `no_memory`: how much was asked of the budget in all; 0: it was the system that had none.
  std::size_t refused_bytes() const { return refused_bytes_; }
  // Of the message that add() has put together; once.
  MemoryCharge take_memory() { return std::exchange(memory_of_whole_, MemoryCharge(memory_.budget())); }
  // Gives up on a message, of which that part has come; its other parts are passed over, where they have ids.
  // Returns the parts before, if there are some.
  std::vector<std::uint8_t> give_up(const MessageHeader& header, ByteView message);
  // The sender of a request gave up on it.
  void cancel(std::uint32_t request_id);

  // When the oldest message's time is over. Messages begun since the last call count from `now`.
  std::optional<TimePoint> next_deadline(TimePoint now);

 private:
  struct Partial {
    MessageHeader header;  // of the first part
    std::uint32_t request_id;
    std::vector<std::uint8_t> octets;
    std::vector<std::uint32_t> starts;  // in GIOP 1.1
    std::size_t bytes() const { return octets.size() + starts.size() * sizeof(std::uint32_t); }
    std::size_t capacity() const { return octets.capacity() + starts.capacity() * sizeof(std::uint32_t); }
    std::optional<TimePoint> since;
  };
  using Position = std::vector<Partial>::iterator;
  Position find(const MessageHeader& header, std::uint32_t request_id);
  void drop(Position position);
  FragmentError append(Partial& partial, ByteView data, bool notes_start);
  void complete(Position partial, std::vector<std::uint8_t>& whole, std::vector<std::uint32_t>& starts);
  bool was_cancelled(std::uint32_t request_id, bool more);
  void pass_over(std::uint32_t request_id);
  bool make_room(std::vector<std::uint8_t>& octets, std::size_t more);

  static constexpr std::size_t max_cancelled = 16;

  const Limits& limits_;
  std::size_t held_bytes_ = 0;
  std::size_t held_capacity_ = 0;
  MemoryCharge memory_;  // for that capacity
  MemoryCharge memory_of_whole_;
  std::size_t refused_bytes_ = 0;
  std::vector<Partial> partial_;          // few, so searched in order
  std::vector<std::uint32_t> cancelled_;  // the last few whose fragments may have been on their way
};

}  // namespace takt::giop
