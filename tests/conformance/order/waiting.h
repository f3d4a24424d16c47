// Requests as a queue sees them.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

#include "queued/queued_request.h"

namespace takt::server {

struct Arriving {
  std::chrono::nanoseconds arrived{};
  std::chrono::nanoseconds remaining = giop::WireQuality::no_deadline;  // from the client
  std::int16_t priority = -1;                                           // from the client
  std::optional<RequestTiming> timing = {};
};

// A schedule whose timings the test sets.
struct GivenTimings final : RequestSchedule {
  const RequestTiming* timing_of(ByteView, std::string_view) noexcept override { return nullptr; }
  void done_with(const RequestTiming&) noexcept override {}
};

// `arriving` must outlive the request.
inline std::unique_ptr<QueuedRequest> make_waiting(const Arriving& arriving, std::uint32_t id = 0) {
  giop::Event event;
  event.request_id = id;
  event.operation = "op";
  auto request = std::make_unique<QueuedRequest>();
  request->hold(nullptr, event, cdr::Format(), -1, true);
  giop::KnownContexts contexts;
  contexts.quality = giop::WireQuality{.priority = arriving.priority, .remaining = arriving.remaining};
  static GivenTimings given;
  request->note(contexts, std::chrono::steady_clock::time_point(arriving.arrived),
                HeldTiming(given, arriving.timing ? &*arriving.timing : nullptr));
  return request;
}

}  // namespace takt::server
