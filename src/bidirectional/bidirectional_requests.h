// Requests made by this ORB over a bidirectional connection.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

#include <takt/base/bytes.h>

#include "bidirectional/pending_replies.h"
#include "client/channel/client_channel.h"
#include "queued/queued_channel.h"
#include "server/bidirectional_connections.h"

namespace takt::bidirectional {

// The requests on one connection, from any number of threads at once.
class BidirectionalRequests final : public server::OwnRequests {
 public:
  using Clock = std::chrono::steady_clock;

  // `reader`: as PendingReplies has it. `offer`: the service context that the first request carries; may be
  // empty.
  BidirectionalRequests(std::size_t most_outstanding, os::SharedLoan& reader, std::vector<std::uint8_t> offer)
      : replies_(most_outstanding, reader), offer_(std::move(offer)), offered_(offer_.empty()) {}

  // Like ClientChannel::exchange().
  client::Exchange exchange(server::QueuedChannel& connection, GatherBuffer& request,
                            std::uint32_t request_id, bool response_expected, Clock::time_point deadline,
                            client::Waiter& waiter);
  // The offer on the first call, empty afterwards.
  ByteView context_to_offer() { return offered_.exchange(true) ? ByteView() : ByteView(offer_); }
  // The request that was to carry the offer was not sent.
  void offer_again() { offered_ = false; }

  void deliver(const giop::Event& reply) override { replies_.deliver(reply); }
  void end(Ending how) override;
  bool waits() const override { return !replies_.empty(); }

 private:
  PendingReplies replies_;
  const std::vector<std::uint8_t> offer_;
  std::atomic<bool> offered_;
};

}  // namespace takt::bidirectional
