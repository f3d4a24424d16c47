#include "connection/policies/request_quality.h"

#include <atomic>
#include <utility>

#include "connection/client/thread_channels.h"
#include "connection/orb_core.h"
#include "connection/policies/request_times.h"

namespace takt::connection {

giop::WireQuality quality_to_send(std::chrono::steady_clock::time_point deadline) {
  const ThreadChannels& thread = ThreadChannels::mine();
  giop::WireQuality wire;
  wire.priority = thread.priority().value_or(-1);
  if (const Quality* quality = thread.quality()) {
    wire.communication_class = static_cast<std::uint8_t>(quality->communication);
    wire.importance = quality->importance;
    wire.period = quality->period;
  }
  if (deadline != Quality::no_deadline) wire.remaining = deadline - Quality::Clock::now();
  return wire;
}

ReceivedQuality::ReceivedQuality(const giop::WireQuality& quality,
                                 std::chrono::steady_clock::time_point arrived_at, std::uint64_t client)
    : outer_(ThreadChannels::mine().quality()), outer_client_(std::exchange(present_client_, client)) {
  quality_.importance = quality.importance;
  quality_.period = quality.period;
  quality_.communication = static_cast<CommunicationClass>(quality.communication_class);
  if (quality.remaining != giop::WireQuality::no_deadline) quality_.deadline = arrived_at + quality.remaining;
  ThreadChannels::mine().use_quality(&quality_);
}

ReceivedQuality::~ReceivedQuality() {
  present_client_ = outer_client_;
  ThreadChannels::mine().use_quality(outer_);
}

std::uint64_t next_connection_number() {
  static std::atomic<std::uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

namespace {

CORBA::TIMEOUT too_late(OrbCore& core) {
  core.requests_too_late.fetch_add(1, std::memory_order_relaxed);
  return CORBA::TIMEOUT(0, CORBA::COMPLETED_NO,
                        "the request's deadline had passed before its upcall could begin");
}

}  // namespace

void answer_too_late(ServerCall& call, OrbCore& core) { call.system_exception(too_late(core)); }

void refuse_if_too_late(OrbCore& core) {
  const Quality* quality = ThreadChannels::mine().quality();
  if (quality && quality->deadline != Quality::no_deadline && quality->deadline <= Quality::Clock::now())
    throw too_late(core);
  const RequestTimes* times = TimedRequest::present();
  if (times && !times->in_time(Quality::Clock::now())) throw too_late(core);
}

}  // namespace takt::connection
