// Applies a request's quality and times to the thread that serves it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "server/intake/request_quality.h"
#include "server/request/request_times.h"
#include "server/request/verdict.h"

namespace takt::server {

// While it lives, the calling thread and the calls that it makes have the request's quality and times.
// Allocates for a thread's first request with a quality.
class RequestTerms {
 public:
  using Clock = RequestTimes::Clock;

  // `times` must outlive it. `quality`: the result of quality_with(). `client`: the number of the connection,
  // or 0.
  RequestTerms(const RequestTimes& times, const std::optional<giop::WireQuality>& quality,
               Clock::time_point arrived_at, std::uint64_t client)
      : times_(times.any() ? &times : nullptr) {
    if (quality) quality_.emplace(*quality, arrived_at, client);
    if (times_) [[unlikely]]
      timed_.emplace(times);
  }

  // Null if the request has no times.
  const RequestTimes* times() const { return times_; }
  // Whether the upcall may begin now: granted, too_late or too_early.
  Verdict verdict() const {
    if (quality_ && !quality_->in_time()) return Verdict::too_late;
    if (!times_) return Verdict::granted;
    const auto now = Clock::now();
    if (times_->is_over(now)) return Verdict::too_late;
    return times_->start > now ? Verdict::too_early : Verdict::granted;
  }

 private:
  const RequestTimes* const times_;
  std::optional<ReceivedQuality> quality_;
  std::optional<TimedRequest> timed_;
};

}  // namespace takt::server
