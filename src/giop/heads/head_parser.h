// Parses the head of each kind of message: the header, and all fields before the body.
#pragma once

#include <cstddef>
#include <cstdint>

#include "giop/header/head_reader.h"
#include "giop/header/limits.h"
#include "giop/header/lite_format.h"
#include "giop/header/message_header.h"
#include "giop/lite/server_names.h"
#include "giop/message/event.h"

namespace takt::giop {

enum class ParseResult : std::uint8_t {
  done,
  truncated,  // the octets end within the head
  malformed,
  too_many_contexts,
  unknown_number,
};
const char* to_text(ParseResult result);

// Fills the event from a message of which `present` octets have arrived: all of them, or at least the head.
// `message` is aligned to 8 in memory, and its header has been read.
ParseResult parse_head(const MessageHeader& header, const std::uint8_t* message, std::size_t present,
                       const Limits& limits, Event& event);
// The same for a message with a short head. `names`: the names that the peer has numbered; null: none.
ParseResult parse_lite_head(const MessageHeader& header, const std::uint8_t* message, std::size_t present,
                            const Limits& limits, const lite::ServerNames* names, Event& event);

#define TAKT_TRY(expression)                                                               \
  if (const ParseResult result_ = (expression); result_ != ParseResult::done) [[unlikely]] \
  return result_
#define TAKT_READ(expression)     \
  if (!(expression)) [[unlikely]] \
  return ParseResult::truncated

// Parser for one message of GIOP 1.Minor. Swap: the message has the other byte order. The version's rules are
// compile-time constants, so rules that do not apply cost nothing.
template <bool Swap, std::uint8_t Minor>
class HeadParser {
 public:
  HeadParser(std::size_t message_bytes, const std::uint8_t* message, std::size_t present,
             const Limits& limits, Event& event)
      : in_(message, present, header_size),
        message_(message),
        message_bytes_(message_bytes),
        present_(present),
        limits_(limits),
        event_(event) {
    event.version = {1, Minor};
    event.order = order;
    event.short_head = false;
  }

  ParseResult request();
  ParseResult reply();
  ParseResult locate_request();
  ParseResult locate_reply();
  ParseResult cancel();
  // The two messages that have a short head in GIOPlite; Minor is 2.
  ParseResult lite_request(const lite::ServerNames* names);
  ParseResult lite_reply();

 private:
  static constexpr const VersionRules& rules = version_rules[Minor];
  // A Request up to the object key's length.
  static constexpr std::size_t min_head_bytes = 16;
  static constexpr cdr::ByteOrder order =
      (cdr::native_order == cdr::ByteOrder::little) != Swap ? cdr::ByteOrder::little : cdr::ByteOrder::big;

  ParseResult target();
  [[gnu::noinline]] static ParseResult target_in_reference(HeadReader<Swap>& in, std::uint16_t addressing,
                                                           Event& event);
  ParseResult operation();
  ParseResult contexts();
  ParseResult lite_tail();
  [[gnu::noinline]] static ParseResult some_contexts(HeadReader<Swap>& in, std::uint32_t count,
                                                     const Limits& limits, Event& event);
  ParseResult body(std::size_t alignment);

  HeadReader<Swap> in_;
  const std::uint8_t* message_;
  std::size_t message_bytes_;
  std::size_t present_;
  const Limits& limits_;
  Event& event_;
};

template <bool Swap, std::uint8_t Minor>
inline ParseResult HeadParser<Swap, Minor>::contexts() {
  std::uint32_t count = 0;
  TAKT_READ(in_.u32(count));
  if (count == 0) [[likely]] {
    event_.contexts = {};
    return ParseResult::done;
  }
  HeadReader<Swap> in = in_;  // a local copy, so that in_ can stay in registers
  const ParseResult result = some_contexts(in, count, limits_, event_);
  in_ = in;
  return result;
}

template <bool Swap, std::uint8_t Minor>
ParseResult HeadParser<Swap, Minor>::some_contexts(HeadReader<Swap>& in, std::uint32_t count,
                                                   const Limits& limits, Event& event) {
  if (count > limits.service_contexts) return ParseResult::too_many_contexts;
  const std::size_t from = in.index();
  const std::uint8_t* first = in.at();
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint32_t id = 0;
    ByteView data;
    TAKT_READ(in.u32(id) && in.octets(data));
  }
  const std::size_t bytes = in.index() - from;
  if (bytes > limits.service_context_bytes) return ParseResult::too_many_contexts;
  event.contexts = {count, {first, bytes}, order};
  return ParseResult::done;
}

template <bool Swap, std::uint8_t Minor>
inline ParseResult HeadParser<Swap, Minor>::operation() {
  ByteView text;
  TAKT_READ(in_.octets(text));
  if (text.empty() || text.back() != 0) return ParseResult::malformed;
  event_.operation = {reinterpret_cast<const char*>(text.data()), text.size() - 1};
  return ParseResult::done;
}

template <bool Swap, std::uint8_t Minor>
inline ParseResult HeadParser<Swap, Minor>::target() {
  event_.key_unknown = false;
  if constexpr (!rules.target_address) {
    TAKT_READ(in_.octets(event_.object_key));
    return ParseResult::done;
  }
  std::uint16_t addressing = 0;
  TAKT_READ(in_.u16(addressing));
  if (addressing != static_cast<std::uint16_t>(Addressing::key)) [[unlikely]] {
    HeadReader<Swap> in = in_;
    const ParseResult result = target_in_reference(in, addressing, event_);
    in_ = in;
    return result;
  }
  event_.addressing = Addressing::key;
  TAKT_READ(in_.octets(event_.object_key));
  return ParseResult::done;
}

template <bool Swap, std::uint8_t Minor>
ParseResult HeadParser<Swap, Minor>::target_in_reference(HeadReader<Swap>& in, std::uint16_t addressing,
                                                         Event& event) {
  if (addressing > static_cast<std::uint16_t>(Addressing::reference)) return ParseResult::malformed;
  event.addressing = static_cast<Addressing>(addressing);
  std::uint32_t selected = 0;
  std::uint32_t count = 1;
  if (event.addressing == Addressing::reference) {
    ByteView type_id;
    TAKT_READ(in.u32(selected) && in.octets(type_id) && in.u32(count));
    if (selected >= count) return ParseResult::malformed;
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint32_t tag = 0;
    ByteView data;
    TAKT_READ(in.u32(tag) && in.octets(data));
    if (i == selected) event.key_unknown = !object_key_of_profile(tag, data, event.object_key);
  }
  return ParseResult::done;
}

// The body. GIOP 1.2 aligns it unless it is empty; some ORBs add the padding even then.
template <bool Swap, std::uint8_t Minor>
inline ParseResult HeadParser<Swap, Minor>::body(std::size_t alignment) {
  std::size_t from = in_.index();
  if (from != message_bytes_) {
    from = (from + alignment - 1) & ~(alignment - 1);
    if (from > message_bytes_) from = message_bytes_;
    if (from > present_) return ParseResult::truncated;
  }
  event_.body_index = static_cast<std::uint32_t>(from);
  event_.body = {message_ + from, present_ - from};
  event_.body_missing = message_bytes_ - present_;
  event_.parts = nullptr;
  return ParseResult::done;
}

template <bool Swap, std::uint8_t Minor>
inline ParseResult HeadParser<Swap, Minor>::request() {
  TAKT_READ(present_ >= header_size + min_head_bytes);  // replaces the bounds check of each of these fields
  event_.kind = EventKind::request;
  if constexpr (!rules.contexts_last) {
    TAKT_TRY(contexts());
  }
  TAKT_READ(in_.u32(event_.request_id) && in_.u8(event_.response_flags));
  event_.response_expected = event_.response_flags != 0;
  if constexpr (!rules.target_address) {  // the field is a boolean
    event_.response_flags = event_.response_expected ? response_from_target : no_response;
  }
  if constexpr (rules.flag_bits) {
    TAKT_READ(in_.skip(3));
  }
  TAKT_TRY(target());
  TAKT_TRY(operation());
  if constexpr (rules.principal) {
    ByteView principal;
    TAKT_READ(in_.octets(principal));
  }
  if constexpr (rules.contexts_last) {
    TAKT_TRY(contexts());
  }
  return body(rules.aligned_bodies ? 8 : 1);
}

template <bool Swap, std::uint8_t Minor>
inline ParseResult HeadParser<Swap, Minor>::reply() {
  event_.kind = EventKind::reply;
  std::uint32_t status = 0;
  if constexpr (!rules.contexts_last) {
    TAKT_TRY(contexts());
  }
  TAKT_READ(in_.u32(event_.request_id) && in_.u32(status));
  const ReplyStatus last =
      rules.target_address ? ReplyStatus::needs_addressing_mode : ReplyStatus::location_forward;
  if (status > static_cast<std::uint32_t>(last)) return ParseResult::malformed;
  event_.reply_status = static_cast<ReplyStatus>(status);
  if constexpr (rules.contexts_last) {
    TAKT_TRY(contexts());
  }
  return body(rules.aligned_bodies ? 8 : 1);
}

template <bool Swap, std::uint8_t Minor>
inline ParseResult HeadParser<Swap, Minor>::locate_request() {
  event_.kind = EventKind::locate_request;
  event_.response_expected = true;
  TAKT_READ(in_.u32(event_.request_id));
  return target();
}

template <bool Swap, std::uint8_t Minor>
inline ParseResult HeadParser<Swap, Minor>::locate_reply() {
  event_.kind = EventKind::locate_reply;
  std::uint32_t status = 0;
  TAKT_READ(in_.u32(event_.request_id) && in_.u32(status));
  const LocateStatus last =
      rules.target_address ? LocateStatus::needs_addressing_mode : LocateStatus::object_forward;
  if (status > static_cast<std::uint32_t>(last)) return ParseResult::malformed;
  event_.locate_status = static_cast<LocateStatus>(status);
  return body(1);
}

template <bool Swap, std::uint8_t Minor>
inline ParseResult HeadParser<Swap, Minor>::cancel() {
  event_.kind = EventKind::cancel;
  TAKT_READ(in_.u32(event_.request_id));
  return ParseResult::done;
}

template <bool Swap, std::uint8_t Minor>
inline ParseResult HeadParser<Swap, Minor>::lite_tail() {
  if ((message_[6] & lite::contexts_flag) != 0) [[unlikely]] {
    TAKT_TRY(contexts());
    return body(8);
  }
  event_.contexts = {};
  event_.body_index = lite::head_bytes;
  event_.body = {message_ + lite::head_bytes, present_ - lite::head_bytes};
  event_.body_missing = message_bytes_ - present_;
  event_.parts = nullptr;
  return ParseResult::done;
}

template <bool Swap, std::uint8_t Minor>
inline ParseResult HeadParser<Swap, Minor>::lite_request(const lite::ServerNames* names) {
  TAKT_READ(present_ >= lite::head_bytes);
  event_.kind = EventKind::request;
  event_.short_head = true;
  TAKT_READ(in_.u32(event_.request_id));
  event_.response_flags = message_[lite::answer_index];
  event_.response_expected = event_.response_flags != 0;
  std::uint16_t number;
  std::memcpy(&number, message_ + lite::number_index, sizeof number);
  if constexpr (Swap) number = __builtin_bswap16(number);
  const lite::ServerNames::Names* const known = names ? names->find(number) : nullptr;
  if (!known) [[unlikely]]
    return ParseResult::unknown_number;
  event_.addressing = Addressing::key;
  event_.key_unknown = false;
  event_.object_key = known->object_key;
  event_.operation = known->operation;
  event_.handle = &known->handle;
  return lite_tail();
}

template <bool Swap, std::uint8_t Minor>
inline ParseResult HeadParser<Swap, Minor>::lite_reply() {
  TAKT_READ(present_ >= lite::head_bytes);
  event_.kind = EventKind::reply;
  event_.short_head = true;
  TAKT_READ(in_.u32(event_.request_id));
  const std::uint8_t status = message_[lite::answer_index];
  if (status > static_cast<std::uint8_t>(ReplyStatus::needs_addressing_mode)) return ParseResult::malformed;
  event_.reply_status = static_cast<ReplyStatus>(status);
  return lite_tail();
}

#undef TAKT_TRY
#undef TAKT_READ

}  // namespace takt::giop
