// When a request may begin, and by when it is of use: what the standard's times in it mean on this machine.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include <takt/server/server_call.h>

#include "giop/known_contexts.h"
#include "os/threads/priority_condition.h"
#include "os/threads/priority_mutex.h"
#include "server/upcall_context.h"

namespace takt::server {

struct RequestTimes {
  using Clock = std::chrono::steady_clock;
  static constexpr Clock::time_point never = Clock::time_point::max();

  Clock::time_point start = Clock::time_point::min();  // no upcall before
  Clock::time_point end = never;                       // no upcall from then on
  Clock::time_point reply_end = never;                 // no reply from then on

  // As the request's contexts say. A client that also says how much time remains (giop/contexts/quality.h) is
  // taken by that: it needs no clock that both machines have in common.
  static RequestTimes of(const giop::KnownContexts& known);

  bool any() const { return start != Clock::time_point::min() || end != never || reply_end != never; }
  bool in_time(Clock::time_point now) const { return now < end && now < reply_end; }
  bool ends_before_start() const { return std::min(end, reply_end) <= start && start != never; }
  // There is no time left for an upcall, and there will be none.
  bool is_over(Clock::time_point now) const { return !in_time(now) || ends_before_start(); }
  // By which all has to be done, for queues that are ordered by deadline.
  Clock::time_point due() const { return reply_end != never ? reply_end : end; }
};

// The request's quality, and its reply's end time as the deadline of calls that the upcall makes. Nothing: it
// carries neither.
std::optional<giop::WireQuality> quality_with(const RequestTimes& times,
                                              const std::optional<giop::WireQuality>& quality,
                                              RequestTimes::Clock::time_point arrived_at);

// While it lives, the calling thread serves a request of these times.
class TimedRequest {
 public:
  explicit TimedRequest(const RequestTimes& times)
      : outer_(std::exchange(UpcallContext::mine().times, &times)) {}
  ~TimedRequest() { UpcallContext::mine().times = outer_; }
  TimedRequest(const TimedRequest&) = delete;
  TimedRequest& operator=(const TimedRequest&) = delete;

  // Null: the request that the thread serves has no times.
  static const RequestTimes* present() { return UpcallContext::mine().times; }

 private:
  const RequestTimes* const outer_;
};

// TRANSIENT, COMPLETED_NO: its start time is not waited for.
void answer_too_early(ServerCall& call);
// After the upcall: replaces an answer that comes later than anybody waits for it by TIMEOUT, COMPLETED_YES.
void refuse_late_reply(ServerCall& call, const RequestTimes& times);

}  // namespace takt::server
