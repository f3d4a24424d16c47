#include "server/intake/request_quality.h"

#include <atomic>
#include <utility>

#include "reference/context/thread_context.h"
#include "server/intake/request_log.h"
#include "server/request/request_times.h"
#include "server/server.h"

namespace takt::server {

ReceivedQuality::ReceivedQuality(const giop::WireQuality& quality,
                                 std::chrono::steady_clock::time_point arrived_at, std::uint64_t client)
    : outer_(reference::ThreadContext::mine().quality()),
      outer_client_(std::exchange(UpcallContext::mine().client, client)) {
  quality_.importance = quality.importance;
  quality_.period = quality.period;
  quality_.communication = static_cast<CommunicationClass>(quality.communication_class);
  if (quality.remaining != giop::WireQuality::no_deadline) quality_.deadline = arrived_at + quality.remaining;
  reference::ThreadContext::mine().use_quality(&quality_);
}

ReceivedQuality::~ReceivedQuality() {
  UpcallContext::mine().client = outer_client_;
  reference::ThreadContext::mine().use_quality(outer_);
}

std::uint64_t next_connection_number() {
  static std::atomic<std::uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

CORBA::TIMEOUT too_late(std::string_view operation, Server& server) {
  log_too_late(operation, server);
  server.requests_too_late.fetch_add(1, std::memory_order_relaxed);
  return CORBA::TIMEOUT(0, CORBA::COMPLETED_NO,
                        "the request's deadline had passed before its upcall could begin");
}

void answer_too_late(ServerCall& call, Server& server) {
  call.system_exception(too_late(call.operation(), server));
}

bool is_too_late() {
  const Quality* quality = reference::ThreadContext::mine().quality();
  if (quality && quality->deadline != Quality::no_deadline && quality->deadline <= Quality::Clock::now())
    return true;
  const RequestTimes* times = TimedRequest::present();
  return times && !times->in_time(Quality::Clock::now());
}

}  // namespace takt::server
