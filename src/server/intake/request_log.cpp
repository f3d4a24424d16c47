#include "server/intake/request_log.h"

#include <cstddef>
#include <exception>
#include <string>

#include "server/request/present_peer.h"

namespace takt::server {

namespace {

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

void log_refused(const ServerCall& call, Verdict why, Server& server) noexcept {
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
