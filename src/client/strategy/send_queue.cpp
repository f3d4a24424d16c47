#include "client/strategy/send_queue.h"

#include <algorithm>
#include <utility>

namespace takt::client {

namespace {
constexpr std::size_t first_messages = 8;
constexpr std::size_t usual_message_bytes = 1024;
constexpr std::size_t kept_bytes = 256 * 1024;  // buffers of sent messages above this size are freed
// Limits of one system call. They are low, so that most messages can still be withdrawn while the peer does
// not read.
constexpr std::size_t messages_at_once = 64;
constexpr std::size_t octets_at_once = 64 * 1024;
}  // namespace

SendQueue::SendQueue(std::size_t max_messages, std::size_t max_octets)
    : max_messages_(max_messages), max_octets_(max_octets), places_(first_messages) {
  for (Message& message : places_) message.octets.reserve(usual_message_bytes);
}

bool SendQueue::has_room_for(std::size_t octets) const {
  return octets_ == 0 || (count_ < max_messages_ && octets <= max_octets_ - std::min(octets_, max_octets_));
}

void SendQueue::add(std::uint32_t request_id, std::vector<std::uint8_t>& message, Waiter* when_sent) {
  if (count_ == places_.size()) grow();
  Message& last = at(count_++);
  last.octets.swap(message);
  last.request_id = request_id;
  last.when_sent = when_sent;
  octets_ += last.octets.size();
}

void SendQueue::grow() {
  std::vector<Message> more(2 * places_.size());
  for (std::size_t i = count_; i < more.size(); ++i) more[i].octets.reserve(usual_message_bytes);
  for (std::size_t i = 0; i < count_; ++i) more[i] = std::move(at(i));
  places_ = std::move(more);
  first_ = 0;
}

void SendQueue::begin_front(std::size_t octets) {
  if (octets == 0) return;
  front().begun = true;
  octets_ -= front().octets.size();
  front_sent_ = octets;
}

SendQueue::Fate SendQueue::give_up(std::uint32_t request_id) {
  for (std::size_t i = 0; i < count_; ++i) {
    Message& message = at(i);
    if (message.request_id != request_id) continue;
    message.when_sent = nullptr;
    if (message.begun) return Fate::begun;
    message.withdrawn = true;
    while (count_ != 0 && at(count_ - 1).withdrawn) clear(at(--count_));
    return Fate::withdrawn;
  }
  return Fate::begun;  // begun, and completely sent
}

void SendQueue::collect(std::vector<ByteView>& pieces) {
  pieces.clear();
  std::size_t octets = 0;
  for (std::size_t i = 0; i < count_ && pieces.size() < messages_at_once; ++i) {
    Message& message = at(i);
    if (message.withdrawn) continue;
    if (!message.begun) {
      if (octets != 0 && octets + message.octets.size() > octets_at_once) return;
      message.begun = true;
      octets_ -= message.octets.size();
    }
    pieces.push_back(ByteView(message.octets).subspan(i == 0 ? front_sent_ : 0));
    octets += pieces.back().size();
  }
}

// Deducts the unsent part of the first message from `octets`. True if the message is done.
bool SendQueue::front_is_done(std::size_t& octets) {
  const Message& message = front();
  if (message.withdrawn) return true;
  const std::size_t left = message.octets.size() - front_sent_;
  const std::size_t gone = std::min(left, octets);
  octets -= gone;
  front_sent_ += gone;
  return gone == left;
}

void SendQueue::drop_front() {
  clear(front());
  first_ = (first_ + 1) % places_.size();
  --count_;
  front_sent_ = 0;
}

void SendQueue::clear(Message& message) {
  if (!message.begun) octets_ -= message.octets.size();
  message.octets.clear();
  if (message.octets.capacity() > kept_bytes) message.octets = std::vector<std::uint8_t>();
  message.when_sent = nullptr;
  message.begun = message.withdrawn = false;
}

}  // namespace takt::client
