// Requests that wait for the thread that writes them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <takt/base/bytes.h>

namespace takt::client {

struct Waiter;

// A bounded FIFO. The user holds its own lock; views from collect() stay valid without it. Does not allocate
// in steady use: memory and slots are reused. Short messages are copied to follow one another in memory, so
// that the system takes many of them as one piece.
class SendQueue {
 public:
  // Limits the number of messages, and the octets of messages not yet begun. A message of any
  // length is accepted if all others have been begun.
  SendQueue(std::size_t max_messages, std::size_t max_octets);

  bool empty() const { return count_ == 0; }
  bool has_room_for(std::size_t octets) const;
  // The number of a message, by which give_up() finds it.
  using Number = std::uint64_t;
  // Takes the message and leaves an old buffer in its place. `when_sent`: a caller that waits only until the
  // system has the message; null if none does.
  Number add(std::uint32_t request_id, std::vector<std::uint8_t>& message, Waiter* when_sent);
  // The same for a copy of a message of at most most_copied_bytes.
  Number add_copy(std::uint32_t request_id, ByteView message, Waiter* when_sent);
  static constexpr std::size_t most_copied_bytes = 1024;

  // Says that `octets` of the only message were sent before it was added.
  void begin_front(std::size_t octets);

  // Gives up a message whose caller no longer waits. No caller is notified of its sending, but for
  // Waiter::left, and it is not sent at all if none of its octets were handed to the system. `number`: any if
  // the request was never added.
  enum class Fate : std::uint8_t { begun, withdrawn };
  Fate give_up(std::uint32_t request_id, Number number);

  // Collects the next octets, of a few messages, which count as begun from now on. Empty if there are none.
  void collect(std::vector<ByteView>& pieces);
  // Call when the first `octets` of them were sent. Calls `tell` for each caller that waited for that.
  template <class Tell>
  void sent(std::size_t octets, Tell tell) {
    while (count_ != 0 && front_is_done(octets)) {
      Waiter* when_sent = front().when_sent;
      drop_front();
      if (when_sent) tell(*when_sent);
    }
  }
  // Empties the queue. Calls `tell` for each message with its id, the caller that waits for its sending, and
  // whether it was begun.
  template <class Tell>
  void abandon(Tell tell) {
    for (; count_ != 0; drop_front())
      if (!front().withdrawn) tell(front().request_id, front().when_sent, front().begun);
  }

 private:
  // Short messages, one after the other.
  struct Block {
    std::size_t used = 0;      // octets
    std::size_t messages = 0;  // in the queue
    std::array<std::uint8_t, 16 * 1024> octets;
  };
  struct Message {
    std::vector<std::uint8_t> own;  // backs `octets` of a long message
    Block* block = nullptr;         // backs them for a short one
    ByteView octets = {};
    std::uint32_t request_id = 0;
    Waiter* when_sent = nullptr;
    bool begun = false;
    bool withdrawn = false;
  };
  // The number of places is a power of two.
  Message& at(std::size_t place) { return places_[(first_ + place) & (places_.size() - 1)]; }
  Message& front() { return at(0); }
  Message& add_place(std::uint32_t request_id, Waiter* when_sent);
  Number last_number() const { return first_number_ + count_ - 1; }
  void next_block();
  void leave_block(Message& message);
  void grow();
  bool front_is_done(std::size_t& octets);
  void drop_front();
  void clear(Message& message);

  const std::size_t max_messages_;
  const std::size_t max_octets_;
  std::vector<Message> places_;                 // a ring
  std::vector<std::unique_ptr<Block>> blocks_;  // all
  std::vector<Block*> spare_blocks_;            // has room for all of them
  Block* last_block_ = nullptr;                 // the one that is being filled
  std::size_t first_ = 0;
  Number first_number_ = 0;  // the number of the first message
  std::size_t count_ = 0;
  std::size_t octets_ = 0;      // size of the messages not yet begun
  std::size_t front_sent_ = 0;  // octets of the first message that were sent
};

}  // namespace takt::client
