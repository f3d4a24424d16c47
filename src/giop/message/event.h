// An event of a connection: one parsed message.
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

namespace lite {
struct OperationHandle;
}

enum class EventKind : std::uint8_t {
  none,  // more octets are needed
  request,
  reply,
  cancel,  // cancels request_id
  locate_request,
  locate_reply,
  close,           // CloseConnection: unanswered requests were not begun, and no reply has come in part
  message_error,   // the peer did not understand us; `version` is the highest that it speaks
  lost,            // the stream ended unexpectedly: unanswered requests may have been executed
  protocol_error,  // the peer violates GIOP: answer message_error() and close
  // The message is skipped for lack of memory: the event has only its head, and `reason`.
  refused_request,
  refused_reply,
};

// A value with views into the connection's receive buffer, valid until the next next_event() or read_space().
// Fields that the kind does not have keep their defaults. It is large because it has the fields of all kinds.
struct Event {
  EventKind kind = EventKind::none;
  Version version;  // for protocol_error: that of a message refused for its version
  cdr::ByteOrder order = cdr::native_order;
  bool short_head = false;  // it has a GIOPlite head; of a request also: the reply may have one
  bool wants_tls = false;   // protocol_error only: the peer speaks only TLS, and has not read our messages
  bool response_expected = false;
  std::uint8_t response_flags = 0;
  ReplyStatus reply_status = ReplyStatus::no_exception;
  union {
    LocateStatus locate_status = LocateStatus::unknown_object;
    Addressing addressing;  // requests and locate requests
  };
  // The target was named by something other than a profile that this ORB understands: object_key is empty,
  // and the answer is needs_addressing_mode with Addressing::key.
  bool key_unknown = false;
  std::uint32_t request_id = 0;
  std::uint32_t body_index = 0;  // CDR index of body[0]
  ByteView object_key;
  std::string_view operation;
  // The handle of a short head's number, valid as long as the connection; only for requests.
  lite::OperationHandle* handle = nullptr;
  ServiceContexts contexts;
  ByteView body;
  // Octets of the body after body[]: from the stream, with stream_bodies(), or in `parts`.
  std::size_t body_missing = 0;
  FragmentParts* parts = nullptr;  // set for a message in GIOP 1.1 fragments
  const char* reason = "";         // lost, protocol_error and refusals: static text
  bool fits_later = false;         // refusals: other messages use the memory at present
};

}  // namespace takt::giop
