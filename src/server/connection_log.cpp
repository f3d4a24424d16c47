#include "server/connection_log.h"

#include <exception>
#include <string>

#include "os/error_text.h"
#include "server/present_peer.h"

namespace takt::server {

namespace {

using transport::IoStatus;

std::string present_peer_text() {
  const Peer* const peer = UpcallContext::mine().peer;
  return peer ? peer->stream.describe() : std::string();
}

const char* text_of(Verdict why) {
  switch (why) {
    case Verdict::granted:
    case Verdict::moved:
    case Verdict::too_late:
      break;
    case Verdict::too_early:
      return "its start time is too far away (-ORBHoldTimeout)";
    case Verdict::code_sets:
      return "this server cannot read the client's code sets";
    case Verdict::memory_taken:
      return "other requests have the memory (-ORBConnectionMemory, -ORBServerMemory)";
    case Verdict::too_long:
      return "there is no memory for a request of this length";
    case Verdict::queue_full:
      return "all threads are busy, and the queue is full (-ORBMaxQueuedRequests)";
    case Verdict::too_many_pending:
      return "the limit of pending requests of its connection is reached";
  }
  return "";
}

}  // namespace

ConnectionEnding ConnectionEnding::of(const os::IoResult& result) {
  switch (result.status) {
    case IoStatus::end_of_stream:
      return {"the peer closed it"};
    case IoStatus::timed_out:
      return {"the peer was silent for longer than -ORBIdleTimeout, or -ORBMessageTimeout, allows"};
    default:
      return {"it failed", result.error};
  }
}

ConnectionEnding ConnectionEnding::of(const giop::Event& event) {
  switch (event.kind) {
    case giop::EventKind::close:
      return {"the peer closed it in good order"};
    case giop::EventKind::message_error:
      return {"the peer did not understand a message (MessageError)"};
    case giop::EventKind::protocol_error:
      return {event.reason};
    case giop::EventKind::locate_request:
    case giop::EventKind::refused_request:
      return {reply_not_sent};
    default:
      return {"the peer sent a message that only servers send"};
  }
}

void log_accepted(const transport::Stream& stream, const Server& server) noexcept {
  server.connections_accepted.fetch_add(1, std::memory_order_relaxed);
  if (!takes(server.log.get(), LogEvent::connection_accepted)) return;
  try {
    server.log->write({.event = LogEvent::connection_accepted, .peer = stream.describe()});
  } catch (const std::exception&) {
  }
}

void log_closed(ServedConnection& connection, const Server& server, bool stops) noexcept {
  if (!takes(server.log.get(), LogEvent::connection_closed)) return;
  try {
    ConnectionEnding ending = connection.ending();
    if (ending.is_moved) return;
    if (const char* const noted = connection.noted_ending())
      ending = {noted};
    else if (stops)
      ending = {"the server stops"};
    std::string reason = ending.why ? ending.why : "it could not be served";
    if (ending.error != 0) reason += ": " + os::error_text(ending.error);
    server.log->write(
        {.event = LogEvent::connection_closed, .peer = connection.stream().describe(), .reason = reason});
  } catch (const std::exception&) {
  }
}

void log_refused(const ServerCall& call, Verdict why, const Server& server) noexcept {
  if (why == Verdict::granted || why == Verdict::moved || why == Verdict::too_late) return;
  server.requests_refused[static_cast<std::size_t>(why)].fetch_add(1, std::memory_order_relaxed);
  if (!takes(server.log.get(), LogEvent::request_refused)) return;
  try {
    server.log->write({.event = LogEvent::request_refused,
                       .peer = present_peer_text(),
                       .operation = call.operation(),
                       .reason = text_of(why)});
  } catch (const std::exception&) {
  }
}

void log_too_late(std::string_view operation, const Server& server) noexcept {
  if (!takes(server.log.get(), LogEvent::deadline_missed)) return;
  try {
    server.log->write({.event = LogEvent::deadline_missed,
                       .peer = present_peer_text(),
                       .operation = operation,
                       .reason = "it had passed before the upcall could begin"});
  } catch (const std::exception&) {
  }
}

}  // namespace takt::server
