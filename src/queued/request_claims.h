// The data by which queues order waiting requests: from the request, and from the server's schedule.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

#include <takt/reference/quality.h>

#include "giop/known_contexts.h"
#include "queued/request_timing.h"
#include "server/request/request_times.h"
#include "threads/scheduling/borrower.h"

namespace takt::server {

// Requests of one sender that are in queues. Any thread.
struct SenderCounts {
  using Count = std::atomic<std::uint32_t>;
  Count waiting{0};  // for a thread
  Count early{0};    // for their start time
};

// One thread at a time.
class RequestClaims {
 public:
  // Takes the data from the request's contexts, its arrival time, and its operation's timing.
  void note(const giop::KnownContexts& contexts, std::chrono::steady_clock::time_point arrived_at,
            HeldTiming timing = {}, const RequestTimes& times = {}) {
    times_ = times;
    quality_ = quality_with(times, contexts.quality, arrived_at);
    queue_priority_ = contexts.queue_priority();
    arrived_at_ = arrived_at;
    urgency_ = 0;
    timing_ = std::move(timing);
  }
  // Counts the requests of this one's sender. Null: its sender is not known. It must live until the request
  // has left its queue.
  void note_sender(SenderCounts* counts) { sender_ = counts; }
  std::uint32_t of_sender(SenderCounts::Count SenderCounts::* count) const {
    return sender_ ? (sender_->*count).load(std::memory_order_relaxed) : 0;
  }
  void begin(SenderCounts::Count SenderCounts::* count) const {
    if (sender_) (sender_->*count).fetch_add(1, std::memory_order_relaxed);
  }
  void end(SenderCounts::Count SenderCounts::* count) const {
    if (sender_) (sender_->*count).fetch_sub(1, std::memory_order_relaxed);
  }
  const std::optional<giop::WireQuality>& quality() const { return quality_; }
  const RequestTimes& times() const { return times_; }
  // Orders requests that are equal in the queue's order. 0: the client states none.
  std::uint32_t importance() const { return quality_ ? quality_->importance : 0; }
  CommunicationClass communication() const {
    return quality_ ? static_cast<CommunicationClass>(quality_->communication_class)
                    : CommunicationClass::message;
  }
  // The native real-time priority at which it will be served; 0: that of the thread, or not known.
  os::Urgency urgency() const { return urgency_; }
  void note_urgency(os::Urgency urgency) { urgency_ = urgency; }
  // The priority by which queues may order requests; -1: none.
  std::int16_t queue_priority() const { return queue_priority_; }
  std::chrono::steady_clock::time_point arrived_at() const { return arrived_at_; }
  const RequestTiming* timing() const { return timing_.get(); }
  const HeldTiming& held_timing() const { return timing_; }
  // For a queue's order. `operation` and `object_key` are the request's.
  WaitingRequest waiting(std::string_view operation, ByteView object_key) const {
    return {.operation = operation,
            .object_key = object_key,
            .priority = queue_priority_,
            .importance = importance(),
            .communication = communication(),
            .arrived = arrived_at_,
            .deadline = deadline(),
            .timing = timing()};
  }

 protected:
  void forget_timing() { timing_.reset(); }

 private:
  // The request's own deadline takes precedence over that in its operation's timing. A deadline beyond the
  // clock's range counts as none.
  std::chrono::steady_clock::time_point deadline() const {
    std::chrono::nanoseconds remaining = quality_ ? quality_->remaining : giop::WireQuality::no_deadline;
    if (remaining == giop::WireQuality::no_deadline) {
      if (times_.end != RequestTimes::never) return times_.end;
      if (!timing_.get() || timing_.get()->deadline.count() <= 0) return Quality::no_deadline;
      remaining = timing_.get()->deadline;
    }
    const std::int64_t arrived = std::chrono::nanoseconds(arrived_at_.time_since_epoch()).count();
    std::int64_t due = 0;
    if (remaining == giop::WireQuality::no_deadline ||
        __builtin_add_overflow(arrived, remaining.count(), &due))
      return Quality::no_deadline;
    return std::chrono::steady_clock::time_point(std::chrono::nanoseconds(due));
  }

  SenderCounts* sender_ = nullptr;
  RequestTimes times_;
  std::optional<giop::WireQuality> quality_;
  std::int16_t queue_priority_ = -1;
  os::Urgency urgency_ = 0;
  std::chrono::steady_clock::time_point arrived_at_;
  HeldTiming timing_;
};

}  // namespace takt::server
