#include "groups/group_reader.h"

#include <algorithm>
#include <utility>

#include "giop/heads/group_request.h"
#include "giop/known_contexts.h"
#include "server/intake/request_intake.h"
#include "server/intake/request_terms.h"
#include "server/reports.h"
#include "server/request/received_request.h"
#include "server/server.h"

namespace takt::groups {

bool GroupMember::is(const giop::Group& of, ByteView key) const {
  return same_group(group, of) && std::ranges::equal(object_key, key);
}

void GroupReader::run(server::Server& server) noexcept {
  while (serve_next(server)) continue;
}

// Returns false when there will be no more requests. If memory runs out, the request is lost, as any
// multicast request may be.
bool GroupReader::serve_next(server::Server& server) noexcept {
  try {
    const ByteView message = receiver_->receive();
    if (message.empty()) return false;
    serve(server, message);
  } catch (const std::exception& failure) {
    server::report_lost(failure, server);
  }
  return true;
}

std::shared_ptr<const GroupReader::Members> GroupReader::members() const {
  std::lock_guard lock(mutex_);
  return members_;
}

void GroupReader::set_members(Members members) {
  auto made = std::make_shared<const Members>(std::move(members));
  std::lock_guard lock(mutex_);
  members_.swap(made);
}

// There is no connection state, so each request carries its whole context.
void GroupReader::serve(server::Server& server, ByteView message) {
  const auto arrived_at = std::chrono::steady_clock::now();
  giop::Event event;
  const auto group = giop::read_group_request(message, *server.protocol.limits, event);
  if (!group) return;
  const giop::KnownContexts known = giop::known_contexts(event.contexts);
  server::RequestFormats formats(server.environment, server.protocol.limits->server_memory.get(),
                                 server.protocol.dialect);
  if (!formats.note_code_sets(known.code_sets, event.version)) return;
  const server::RequestTimes times = server::RequestTimes::of(known, arrived_at);
  const server::RequestTerms terms(times, server::quality_with(times, known.quality, arrived_at), arrived_at,
                                   0);
  // The thread serves other requests too, so it must not wait.
  const bool too_early = terms.verdict() == server::Verdict::too_early;
  server::ReceivedRequest request{server::context_of(event, known.priority()), event.body, event.body_index,
                                  formats.of(event)};
  request.context.response_expected = false;
  const auto all = members();
  for (const GroupMember& member : *all) {
    if (!same_group(member.group, *group)) continue;
    request.context.object_key = member.object_key;
    server::ServerCall call = request.call(reply_);
    server::dispatch(call, too_early ? server::Verdict::too_early : terms.verdict(), nullptr, server);
  }
}

}  // namespace takt::groups
