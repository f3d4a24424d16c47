#include "giop/connection.h"

#include <algorithm>

#include "giop/head_parser.h"

namespace takt::giop {

namespace {

constexpr std::uint16_t bit(MessageType type) {
  return static_cast<std::uint16_t>(1u << static_cast<unsigned>(type));
}
// CORBA 3.0.3, table 15-3. Either side may close: older clients do so too, against the letter.
constexpr std::uint16_t from_both =
    bit(MessageType::close_connection) | bit(MessageType::message_error) | bit(MessageType::fragment);
constexpr std::uint16_t from_clients = bit(MessageType::request) | bit(MessageType::cancel_request) |
                                       bit(MessageType::locate_request) | from_both;
constexpr std::uint16_t from_servers =
    bit(MessageType::reply) | bit(MessageType::locate_reply) | from_both;

const char* to_text(HeaderError error) {
  switch (error) {
    case HeaderError::none:
      return "";
    case HeaderError::not_giop:
      return "octets that are not the beginning of a GIOP message";
    case HeaderError::version:
      return "a version of GIOP above 1.2";
    case HeaderError::flags:
      return "a byte order that is neither, or unknown flags";
    case HeaderError::type:
      return "a message of unknown type";
  }
  return "";
}

}  // namespace

Connection::Connection(Role role, const Limits& limits)
    : limits_(limits),
      next_id_(role == Role::client ? 0 : UINT32_MAX),
      accepted_types_(role == Role::client ? from_servers : from_clients) {}

void Connection::allow_both_ways() { accepted_types_ = from_clients | from_servers; }

void Connection::end_of_stream() { ended_ = true; }

Event Connection::next_event() {
  if (attention_) [[unlikely]] {
    if (over_) return {};
    if (failure_) return fail(failure_);
    whole_ = {};
    attention_ = false;
  }
  for (;;) {
    const std::size_t available = buffer_.available();
    if (available < header_size) return starved();
    MessageHeader header;
    if (const HeaderError error = read_header(buffer_.front(), header); error != HeaderError::none) [[unlikely]]
      return fail(to_text(error));
    const std::size_t bytes = header.message_bytes();
    if (const char* refused = refusal(header)) [[unlikely]]
      return fail(refused);
    if (bytes > available) [[unlikely]]
      return incomplete(header);
    version_ = header.version;
    const std::uint8_t* message = buffer_.take(bytes);
    ++messages_;
    expected_bytes_ = 0;
    if (header.more_fragments || header.type == MessageType::fragment) [[unlikely]] {
      Event event = take_part(header, {message, bytes});
      if (event.kind == EventKind::none && !over_) continue;
      return event;
    }
    return parse(header, message, bytes);
  }
}

inline const char* Connection::refusal(const MessageHeader& header) const {
  if (header.message_bytes() > limits_.message_bytes) [[unlikely]]
    return "a message longer than the limit";
  if (header.version.minor > limits_.giop_minor) [[unlikely]]
    return "a version of GIOP above the configured one";
  if ((accepted_types_ & bit(header.type)) == 0) [[unlikely]]
    return "a message that this side of the connection does not take";
  return nullptr;
}

inline Event Connection::parse(const MessageHeader& header, const std::uint8_t* message, std::size_t bytes) {
  Event event;
  const ParseResult result = parse_head(header, message, bytes, limits_, event);
  if (result != ParseResult::done) [[unlikely]]
    return fail(giop::to_text(result));
  if (event.kind >= EventKind::cancel) [[unlikely]] {
    if (event.kind == EventKind::cancel && assembler_) assembler_->cancel(event.request_id);
    if (event.kind >= EventKind::close) {
      over_ = true;
      attention_ = true;
    }
  }
  return event;
}

// Not all of the message is here; its event may come all the same if bodies are streamed.
Event Connection::incomplete(const MessageHeader& header) {
  expected_bytes_ = header.message_bytes();
  const std::size_t available = buffer_.available();
  const bool streamable = (header.type == MessageType::request || header.type == MessageType::reply) &&
                          !header.more_fragments;
  if (stream_threshold_ == 0 || expected_bytes_ <= stream_threshold_ || !streamable ||
      available < retry_bytes_)
    return starved();
  // Copied nowhere: an incomplete message is the last thing in the buffer.
  const std::uint8_t* message = buffer_.take(available);
  Event event;
  const ParseResult result = parse_head(header, message, available, limits_, event);
  if (result == ParseResult::truncated) {
    buffer_.put_back(message, available);
    retry_bytes_ = 2 * available;
    return starved();
  }
  if (result != ParseResult::done) return fail(giop::to_text(result));
  ++messages_;
  version_ = header.version;
  expected_bytes_ = 0;
  retry_bytes_ = 0;
  body_missing_ = event.body_missing;
  return event;
}

Event Connection::take_part(const MessageHeader& header, ByteView message) {
  if (!assembler_) assembler_ = std::make_unique<FragmentAssembler>(limits_);
  if (header.type != MessageType::fragment) {
    const FragmentError error = assembler_->begin(header, message);
    return error == FragmentError::none ? Event{} : fail(giop::to_text(error));
  }
  if (const FragmentError error = assembler_->add(header, message, whole_); error != FragmentError::none)
    return fail(giop::to_text(error));
  if (whole_.empty()) return {};
  attention_ = true;
  MessageHeader whole_header;
  (void)read_header(whole_.data(), whole_header);
  return parse(whole_header, whole_.data(), whole_.size());
}

Event Connection::starved() {
  if (!ended_) [[likely]]
    return {};
  Event event;
  event.kind = EventKind::lost;
  event.reason = mid_message() ? "the stream ended in the middle of a message" : "the stream ended";
  over_ = true;
  attention_ = true;
  return event;
}

Event Connection::fail(const char* reason) {
  over_ = true;
  attention_ = true;
  Event event;
  event.kind = EventKind::protocol_error;
  event.reason = reason;
  return event;
}

std::optional<Connection::TimePoint> Connection::next_deadline(TimePoint now) {
  std::optional<TimePoint> deadline;
  if (assembler_) deadline = assembler_->next_deadline(now);
  if (buffer_.available() != 0 || body_missing_ != 0) {
    if (!since_ || messages_at_since_ != messages_) {
      since_ = now;
      messages_at_since_ = messages_;
    }
    const TimePoint front = *since_ + std::chrono::duration_cast<TimePoint::duration>(limits_.message_time);
    deadline = deadline ? std::min(*deadline, front) : front;
  } else {
    since_.reset();
  }
  return deadline;
}

void Connection::on_deadline(TimePoint now) {
  const auto deadline = next_deadline(now);
  if (!deadline || *deadline > now) return;
  failure_ = "the rest of a message did not come in time";
  attention_ = true;
}

}  // namespace takt::giop
