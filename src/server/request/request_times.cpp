#include "server/request/request_times.h"

#include <algorithm>
#include <string>

#include <takt/reference/failure_codes.h>

#include "reference/policies/utc_time.h"

namespace takt::server {

using Clock = RequestTimes::Clock;

RequestTimes RequestTimes::of(const giop::KnownContexts& known, Clock::time_point arrived_at) {
  RequestTimes times;
  if (known.quality && known.quality->begin_within != giop::WireQuality::no_deadline)
    times.end = arrived_at + known.quality->begin_within;
  if (known.invocation_policies.empty()) return times;
  const auto policies = known.policies();
  if (!policies || !policies->has_times()) return times;
  if (const auto& start = policies->request_start)
    if (const auto at = reference::moment_of(*start); at > Clock::now()) times.start = at;
  if (known.quality && known.quality->states_time()) return times;
  if (const auto& end = policies->request_end) times.end = reference::moment_of(*end);
  if (const auto& end = policies->reply_end) times.reply_end = reference::moment_of(*end);
  return times;
}

std::optional<giop::WireQuality> quality_with(const RequestTimes& times,
                                              const std::optional<giop::WireQuality>& quality,
                                              Clock::time_point arrived_at) {
  if (times.reply_end == RequestTimes::never) return quality;
  giop::WireQuality with = quality.value_or(giop::WireQuality());
  with.remaining = std::max(times.reply_end - arrived_at, Clock::duration::zero());
  return with;
}

void answer_too_early(ServerCall& call) {
  call.system_exception(CORBA::TRANSIENT(
      0, CORBA::COMPLETED_NO,
      "the request's start time has not come, and the server does not wait for it: it is further "
      "away than the server's -ORBHoldTimeout, or the server has no thread or queue to wait in"));
}

void refuse_late_reply(ServerCall& call, const RequestTimes& times) {
  if (!call.response_expected() || times.reply_end == RequestTimes::never || Clock::now() < times.reply_end)
    return;
  call.system_exception(
      CORBA::TIMEOUT(0, CORBA::COMPLETED_YES, "the upcall ended later than the request's reply end time"));
}

void refuse_long_reply(ServerCall& call, std::size_t most) {
  const std::size_t bytes = call.reply().size();
  if (bytes <= most || !call.response_expected() || !call.answered()) return;
  call.system_exception(CORBA::MARSHAL(failure_codes().long_reply, CORBA::COMPLETED_YES,
                                       "the reply of " + std::string(call.operation()) + " has " +
                                           std::to_string(bytes) + " octets, and -ORBMaxReplySize allows " +
                                           std::to_string(most)));
}

}  // namespace takt::server
