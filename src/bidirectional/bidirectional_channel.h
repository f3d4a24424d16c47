// A calling thread's channel on a bidirectional connection.
#pragma once

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "bidirectional/bidirectional_requests.h"
#include "client/channel/client_channel.h"
#include "client/strategy/waiting_calls.h"

namespace takt::bidirectional {

// The peer, not the callers, determines how long the connection lives.
class BidirectionalChannel : public client::ClientChannel {
 public:
  BidirectionalChannel(const std::shared_ptr<server::QueuedChannel>& connection,
                       std::shared_ptr<BidirectionalRequests> requests,
                       std::chrono::nanoseconds usual_timeout)
      : connection_(connection),
        requests_(std::move(requests)),
        usual_timeout_(usual_timeout),
        described_(connection->stream().describe().append(" (both ways)")),
        peer_address_(connection->stream().peer_address()) {
    reply_ = &waiter_.reply;
  }

  std::uint32_t next_request_id() override {
    const auto connection = connection_.lock();
    return connection ? connection->next_request_id() : 0;
  }
  client::Exchange::Status exchange(std::uint32_t request_id, bool response_expected,
                                    std::chrono::nanoseconds timeout) override {
    const auto connection = connection_.lock();
    if (connection) {
      ending_ = requests_->exchange(*connection, out_, request_id, response_expected, deadline_for(timeout),
                                    waiter_);
    } else {
      ending_ = {};
      ending_.status = client::Exchange::Status::retry;
      ending_.reason = "the connection ended before";
    }
    if (was_sent(ending_)) carries_offer_ = false;
    broken_ = gone();
    if (waiter_.holds_memory()) needs_cleanup_ |= untidy;
    return ending_.status;
  }
  ByteView context_to_offer() override {
    const ByteView offer = requests_->context_to_offer();
    if (!offer.empty()) {
      carries_offer_ = true;
      needs_cleanup_ |= untidy;
    }
    return offer;
  }
  bool gone() const override {
    const auto connection = connection_.lock();
    return !connection || connection->over();
  }
  cdr::Decoder::Source* body_source() override { return nullptr; }  // replies arrive complete here
  std::string describe() const override { return described_; }

 protected:
  void tidy() override {
    if (std::exchange(carries_offer_, false)) requests_->offer_again();
    waiter_.give_back_memory();
    client::ClientChannel::tidy();
  }
  std::string peer_address() const override { return peer_address_; }

 private:
  // Whether the peer may have the request, or gets no other by this connection.
  static bool was_sent(const client::Exchange& how) {
    using Status = client::Exchange::Status;
    return how.sent_in_part || (how.status != Status::no_memory && how.status != Status::refused);
  }
  std::chrono::steady_clock::time_point deadline_for(std::chrono::nanoseconds timeout) const {
    if (timeout == until_deadline && deadline_ != never) return deadline_;
    const auto time = timeout == until_deadline ? usual_timeout_ : timeout;
    return time.count() > 0 ? std::chrono::steady_clock::now() + time : never;
  }

  const std::weak_ptr<server::QueuedChannel> connection_;
  const std::shared_ptr<BidirectionalRequests> requests_;
  const std::chrono::nanoseconds usual_timeout_;
  const std::string described_, peer_address_;
  client::Waiter waiter_;
  bool carries_offer_ = false;  // the present request has the offer, and was not sent yet
};

}  // namespace takt::bidirectional
