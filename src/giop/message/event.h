// What the peer has said: one message, taken apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <takt/base/bytes.h>
#include <takt/cdr/byte_order.h>

#include "giop/contexts/service_context.h"
#include "giop/fragments/fragment_parts.h"
#include "giop/header/version.h"
#include "giop/message/locate.h"
#include "giop/message/reply.h"
#include "giop/message/target_address.h"

namespace takt::giop {

enum class EventKind : std::uint8_t {
  none,  // more octets are needed
  request,
  reply,
  cancel,  // of request_id
  locate_request,
  locate_reply,
  close,           // CloseConnection: unanswered requests were not begun
  message_error,   // the peer did not understand us, and speaks version at most
  lost,            // the stream ended without a word: unanswered requests may have been carried out
  protocol_error,  // the peer does not speak GIOP as it should: answer message_error() and close
  // There is no memory for the message, which is passed over: the event has its head alone, and `reason`.
  refused_request,
  refused_reply,
};

// A value whose views point into the connection's receive buffer: valid until its next next_event() or
// read_space(). Fields that the kind does not have are as below.
struct Event {
  EventKind kind = EventKind::none;
  Version version;  // of protocol_error: the refused message's, where its version was refused
  cdr::ByteOrder order = cdr::native_order;
  bool short_head = false;  // it came with one of GIOPlite; a request: or it may be answered with one
  bool wants_tls = false;   // of protocol_error: the peer speaks TLS alone, and has not read our messages
  bool response_expected = false;
  std::uint8_t response_flags = 0;
  ReplyStatus reply_status = ReplyStatus::no_exception;
  union {
    LocateStatus locate_status = LocateStatus::unknown_object;
    Addressing addressing;  // of a request or locate request
  };
  // The target was named by something other than a profile that we understand: object_key is empty, and the
  // answer is needs_addressing_mode with Addressing::key.
  bool key_unknown = false;
  std::uint32_t request_id = 0;
  std::uint32_t body_index = 0;  // CDR index of body[0]
  ByteView object_key;
  std::string_view operation;
  ServiceContexts contexts;
  ByteView body;
  // Octets of the body that come after body[]: from the stream, with stream_bodies(), or from `parts`.
  std::size_t body_missing = 0;
  FragmentParts* parts = nullptr;  // of a message in fragments of GIOP 1.1
  const char* reason = "";         // of lost, protocol_error and what is refused: static text
  bool fits_later = false;         // of what is refused: other messages have the memory at present
};

}  // namespace takt::giop
