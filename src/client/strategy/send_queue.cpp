#include "client/strategy/send_queue.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "client/strategy/waiting_calls.h"

namespace takt::client {

namespace {
constexpr std::size_t first_messages = 8;
constexpr std::size_t most_spare_blocks = 64;
constexpr std::size_t kept_bytes = 256 * 1024;  // buffers of sent messages above this size are freed
// Limits of one system call. They are low, so that most messages can still be withdrawn while the peer does
// not read.
constexpr std::size_t messages_at_once = 256;
constexpr std::size_t octets_at_once = 64 * 1024;
}  // namespace

SendQueue::SendQueue(std::size_t max_messages, std::size_t max_octets)
    : max_messages_(max_messages), max_octets_(max_octets), places_(first_messages) {}

bool SendQueue::has_room_for(std::size_t octets) const {
  return octets_ == 0 || (count_ < max_messages_ && octets <= max_octets_ - std::min(octets_, max_octets_));
}

// Call when nothing can fail any more.
SendQueue::Message& SendQueue::add_place(std::uint32_t request_id, Waiter* when_sent) {
  Message& last = at(count_++);
  last.request_id = request_id;
  last.when_sent = when_sent;
  return last;
}

SendQueue::Number SendQueue::add(std::uint32_t request_id, std::vector<std::uint8_t>& message,
                                 Waiter* when_sent) {
  if (count_ == places_.size()) grow();
  Message& last = add_place(request_id, when_sent);
  last.own.swap(message);
  last.octets = last.own;
  octets_ += last.octets.size();
  return last_number();
}

SendQueue::Number SendQueue::add_copy(std::uint32_t request_id, ByteView message, Waiter* when_sent) {
  if (count_ == places_.size()) grow();
  if (!last_block_ || last_block_->octets.size() - last_block_->used < message.size()) next_block();
  Message& last = add_place(request_id, when_sent);
  std::uint8_t* const to = last_block_->octets.data() + last_block_->used;
  std::memcpy(to, message.data(), message.size());
  last.block = last_block_;
  last.octets = {to, message.size()};
  last_block_->used += message.size();
  ++last_block_->messages;
  octets_ += message.size();
  return last_number();
}

void SendQueue::grow() {
  std::vector<Message> more(2 * places_.size());
  for (std::size_t i = 0; i < count_; ++i) more[i] = std::move(at(i));
  places_ = std::move(more);
  first_ = 0;
}

void SendQueue::next_block() {
  if (spare_blocks_.empty()) {
    spare_blocks_.reserve(blocks_.size() + 1);
    blocks_.push_back(std::make_unique_for_overwrite<Block>());
    last_block_ = blocks_.back().get();
    return;
  }
  last_block_ = spare_blocks_.back();
  spare_blocks_.pop_back();
}

// A block without messages is used again, or freed if there are many.
void SendQueue::leave_block(Message& message) {
  Block* const block = std::exchange(message.block, nullptr);
  if (--block->messages != 0) return;
  block->used = 0;
  if (block == last_block_) return;
  if (spare_blocks_.size() < most_spare_blocks)
    spare_blocks_.push_back(block);
  else
    std::erase_if(blocks_, [block](const auto& one) { return one.get() == block; });
}

void SendQueue::begin_front(std::size_t octets) {
  if (octets == 0) return;
  front().begun = true;
  octets_ -= front().octets.size();
  front_sent_ = octets;
}

// The numbers of messages that are withdrawn from the end are given again, so the id must be the same too.
SendQueue::Fate SendQueue::give_up(std::uint32_t request_id, Number number) {
  const Number place = number - first_number_;
  if (place >= count_ || at(place).request_id != request_id) return Fate::begun;  // and completely sent
  Message& message = at(place);
  Waiter* const when_sent = std::exchange(message.when_sent, nullptr);
  if (when_sent && when_sent->left) when_sent->left(*when_sent, false);
  if (message.begun) return Fate::begun;
  message.withdrawn = true;
  while (count_ != 0 && at(count_ - 1).withdrawn) clear(at(--count_));
  return Fate::withdrawn;
}

void SendQueue::collect(std::vector<ByteView>& pieces) {
  pieces.clear();
  std::size_t octets = 0;
  std::size_t messages = 0;
  const Block* last = nullptr;  // the one that backs the last piece
  for (std::size_t i = 0; i < count_ && messages < messages_at_once; ++i) {
    Message& message = at(i);
    if (message.withdrawn) continue;
    ++messages;
    if (!message.begun) {
      if (octets != 0 && octets + message.octets.size() > octets_at_once) return;
      message.begun = true;
      octets_ -= message.octets.size();
    }
    const ByteView left = message.octets.subspan(i == 0 ? front_sent_ : 0);
    octets += left.size();
    if (last && last == message.block && pieces.back().data() + pieces.back().size() == left.data())
      pieces.back() = {pieces.back().data(), pieces.back().size() + left.size()};
    else
      pieces.push_back(left);
    last = message.block;
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
  first_ = (first_ + 1) & (places_.size() - 1);
  ++first_number_;
  --count_;
  front_sent_ = 0;
}

void SendQueue::clear(Message& message) {
  if (!message.begun) octets_ -= message.octets.size();
  message.octets = {};
  if (message.block) {
    leave_block(message);
  } else {
    message.own.clear();
    if (message.own.capacity() > kept_bytes) message.own = std::vector<std::uint8_t>();
  }
  message.when_sent = nullptr;
  message.begun = message.withdrawn = false;
}

}  // namespace takt::client
