// A request that waits for a thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <takt/base/memory_charge.h>
#include <takt/cdr/code_sets.h>
#include <takt/cdr/format.h>

#include "giop/message/event.h"
#include "server/queued/order/request_claims.h"
#include "server/received_request.h"

namespace takt::server {

class QueuedChannel;

// A copy of what has arrived, which is used again and again: in steady use it does not allocate. Moved
// between threads, one at a time.
class QueuedRequest : public RequestClaims {
 public:
  // From the connection's receive buffer. `format` is the request's own; its code sets are copied. False:
  // there is no memory for it in the channel's budget. May throw std::bad_alloc; it holds nothing then.
  bool hold(std::shared_ptr<QueuedChannel> from, const giop::Event& event, const cdr::Format& format,
            std::int16_t priority, bool response_expected);
  void release() {
    forget_timing();
    memory_ = {};
    channel_.reset();
  }

  QueuedChannel& channel() { return *channel_; }
  const RequestContext& context() const { return context_; }
  // Its views and format are this object's.
  ReceivedRequest received() const { return {context_, body_, body_index_, format_}; }
  std::size_t body_missing() const { return body_missing_; }
  cdr::Decoder::Source* parts() { return body_missing_ == 0 ? nullptr : &parts_; }
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
};

}  // namespace takt::server
