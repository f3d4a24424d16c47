#include "giop/heads/head_parser.h"

namespace takt::giop {

namespace {

template <bool Swap, std::uint8_t Minor>
ParseResult parse(const MessageHeader& header, const std::uint8_t* message, std::size_t present,
                  const Limits& limits, Event& event) {
  HeadParser<Swap, Minor> parser(header.message_bytes(), message, present, limits, event);
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
      return ParseResult::done;
    case MessageType::message_error:
      event.kind = EventKind::message_error;
      return ParseResult::done;
    case MessageType::fragment:
      break;
  }
  return ParseResult::malformed;
}

template <bool Swap>
ParseResult parse_lite(const MessageHeader& header, const std::uint8_t* message, std::size_t present,
                       const Limits& limits, const lite::ServerNames* names, Event& event) {
  HeadParser<Swap, 2> parser(header.message_bytes(), message, present, limits, event);
  return header.type == MessageType::request ? parser.lite_request(names) : parser.lite_reply();
}

}  // namespace

ParseResult parse_lite_head(const MessageHeader& header, const std::uint8_t* message, std::size_t present,
                            const Limits& limits, const lite::ServerNames* names, Event& event) {
  return header.order == cdr::native_order ? parse_lite<false>(header, message, present, limits, names, event)
                                           : parse_lite<true>(header, message, present, limits, names, event);
}

ParseResult parse_head(const MessageHeader& header, const std::uint8_t* message, std::size_t present,
                       const Limits& limits, Event& event) {
  using Parse =
      ParseResult (*)(const MessageHeader&, const std::uint8_t*, std::size_t, const Limits&, Event&);
  static constexpr Parse parsers[2][highest_minor + 1] = {
      {&parse<false, 0>, &parse<false, 1>, &parse<false, 2>},
      {&parse<true, 0>, &parse<true, 1>, &parse<true, 2>}};
  const bool swap = header.order != cdr::native_order;
  return parsers[swap][header.version.minor](header, message, present, limits, event);
}

const char* to_text(ParseResult result) {
  switch (result) {
    case ParseResult::done:
      return "";
    case ParseResult::truncated:
      return "a message shorter than its own head";
    case ParseResult::malformed:
      return "a message whose header has a value that GIOP does not define";
    case ParseResult::too_many_contexts:
      return "more service contexts than the limit";
    case ParseResult::unknown_number:
      return "an undefined GIOPlite number";
  }
  return "";
}

}  // namespace takt::giop
