// A request that waits for a thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <takt/base/memory_charge.h>
#include <takt/cdr/code_sets.h>
#include <takt/cdr/format.h>

#include "cdr/body_tail.h"
#include "giop/message/event.h"
#include "queued/request_claims.h"
#include "server/intake/request_intake.h"
#include "server/request/received_request.h"

namespace takt::server {

class QueuedChannel;

// A copy of a received request. Objects are reused, so steady use does not allocate. May move between
// threads; one thread at a time.
class QueuedRequest : public RequestClaims {
 public:
  // Copies the request from the connection's receive buffer, and takes the octets of its tail, if it has one.
  // `format` is copied with its code sets. False:
  // the channel's budget has no memory for it. If it throws std::bad_alloc, it holds nothing.
  bool hold(std::shared_ptr<QueuedChannel> from, const giop::Event& event, const cdr::Format& format,
            std::int16_t priority, bool response_expected, cdr::BodyTail* tail = nullptr);
  void release() {
    forget_timing();
    memory_ = {};
    if (tail_.begun()) {
      tail_.drop();
      tail_.leave_budget();
    }
    channel_.reset();
  }

  QueuedChannel& channel() { return *channel_; }
  const RequestContext& context() const { return context_; }
  // The request as a queue's order sees it.
  WaitingRequest as_waiting() const { return waiting(context_.operation, context_.object_key); }
  // The result's views and format belong to this object.
  ReceivedRequest received() const { return {context_, body_, body_index_, format_}; }
  std::size_t body_missing() const { return body_missing_; }
  // Source of the missing octets.
  cdr::Decoder::Source* rest() {
    return tail_.begun() ? static_cast<cdr::Decoder::Source*>(&tail_) : &parts_;
  }
  // Whether the reply leaves before the upcall.
  bool replies_early() const { return replies_early_; }
  // Whether other requests have come in the same read, so its reply may be held for theirs. False at first.
  bool came_with_others() const { return came_with_others_; }
  void note_others() { came_with_others_ = true; }
  // Whether the thread that serves it is about to answer, and then to take the next one. False at first.
  bool thread_is_ready() const { return thread_is_ready_; }
  void note_thread_is_ready() { thread_is_ready_ = true; }
  // Size of what is kept, as it was at first.
  std::size_t octets() const { return octets_.size() + tail_.size(); }

 private:
  std::shared_ptr<QueuedChannel> channel_;
  MemoryCharge memory_;  // charged to the channel's budget
  RequestContext context_;
  giop::ServiceContexts contexts_;
  cdr::PeerCodeSets code_sets_;
  cdr::Format format_;
  std::vector<std::uint8_t> octets_;
  ByteView body_;
  std::size_t body_index_ = 0;
  std::size_t body_missing_ = 0;
  cdr::BodyTail tail_;
  giop::FragmentParts parts_;
  bool replies_early_ = false;
  bool came_with_others_ = false;
  bool thread_is_ready_ = false;
};

}  // namespace takt::server
