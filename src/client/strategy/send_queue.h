// Requests that wait for the thread that writes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <takt/base/bytes.h>

namespace takt::client {

struct Waiter;

// A bounded FIFO. The user holds its own lock; views from collect() stay valid without it. Does not allocate
// in steady use: messages and slots are reused.
class SendQueue {
 public:
  // Limits the number of messages, and the octets of messages not yet begun. A message of any
  // length is accepted if all others have been begun.
  SendQueue(std::size_t max_messages, std::size_t max_octets);

  bool empty() const { return count_ == 0; }
  bool has_room_for(std::size_t octets) const;
  // Takes the message and leaves an old buffer in its place. `when_sent`: a caller that waits only until the
  // system has the message; null if none does.
  void add(std::uint32_t request_id, std::vector<std::uint8_t>& message, Waiter* when_sent);

  // Says that `octets` of the only message were sent before it was added.
  void begin_front(std::size_t octets);

  // Gives up a message whose caller no longer waits. No caller is notified of its sending, and it is not sent
  // at all if none of its octets were handed to the system.
  enum class Fate : std::uint8_t { begun, withdrawn };
  Fate give_up(std::uint32_t request_id);

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
  struct Message {
    std::vector<std::uint8_t> octets;
    std::uint32_t request_id = 0;
    Waiter* when_sent = nullptr;
    bool begun = false;
    bool withdrawn = false;
  };
  Message& at(std::size_t place) { return places_[(first_ + place) % places_.size()]; }
  Message& front() { return at(0); }
  void grow();
  bool front_is_done(std::size_t& octets);
  void drop_front();
  void clear(Message& message);

  const std::size_t max_messages_;
  const std::size_t max_octets_;
  std::vector<Message> places_;  // a ring
  std::size_t first_ = 0;
  std::size_t count_ = 0;
  std::size_t octets_ = 0;      // size of the messages not yet begun
  std::size_t front_sent_ = 0;  // octets of the first message that were sent
};

}  // namespace takt::client
