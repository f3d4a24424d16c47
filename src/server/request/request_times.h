// The start and end times of a request (CORBA Messaging), converted to this machine's steady clock.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include <takt/server/server_call.h>

#include "giop/known_contexts.h"
#include "server/request/upcall_context.h"
#include "threads/locks/priority_condition.h"

namespace takt::server {

struct RequestTimes {
  using Clock = std::chrono::steady_clock;
  static constexpr Clock::time_point never = Clock::time_point::max();

  Clock::time_point start = Clock::time_point::min();  // no upcall begins before
  Clock::time_point end = never;                       // no upcall begins from then on
  Clock::time_point reply_end = never;                 // no reply is sent from then on

  // Times from the request's contexts. Times that the client states as remaining (giop/contexts/quality.h)
  // replace the end times, because they need no clock common to both machines; they count from `arrived_at`.
  static RequestTimes of(const giop::KnownContexts& known, Clock::time_point arrived_at);

  bool any() const { return start != Clock::time_point::min() || end != never || reply_end != never; }
  bool in_time(Clock::time_point now) const { return now < end && now < reply_end; }
  bool ends_before_start() const { return std::min(end, reply_end) <= start && start != never; }
  // No upcall may begin now or later.
  bool is_over(Clock::time_point now) const { return !in_time(now) || ends_before_start(); }
  // The deadline, for queues that are ordered by it.
  Clock::time_point due() const { return reply_end != never ? reply_end : end; }
};

// The request's quality, with its reply's end time as the deadline for calls that the upcall makes. nullopt
// if the request has neither.
std::optional<giop::WireQuality> quality_with(const RequestTimes& times,
                                              const std::optional<giop::WireQuality>& quality,
                                              RequestTimes::Clock::time_point arrived_at);

// While it lives, the calling thread serves a request with these times, which must outlive it.
class TimedRequest {
 public:
  explicit TimedRequest(const RequestTimes& times)
      : outer_(std::exchange(UpcallContext::mine().times, &times)) {}
  ~TimedRequest() { UpcallContext::mine().times = outer_; }
  TimedRequest(const TimedRequest&) = delete;
  TimedRequest& operator=(const TimedRequest&) = delete;

  // Null if the thread's request has no times, or the thread serves none.
  static const RequestTimes* present() { return UpcallContext::mine().times; }

 private:
  const RequestTimes* const outer_;
};

// Answers TRANSIENT, COMPLETED_NO: the server does not wait for the start time.
void answer_too_early(ServerCall& call);
// Call after the upcall. If the reply's end time has passed, replaces the answer with TIMEOUT, COMPLETED_YES.
void refuse_late_reply(ServerCall& call, const RequestTimes& times);
// Answers MARSHAL in place of an answer that is longer than `most` octets.
void refuse_long_reply(ServerCall& call, std::size_t most);

}  // namespace takt::server
