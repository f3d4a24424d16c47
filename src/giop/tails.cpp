#include "giop/connection.h"
#include "giop/heads/head_parser.h"

namespace takt::giop {

// False: the message gets no tail, at least not yet.
bool Connection::begin_tail(const MessageHeader& header) {
  if (expected_bytes_ <= tail_threshold_ || header.type != MessageType::request || tail_tried_ == messages_)
    return false;
  const ByteView present(buffer_.front(), buffer_.available());
  const ParseResult result = read_head(header, present.data(), present.size());
  const std::size_t body_index = event_.body_index;
  event_ = {};
  std::size_t at = 0;
  if (result == ParseResult::done)
    at = cdr::BodyTail::likely_begin(present, body_index, expected_bytes_, header.order);
  constexpr std::size_t enough = 512;  // octets with the head of a message and its first arguments
  const bool again = at == 0 && (result == ParseResult::truncated || present.size() < enough);
  retry_bytes_ = again ? 2 * present.size() : 0;
  if (!again) tail_tried_ = messages_;
  return at != 0 && buffer_.begin_tail(at, expected_bytes_);
}

// Delivers the message with the tail once that is complete. Returns false: the event is set.
bool Connection::go_on_with_tail() {
  event_ = {};
  MessageHeader header;
  (void)read_any_header(buffer_.front(), header);
  if (buffer_.available() < expected_bytes_) {
    ended_ ? lose() : make_room(header);
    return false;
  }
  (void)buffer_.make_room(expected_bytes_);  // counts what has arrived
  expected_bytes_ = 0;
  ++messages_;
  version_ = header.version;
  tail_delivered_ = true;
  const ByteView head = buffer_.take_head();
  parse(header, head.data(), head.size());
  return false;
}

}  // namespace takt::giop
