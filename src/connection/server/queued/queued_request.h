// A request that waits for a thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <takt/base/memory_charge.h>
#include <takt/cdr/code_sets.h>
#include <takt/cdr/format.h>
#include <takt/connection/quality.h>
#include <takt/connection/server_call.h>

#include "connection/policies/request_times.h"
#include "connection/server/queued/order/request_timing.h"
#include "giop/known_contexts.h"
#include "giop/message/event.h"

namespace takt::connection {

class QueuedChannel;

// A copy of what has arrived, which is used again and again: in steady use it does not allocate. Moved
// between threads, one at a time.
class QueuedRequest {
 public:
  // From the connection's receive buffer. `format` is the request's own; its code sets are copied. False:
  // there is no memory for it in the channel's budget. May throw std::bad_alloc; it holds nothing then.
  bool hold(std::shared_ptr<QueuedChannel> from, const giop::Event& event, const cdr::Format& format,
            std::int16_t priority, bool response_expected);
  void release() {
    timing_.reset();
    memory_ = {};
    channel_.reset();
  }

  // What its contexts say, since when, and what is known of its operation.
  void note(const giop::KnownContexts& contexts, std::chrono::steady_clock::time_point arrived_at,
            HeldTiming timing = {}, const RequestTimes& times = {}) {
    times_ = times;
    quality_ = quality_with(times, contexts.quality, arrived_at);
    queue_priority_ = contexts.queue_priority();
    arrived_at_ = arrived_at;
    timing_ = std::move(timing);
  }
  const std::optional<giop::WireQuality>& quality() const { return quality_; }
  const RequestTimes& times() const { return times_; }
  // What queues order requests by that they do not tell apart; 0: the client says nothing.
  std::uint32_t importance() const { return quality_ ? quality_->importance : 0; }
  CommunicationClass communication() const {
    return quality_ ? static_cast<CommunicationClass>(quality_->communication_class)
                    : CommunicationClass::message;
  }
  // What queues order by; -1: nothing.
  std::int16_t queue_priority() const { return queue_priority_; }
  std::chrono::steady_clock::time_point arrived_at() const { return arrived_at_; }
  const RequestTiming* timing() const { return timing_.get(); }

  QueuedChannel& channel() { return *channel_; }
  const RequestContext& context() const { return context_; }
  ByteView body() const { return body_; }
  std::size_t body_index() const { return body_index_; }
  std::size_t body_missing() const { return body_missing_; }
  cdr::Decoder::Source* parts() { return body_missing_ == 0 ? nullptr : &parts_; }
  const cdr::Format& format() const { return format_; }
  // What it costs to keep it.
  std::size_t octets() const { return octets_.size(); }

 private:
  std::shared_ptr<QueuedChannel> channel_;
  MemoryCharge memory_;  // of its budget
  RequestContext context_;
  giop::ServiceContexts contexts_;
  cdr::CodeSets code_sets_;
  cdr::Format format_;
  std::vector<std::uint8_t> octets_;
  ByteView body_;
  std::size_t body_index_ = 0;
  std::size_t body_missing_ = 0;
  giop::FragmentParts parts_;
  RequestTimes times_;
  std::optional<giop::WireQuality> quality_;
  std::int16_t queue_priority_ = -1;
  std::chrono::steady_clock::time_point arrived_at_;
  HeldTiming timing_;
};

}  // namespace takt::connection
