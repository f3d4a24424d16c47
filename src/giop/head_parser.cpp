#include "giop/head_parser.h"

#include "giop/head_reader.h"

namespace takt::giop {

namespace {

using Result = ParseResult;

// One message in one byte order.
template <bool Swap>
class HeadParser {
 public:
  HeadParser(const MessageHeader& header, const std::uint8_t* message, std::size_t present,
             const Limits& limits, Event& event)
      : in_(message, present, header_size),
        header_(header),
        rules_(rules_of(header.version)),
        message_(message),
        present_(present),
        limits_(limits),
        event_(event) {}

  Result request();
  Result reply();
  Result locate_request();
  Result locate_reply();
  Result cancel();

 private:
  Result target();
  [[gnu::noinline]] Result target_in_reference(std::uint16_t addressing);
  Result operation();
  Result contexts();
  [[gnu::noinline]] Result contexts(std::uint32_t count);
  Result body(std::size_t alignment);

  HeadReader<Swap> in_;
  const MessageHeader& header_;
  const VersionRules& rules_;
  const std::uint8_t* message_;
  std::size_t present_;
  const Limits& limits_;
  Event& event_;
};

#define TAKT_TRY(expression) \
  if (const Result result_ = (expression); result_ != Result::done) [[unlikely]] return result_
#define TAKT_READ(expression) \
  if (!(expression)) [[unlikely]] return Result::truncated

template <bool Swap>
Result HeadParser<Swap>::contexts() {
  std::uint32_t count = 0;
  TAKT_READ(in_.u32(count));
  return count == 0 ? Result::done : contexts(count);
}

template <bool Swap>
Result HeadParser<Swap>::contexts(std::uint32_t count) {
  if (count > limits_.service_contexts) return Result::too_many_contexts;
  const std::size_t from = in_.index();
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint32_t id = 0;
    ByteView data;
    TAKT_READ(in_.u32(id) && in_.octets(data));
  }
  const std::size_t bytes = in_.index() - from;
  if (bytes > limits_.service_context_bytes) return Result::too_many_contexts;
  event_.contexts = {count, {message_ + from, bytes}, header_.order};
  return Result::done;
}

template <bool Swap>
Result HeadParser<Swap>::operation() {
  ByteView text;
  TAKT_READ(in_.octets(text));
  if (text.empty() || text.back() != 0) return Result::malformed;
  event_.operation = {reinterpret_cast<const char*>(text.data()), text.size() - 1};
  return Result::done;
}

template <bool Swap>
Result HeadParser<Swap>::target() {
  if (!rules_.target_address) {
    TAKT_READ(in_.octets(event_.object_key));
    return Result::done;
  }
  std::uint16_t addressing = 0;
  TAKT_READ(in_.u16(addressing));
  if (addressing != static_cast<std::uint16_t>(Addressing::key)) [[unlikely]]
    return target_in_reference(addressing);
  event_.addressing = Addressing::key;
  TAKT_READ(in_.octets(event_.object_key));
  return Result::done;
}

template <bool Swap>
Result HeadParser<Swap>::target_in_reference(std::uint16_t addressing) {
  if (addressing > static_cast<std::uint16_t>(Addressing::reference)) return Result::malformed;
  event_.addressing = static_cast<Addressing>(addressing);
  std::uint32_t selected = 0;
  std::uint32_t count = 1;
  if (event_.addressing == Addressing::reference) {
    ByteView type_id;
    TAKT_READ(in_.u32(selected) && in_.octets(type_id) && in_.u32(count));
    if (selected >= count) return Result::malformed;
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint32_t tag = 0;
    ByteView data;
    TAKT_READ(in_.u32(tag) && in_.octets(data));
    if (i == selected) event_.key_unknown = !object_key_of_profile(tag, data, event_.object_key);
  }
  return Result::done;
}

// What follows the head. GIOP 1.2 aligns it if there is any; some pad even if there is none.
template <bool Swap>
Result HeadParser<Swap>::body(std::size_t alignment) {
  const std::size_t total = header_.message_bytes();
  std::size_t from = in_.index();
  if (from != total) {
    from = (from + alignment - 1) & ~(alignment - 1);
    if (from > total) from = total;
    if (from > present_) return Result::truncated;
  }
  event_.body_index = static_cast<std::uint32_t>(from);
  event_.body = {message_ + from, present_ - from};
  event_.body_missing = total - present_;
  return Result::done;
}

template <bool Swap>
Result HeadParser<Swap>::request() {
  event_.kind = EventKind::request;
  if (!rules_.contexts_last) TAKT_TRY(contexts());
  TAKT_READ(in_.u32(event_.request_id) && in_.u8(event_.response_flags));
  if (rules_.target_address) {
    event_.response_expected = event_.response_flags != 0;
  } else {  // a boolean
    event_.response_expected = event_.response_flags != 0;
    event_.response_flags = event_.response_expected ? response_from_target : no_response;
  }
  if (rules_.flag_bits) TAKT_READ(in_.skip(3));
  TAKT_TRY(target());
  TAKT_TRY(operation());
  if (rules_.principal) {
    ByteView principal;
    TAKT_READ(in_.octets(principal));
  }
  if (rules_.contexts_last) TAKT_TRY(contexts());
  return body(rules_.aligned_bodies ? 8 : 1);
}

template <bool Swap>
Result HeadParser<Swap>::reply() {
  event_.kind = EventKind::reply;
  std::uint32_t status = 0;
  if (!rules_.contexts_last) TAKT_TRY(contexts());
  TAKT_READ(in_.u32(event_.request_id) && in_.u32(status));
  const ReplyStatus last =
      rules_.target_address ? ReplyStatus::needs_addressing_mode : ReplyStatus::location_forward;
  if (status > static_cast<std::uint32_t>(last)) return Result::malformed;
  event_.reply_status = static_cast<ReplyStatus>(status);
  if (rules_.contexts_last) TAKT_TRY(contexts());
  return body(rules_.aligned_bodies ? 8 : 1);
}

template <bool Swap>
Result HeadParser<Swap>::locate_request() {
  event_.kind = EventKind::locate_request;
  event_.response_expected = true;
  TAKT_READ(in_.u32(event_.request_id));
  return target();
}

template <bool Swap>
Result HeadParser<Swap>::locate_reply() {
  event_.kind = EventKind::locate_reply;
  std::uint32_t status = 0;
  TAKT_READ(in_.u32(event_.request_id) && in_.u32(status));
  const LocateStatus last =
      rules_.target_address ? LocateStatus::needs_addressing_mode : LocateStatus::object_forward;
  if (status > static_cast<std::uint32_t>(last)) return Result::malformed;
  event_.locate_status = static_cast<LocateStatus>(status);
  return body(1);
}

template <bool Swap>
Result HeadParser<Swap>::cancel() {
  event_.kind = EventKind::cancel;
  TAKT_READ(in_.u32(event_.request_id));
  return Result::done;
}

#undef TAKT_TRY
#undef TAKT_READ

template <bool Swap>
Result parse(const MessageHeader& header, const std::uint8_t* message, std::size_t present,
             const Limits& limits, Event& event) {
  HeadParser<Swap> parser(header, message, present, limits, event);
  switch (header.type) {
    case MessageType::request:
      return parser.request();
    case MessageType::reply:
      return parser.reply();
    case MessageType::cancel_request:
      return parser.cancel();
    case MessageType::locate_request:
      return parser.locate_request();
    case MessageType::locate_reply:
      return parser.locate_reply();
    case MessageType::close_connection:
      event.kind = EventKind::close;
      return Result::done;
    case MessageType::message_error:
      event.kind = EventKind::message_error;
      return Result::done;
    case MessageType::fragment:
      break;
  }
  return Result::malformed;
}

}  // namespace

ParseResult parse_head(const MessageHeader& header, const std::uint8_t* message, std::size_t present,
                       const Limits& limits, Event& event) {
  event.version = header.version;
  event.order = header.order;
  if (header.order == cdr::native_order) [[likely]]
    return parse<false>(header, message, present, limits, event);
  return parse<true>(header, message, present, limits, event);
}

const char* to_text(ParseResult result) {
  switch (result) {
    case ParseResult::done:
      return "";
    case ParseResult::truncated:
      return "a message shorter than its own head";
    case ParseResult::malformed:
      return "a message whose head holds what GIOP does not have";
    case ParseResult::too_many_contexts:
      return "more service contexts than the limit";
  }
  return "";
}

}  // namespace takt::giop
