#include "giop/connection.h"

#include <algorithm>
#include <utility>

#include "giop/compression/format.h"
#include "giop/compression/unpack.h"
#include "giop/heads/head_parser.h"

namespace takt::giop {

namespace {

constexpr std::uint16_t bit(MessageType type) {
  return static_cast<std::uint16_t>(1u << static_cast<unsigned>(type));
}
// CORBA 3.0.3, table 15-3. Either side may close: older clients do so too, contrary to the table.
constexpr std::uint16_t from_both =
    bit(MessageType::close_connection) | bit(MessageType::message_error) | bit(MessageType::fragment);
constexpr std::uint16_t from_clients = bit(MessageType::request) | bit(MessageType::cancel_request) |
                                       bit(MessageType::locate_request) | from_both;
constexpr std::uint16_t from_servers = bit(MessageType::reply) | bit(MessageType::locate_reply) | from_both;

// With these an end says that it is done with the connection, possibly in the version that it speaks.
constexpr std::uint16_t any_version = bit(MessageType::close_connection) | bit(MessageType::message_error);

std::uint64_t first_octets(const std::uint8_t* message) {
  std::uint64_t octets;
  std::memcpy(&octets, message, sizeof octets);
  return octets;
}

// A complete message of GIOP 1.2 in native byte order.
std::uint64_t first_octets(MessageType type) {
  std::uint8_t header[header_size];
  write_header(header, {1, 2}, cdr::native_order, type);
  return first_octets(header);
}

// The alert that a TLS end sends, before it closes, to a peer that does not speak TLS: an unencrypted record
// (RFC 8446, 5.1 and 6), shorter than any GIOP header.
bool is_tls_alert(ByteView octets) {
  constexpr std::uint8_t alert_record = 21, major_version = 3, alert_bytes = 2;
  return octets.size() == 7 && octets[0] == alert_record && octets[1] == major_version && octets[3] == 0 &&
         octets[4] == alert_bytes;
}

}  // namespace

Connection::Connection(Role role, const Limits& limits, const Messaging& messaging,
                       const compression::MethodList& methods, std::uint16_t expansion)
    : limits_(limits),
      memory_of_all_(role == Role::client ? limits.client_memory : limits.server_memory),
      memory_(std::make_unique<MemoryBudget>(limits.connection_memory, memory_of_all_.get())),
      buffer_(memory_.get()),
      expected_first_(limits.giop_minor < 2
                          ? 0
                          : first_octets(role == Role::client ? MessageType::reply : MessageType::request)),
      lite_(messaging.short_heads),
      methods_(methods),
      expansion_(expansion != 0 ? expansion : limits.expansion.get()),
      // Without short heads: a value that never matches, because the comparison masks out some octets.
      expected_lite_(
          lite_ ? lite::first_octets(role == Role::client ? MessageType::reply : MessageType::request)
                : UINT64_MAX),
      longest_(limits.message_bytes),
      memory_of_whole_(memory_.get()),
      next_id_(role == Role::client ? 0 : UINT32_MAX),
      accepted_types_(role == Role::client ? from_servers : from_clients) {}

void Connection::allow_bidirectional() { accepted_types_ = from_clients | from_servers; }

void Connection::end_of_stream() {
  ended_ = true;
  attention_ = true;
}

const Event Connection::nothing{};

// A complete request or reply in native byte order; `parse` parses its head.
template <class Parse>
[[gnu::always_inline]] inline void Connection::take_whole(std::size_t bytes, Parse parse) {
  const std::uint8_t* message = buffer_.take(bytes);
  ++messages_;
  version_ = {1, 2};
  const bool is_request = message[7] == static_cast<std::uint8_t>(MessageType::request);
  // The parser sets every field that this kind has; the other fields keep their initial values.
  if (event_.kind != (is_request ? EventKind::request : EventKind::reply)) [[unlikely]]
    event_ = {};
  HeadParser<false, 2> parser(bytes, message, bytes, limits_, event_);
  const ParseResult result = parse(parser, is_request);
  if (result != ParseResult::done) [[unlikely]]
    fail(giop::to_text(result));
}

const Event& Connection::take_event() {
  if (attention_) [[unlikely]] {
    if (!attend()) return event_;
  }
  const std::size_t available = buffer_.available();
  if (available >= header_size) [[likely]] {
    const std::uint8_t* front = buffer_.front();
    const std::size_t bytes = header_size + load_u32(front + 8, false);
    if (first_octets(front) == expected_first_ && bytes <= available && bytes <= longest_) [[likely]] {
      take_whole(bytes, [](auto& parser, bool is_request) {
        return is_request ? parser.request() : parser.reply();
      });
      return event_;
    }
    if ((first_octets(front) & lite::first_octets_mask()) == expected_lite_ && bytes <= available &&
        bytes <= longest_) {
      take_whole(bytes, [this](auto& parser, bool is_request) {
        return is_request ? parser.lite_request(names_.get()) : parser.lite_reply();
      });
      return event_;
    }
  }
  next_any_message();
  return event_;
}

void Connection::learn(std::uint16_t number) {
  const bool has_names = event_.kind == EventKind::request && !event_.key_unknown;
  if (!lite_ || !has_names || event_.version.minor < 2) return;
  if (!names_) names_ = std::make_unique<lite::ServerNames>();
  event_.short_head = names_->learn(number, event_.object_key, event_.operation);
}

// Slow-path checks at the start of take_event(). Returns false if the event is set already, or no more will
// come.
bool Connection::attend() {
  if (over_) {
    event_ = {};
    return false;
  }
  if (failure_) {
    fail(failure_);
    return false;
  }
  if (buffer_.reads_tail()) return go_on_with_tail();
  if (std::exchange(tail_delivered_, false)) buffer_.drop_tail();
  whole_.clear();
  if (whole_.capacity() > MemoryBudget::uncounted_bytes) whole_ = std::vector<std::uint8_t>();
  parts_ = FragmentParts();
  memory_of_whole_.shrink(0);
  expected_bytes_ = 0;
  if (skip_bytes_ != 0) {
    const std::size_t here = std::min(skip_bytes_, buffer_.available());
    buffer_.take(here);
    skip_bytes_ -= here;
    buffer_.trim(MemoryBudget::uncounted_bytes, MemoryBudget::uncounted_bytes);
  }
  attention_ = ended_ || skip_bytes_ != 0;
  return true;
}

// Any message, in any version, byte order and number of fragments.
void Connection::next_any_message() {
  event_ = {};
  while (buffer_.available() >= header_size) {
    MessageHeader header;
    const HeaderError error = read_any_header(buffer_.front(), header);
    if (error != HeaderError::none) return fail(giop::to_text(error));
    if (const char* refused = refusal(header)) return fail(refused, header.version);
    const std::size_t bytes = header.message_bytes();
    if (bytes > buffer_.available()) {
      incomplete(header);
      break;
    }
    const std::uint8_t* message = buffer_.take(bytes);
    ++messages_;
    version_ = header.version;
    if (header.form == MessageForm::packed)
      take_packed(header, {message, bytes});
    else if (header.more_fragments || header.type == MessageType::fragment)
      take_part(header, {message, bytes});
    else
      parse(header, message, bytes);
    if (event_.kind != EventKind::none) return;
  }
  if (ended_ && event_.kind == EventKind::none) lose();
}

HeaderError Connection::read_any_header(const std::uint8_t* octets, MessageHeader& header) const {
  if (lite_ && *octets == lite::mark) return lite::read_header(octets, header);
  if (!methods_.empty() && *octets == compression::mark)
    return compression::read_header(octets, methods_, header);
  return read_header(octets, header);
}

bool Connection::cancel_follows(std::uint32_t request_id) const {
  constexpr int most_looked_at = 64;
  const std::uint8_t* at = buffer_.front();
  std::size_t left = body_missing_ == 0 ? buffer_.available() : 0;
  for (int i = 0; i < most_looked_at && left >= header_size; ++i) {
    MessageHeader header;
    if (read_any_header(at, header) != HeaderError::none || header.message_bytes() > left) return false;
    const bool cancels = header.form == MessageForm::giop && header.type == MessageType::cancel_request &&
                         header.body_bytes >= sizeof request_id;
    if (cancels && load_u32(at + header_size, header.order != cdr::native_order) == request_id) return true;
    at += header.message_bytes();
    left -= header.message_bytes();
  }
  return false;
}

ParseResult Connection::read_head(const MessageHeader& header, const std::uint8_t* message,
                                  std::size_t present) {
  return header.form == MessageForm::lite
             ? parse_lite_head(header, message, present, limits_, names_.get(), event_)
             : parse_head(header, message, present, limits_, event_);
}

const char* Connection::refusal(const MessageHeader& header) const {
  if (header.message_bytes() > longest_) [[unlikely]]
    return "a message longer than the limit";
  if (header.version.minor > limits_.giop_minor) [[unlikely]]
    return "a version of GIOP above the configured one";
  if (header.version.minor < limits_.least_giop_minor && (any_version & bit(header.type)) == 0) [[unlikely]]
    return "a version of GIOP below the configured one";
  if ((accepted_types_ & bit(header.type)) == 0) [[unlikely]]
    return "a message that this side of the connection does not take";
  return nullptr;
}

void Connection::parse(const MessageHeader& header, const std::uint8_t* message, std::size_t bytes) {
  const ParseResult result = read_head(header, message, bytes);
  if (result != ParseResult::done) return fail(giop::to_text(result));
  if (event_.kind == EventKind::cancel && assembler_) assembler_->cancel(event_.request_id);
  // A close says that no unanswered request was begun, but this one was.
  if (event_.kind == EventKind::close && assembler_ && assembler_->holds_reply())
    return fail("the peer closed the connection in the middle of a reply");
  if (event_.kind == EventKind::close || event_.kind == EventKind::message_error) end();
}

// The message is incomplete. Its event may still come now if bodies are streamed.
void Connection::incomplete(const MessageHeader& header) {
  expected_bytes_ = header.message_bytes();
  attention_ = true;
  const std::size_t available = buffer_.available();
  const bool wanted = std::exchange(streams_message_, false) ||
                      (stream_threshold_ != 0 && expected_bytes_ > stream_threshold_);
  const bool streamable = (header.type == MessageType::request || header.type == MessageType::reply) &&
                          !header.more_fragments && header.form != MessageForm::packed;
  if (!wanted && streamable && available >= retry_bytes_ && begin_tail(header)) return;
  if (!wanted || !streamable || available < retry_bytes_) return make_room(header);
  const std::uint8_t* message = buffer_.take(available);
  const ParseResult result = read_head(header, message, available);
  if (result == ParseResult::truncated) {
    event_ = {};
    buffer_.put_back(message, available);
    retry_bytes_ = 2 * available;
    return make_room(header);
  }
  if (result != ParseResult::done) return fail(giop::to_text(result));
  ++messages_;
  version_ = header.version;
  retry_bytes_ = 0;
  body_missing_ = event_.body_missing;
  streamed_ = message;
  streamed_bytes_ = available;
}

// Makes room for the rest of the message at the front, or refuses the message if there is no memory.
void Connection::make_room(const MessageHeader& header) {
  if (buffer_.make_room(expected_bytes_)) return;
  const std::size_t available = buffer_.available();
  const bool has_tail = buffer_.reads_tail();
  const ByteView present = has_tail ? buffer_.take_head() : ByteView(buffer_.take(available), available);
  if (has_tail) buffer_.drop_tail();
  ++messages_;
  version_ = header.version;
  skip_bytes_ = std::exchange(expected_bytes_, 0) - available;
  if (header.form == MessageForm::packed) return fail("there is no memory for a compressed message");
  if (header.more_fragments || header.type == MessageType::fragment)
    refuse_part(header, present, buffer_.fits_later());
  else
    refuse(header, present, buffer_.fits_later());
}

// `present`: the octets of the message that have arrived, including the header.
void Connection::refuse(const MessageHeader& header, ByteView present, bool fits_later) {
  attention_ = true;
  event_ = {};
  const ParseResult result = read_head(header, present.data(), present.size());
  const bool is_request = event_.kind == EventKind::request;
  if (result != ParseResult::done || (!is_request && event_.kind != EventKind::reply))
    return fail("there is no memory for a message whose head has not arrived");
  event_.kind = is_request ? EventKind::refused_request : EventKind::refused_reply;
  event_.body = {};
  event_.body_missing = 0;
  event_.fits_later = fits_later && memory_->could_take(header.message_bytes());
  event_.reason = "there is no memory for the message";
}

// Refuses a fragmented message, whose head is in the first fragment.
void Connection::refuse_part(const MessageHeader& header, ByteView present, bool fits_later) {
  if (!rules_of(header.version).fragment_ids || present.size() < header_size + sizeof(std::uint32_t))
    return fail("there is no memory for a message in fragments");
  if (!assembler_) assembler_ = std::make_unique<FragmentAssembler>(limits_, memory_.get());
  whole_ = assembler_->give_up(header, present);
  if (header.type != MessageType::fragment) return refuse(header, present, fits_later);
  MessageHeader first;
  if (whole_.empty() || read_header(whole_.data(), first) != HeaderError::none)
    return fail("there is no memory for a fragment");
  first.body_bytes = static_cast<std::uint32_t>(whole_.size() - header_size);
  refuse(first, whole_, fits_later);
}

void Connection::stop_streaming() {
  stream_threshold_ = 0;
  if (body_missing_ == 0) return;
  buffer_.put_back(streamed_, streamed_bytes_);
  body_missing_ = 0;
  event_ = {};
  --messages_;
}

void Connection::take_packed(const MessageHeader& header, ByteView message) {
  attention_ = true;  // frees the inflated octets together with the event
  const auto inside =
      compression::unpack(header, message, {longest_, expansion_, &memory_of_whole_}, methods_, whole_);
  if (!inside) return fail(inside.error());
  wanted_by_peer_ = compression::wanted_by_sender(header, message);
  MessageHeader own;
  const HeaderError error = read_any_header(inside->data(), own);
  if (error != HeaderError::none) return fail(giop::to_text(error));
  const bool fits = own.form != MessageForm::packed && own.version.minor == 2 && own.type == header.type &&
                    !own.more_fragments && own.message_bytes() == inside->size();
  if (!fits) return fail("a packed message that does not contain a whole Request or Reply of GIOP 1.2");
  parse(own, inside->data(), inside->size());
}

void Connection::take_part(const MessageHeader& header, ByteView message) {
  if (!assembler_) assembler_ = std::make_unique<FragmentAssembler>(limits_, memory_.get());
  std::vector<std::uint32_t> starts;
  const FragmentError error = header.type == MessageType::fragment
                                  ? assembler_->add(header, message, whole_, starts)
                                  : assembler_->begin(header, message);
  if (error == FragmentError::no_memory) {
    const std::size_t asked = assembler_->refused_bytes();
    return refuse_part(header, message, asked != 0 && memory_->could_take(asked + buffer_.capacity()));
  }
  if (error != FragmentError::none) return fail(giop::to_text(error));
  if (whole_.empty()) return;
  memory_of_whole_ = assembler_->take_memory();
  attention_ = true;
  MessageHeader whole_header;
  (void)read_header(whole_.data(), whole_header);
  parse(whole_header, whole_.data(), whole_.size());
  if (!starts.empty() && event_.kind != EventKind::protocol_error) divide(std::move(starts));
}

// Limits the event's body to its part in the first fragment.
void Connection::divide(std::vector<std::uint32_t> starts) {
  parts_ = FragmentParts(whole_, std::move(starts));
  const std::size_t first_bytes = parts_.first_bytes();
  const std::size_t begins = event_.body_index;
  const std::size_t present = begins < first_bytes ? first_bytes - begins : 0;
  event_.body_missing = event_.body.size() - present;
  event_.body = event_.body.first(present);
  event_.parts = &parts_;
}

void Connection::end() {
  over_ = true;
  attention_ = true;
}

void Connection::lose() {
  if (messages_ == 0 && is_tls_alert({buffer_.front(), buffer_.available()})) {
    fail(
        "the peer takes TLS alone on this port: use a reference of the server's, or "
        "corbaloc:ssliop:1.2@HOST:PORT/KEY");
    event_.wants_tls = true;
    return;
  }
  event_.kind = EventKind::lost;
  event_.reason = mid_message() ? "the stream ended in the middle of a message" : "the stream ended";
  end();
}

void Connection::fail(const char* reason) {
  event_ = {};
  event_.kind = EventKind::protocol_error;
  event_.reason = reason;
  end();
}

void Connection::fail(const char* reason, Version version) {
  fail(reason);
  event_.version = version;
}

std::optional<Connection::TimePoint> Connection::next_deadline(TimePoint now) {
  std::optional<TimePoint> deadline;
  if (assembler_) deadline = assembler_->next_deadline(now);
  if (begun_at_front()) {
    if (!since_ || messages_at_since_ != messages_) {
      since_ = now;
      messages_at_since_ = messages_;
    }
    const TimePoint front =
        *since_ + std::chrono::duration_cast<TimePoint::duration>(limits_.message_time.get());
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
