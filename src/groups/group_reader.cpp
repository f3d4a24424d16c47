#include "groups/group_reader.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "giop/heads/group_request.h"
#include "giop/known_contexts.h"
#include "server/dispatcher.h"
#include "server/refusals.h"
#include "server/request_formats.h"
#include "server/request_quality.h"
#include "server/request_times.h"
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
    server::tell_lost(failure, server);
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
  server::RequestFormats formats(server.environment, server.protocol.limits->server_memory.get());
  if (!formats.note_code_sets(known.code_sets, event.version)) return;
  const server::RequestTimes times = server::RequestTimes::of(known);
  const bool early = times.start > arrived_at;  // the thread must not wait, because it serves other requests
  std::optional<server::ReceivedQuality> quality;
  if (const auto carried = server::quality_with(times, known.quality, arrived_at))
    quality.emplace(*carried, arrived_at);
  const auto all = members();
  for (const GroupMember& member : *all) {
    if (!same_group(member.group, *group)) continue;
    server::ServerCall call({.request_id = event.request_id,
                             .giop_minor = event.version.minor,
                             .response_expected = false,
                             .object_key = member.object_key,
                             .operation = event.operation,
                             .priority = known.priority(),
                             .contexts = &event.contexts},
                            event.body, event.body_index, formats.of(event), reply_);
    if (!times.in_time(std::chrono::steady_clock::now()) || (quality && !quality->in_time()))
      server::answer_too_late(call, server);
    else if (early)
      server::answer_too_early(call);
    else
      server.dispatcher->dispatch(call);
  }
}

}  // namespace takt::groups
