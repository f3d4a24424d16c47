#include "connection/groups/group_reader.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "connection/dispatcher.h"
#include "connection/orb_core.h"
#include "connection/policies/request_quality.h"
#include "connection/policies/request_times.h"
#include "connection/server/refusals.h"
#include "connection/server/request_formats.h"
#include "giop/heads/group_request.h"
#include "giop/known_contexts.h"

namespace takt::connection {

bool GroupMember::is(const giop::Group& of, ByteView key) const {
  return same_group(group, of) && std::ranges::equal(object_key, key);
}

void GroupReader::run(OrbCore& core) noexcept {
  while (serve_next(core)) continue;
}

// False: there will be no more. A request for which there is no memory is lost, as others are on the way.
bool GroupReader::serve_next(OrbCore& core) noexcept {
  try {
    const ByteView message = receiver_->receive();
    if (message.empty()) return false;
    serve(core, message);
  } catch (const std::exception& failure) {
    tell_lost(failure, core);
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

// There is no connection that would remember anything, so each request says all of itself.
void GroupReader::serve(OrbCore& core, ByteView message) {
  const auto arrived_at = std::chrono::steady_clock::now();
  giop::Event event;
  const auto group = giop::read_group_request(message, *core.options.limits, event);
  if (!group) return;
  const giop::KnownContexts known = giop::known_contexts(event.contexts);
  RequestFormats formats(core.environment, core.options.limits->server_memory.get());
  if (!formats.note_code_sets(known.code_sets, event.version)) return;
  const RequestTimes times = RequestTimes::of(known);
  const bool early = times.start > arrived_at;  // the thread serves others, too
  std::optional<ReceivedQuality> quality;
  if (const auto carried = quality_with(times, known.quality, arrived_at))
    quality.emplace(*carried, arrived_at);
  const auto all = members();
  for (const GroupMember& member : *all) {
    if (!same_group(member.group, *group)) continue;
    ServerCall call({.request_id = event.request_id,
                     .giop_minor = event.version.minor,
                     .response_expected = false,
                     .object_key = member.object_key,
                     .operation = event.operation,
                     .priority = known.priority(),
                     .contexts = &event.contexts},
                    event.body, event.body_index, formats.of(event), reply_);
    if (!times.in_time(std::chrono::steady_clock::now()) || (quality && !quality->in_time()))
      answer_too_late(call, core);
    else if (early)
      answer_too_early(call);
    else
      core.dispatcher->dispatch(call);
  }
}

}  // namespace takt::connection
