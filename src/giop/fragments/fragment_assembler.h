// Reassembles messages from fragments (CORBA 3.0.3, 15.4.9).
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
  not_begun,     // a fragment without a first part
  begun_twice,   // a duplicate id, or two messages at a time without ids
  changed,       // byte order or version differ from the first part's
  not_in_parts,  // a message whose type or version does not allow fragments
  misaligned,    // a part other than the last whose length is not a multiple of 8
  too_short,
  too_many,   // incomplete messages
  too_long,   // the whole message
  no_memory,  // state is unchanged; call give_up()
};
const char* to_text(FragmentError error);

// Copies the parts. One thread at a time. Time is an argument.
class FragmentAssembler {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  // `memory` may be null; it must outlive this object and the result of take_memory().
  explicit FragmentAssembler(const Limits& limits, MemoryBudget* memory = nullptr)
      : limits_(limits), memory_(memory) {}

  bool empty() const { return partial_.empty(); }
  // Whether one of the incomplete messages is a Reply or a LocateReply.
  bool holds_reply() const;
  // A Request, Reply, LocateRequest or LocateReply with more fragments to come. `message` is all of this
  // part.
  FragmentError begin(const MessageHeader& header, ByteView message);
  // A Fragment. After the last one, `whole` becomes the message as if it had not been fragmented; before, it
  // is not touched. In GIOP 1.1, where alignment requires it, `starts` receives the offsets in `whole` at
  // which the data of the other parts begins. From 1.2 on it is empty.
  FragmentError add(const MessageHeader& header, ByteView message, std::vector<std::uint8_t>& whole,
                    std::vector<std::uint32_t>& starts);
  // After `no_memory`: the size that the budget refused; 0 if the system had no memory.
  std::size_t refused_bytes() const { return refused_bytes_; }
  // The charge for the message that add() has completed, with its `starts`. Call once.
  MemoryCharge take_memory() { return std::exchange(memory_of_whole_, MemoryCharge(memory_.budget())); }
  // Gives up on the message of this part; its later parts are ignored if they have ids. Returns the earlier
  // parts, if any.
  std::vector<std::uint8_t> give_up(const MessageHeader& header, ByteView message);
  // The sender of a request has cancelled it.
  void cancel(std::uint32_t request_id);

  // The earliest deadline of the incomplete messages. Messages begun since the last call count from `now`.
  std::optional<TimePoint> next_deadline(TimePoint now);

 private:
  struct Partial {
    MessageHeader header;  // header of the first part
    std::uint32_t request_id;
    std::vector<std::uint8_t> octets;
    std::vector<std::uint32_t> starts;  // only in GIOP 1.1
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
  void skip_fragments(std::uint32_t request_id);
  template <class T>
  bool make_room(std::vector<T>& elements, std::size_t more);

  static constexpr std::size_t max_cancelled = 16;

  const Limits& limits_;
  std::size_t held_bytes_ = 0;
  std::size_t held_capacity_ = 0;
  MemoryCharge memory_;  // for held_capacity_
  MemoryCharge memory_of_whole_;
  std::size_t refused_bytes_ = 0;
  std::vector<Partial> partial_;          // few, so a linear search is fast
  std::vector<std::uint32_t> cancelled_;  // the last few ids, whose fragments may still arrive
};

}  // namespace takt::giop
