// Requests that wait for the thread that writes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <takt/base/bytes.h>

namespace takt::client {

struct Waiter;

// First in, first out, and bounded. Whoever uses it holds its owner's lock; the octets that collect() has
// shown stay where they are without it. In steady use nothing is allocated: messages and places are used
// again.
class SendQueue {
 public:
  // At most so many messages, and so many octets of those that have not been begun; of these, one is always
  // taken, however long.
  SendQueue(std::size_t max_messages, std::size_t max_octets);

  bool empty() const { return count_ == 0; }
  bool has_room_for(std::size_t octets) const;
  // Takes the message and leaves another message's memory in its place. `when_sent`: who waits for no more
  // than that the system has it; null: nobody.
  void add(std::uint32_t request_id, std::vector<std::uint8_t>& message, Waiter* when_sent);

  // What has become of a message whose caller waits no longer: nobody is told when it is sent, and it is not
  // sent at all if no octet of it has been handed to the system.
  enum class Fate : std::uint8_t { begun, withdrawn };
  Fate give_up(std::uint32_t request_id);

  // The octets that are next, of a few messages; these count as begun from now on. Empty: there are none.
  void collect(std::vector<ByteView>& pieces);
  // The first `octets` of them have left; `tell` is called with whoever waited for that.
  template <class Tell>
  void sent(std::size_t octets, Tell tell) {
    while (count_ != 0 && front_is_done(octets)) {
      Waiter* when_sent = front().when_sent;
      drop_front();
      if (when_sent) tell(*when_sent);
    }
  }
  // Empties the queue: `tell` is called for each message with its id, who waits for it to be sent, and
  // whether it had been begun.
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
  std::size_t octets_ = 0;      // of messages that have not been begun
  std::size_t front_sent_ = 0;  // of the first message
};

}  // namespace takt::client
