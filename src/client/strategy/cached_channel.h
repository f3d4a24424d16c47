// A thread's channel to the pooled connections of a server.
#pragma once

#include <memory>

#include "client/channel/client_channel.h"
#include "client/strategy/connection_cache.h"

namespace takt::client {

// Holds a connection from next_request_id() to done(), and none in between. Does not use GIOPlite, because
// the connection is not known when the request header is made.
class CachedChannel : public ClientChannel {
 public:
  CachedChannel(std::shared_ptr<ConnectionCache> cache, const Client& client,
                const giop::Messaging& messaging)
      : cache_(std::move(cache)) {
    compression_offer_ = client.protocol.offer_for(messaging, cache_->expansion());
  }

  std::uint32_t next_request_id() override;
  Exchange::Status exchange(std::uint32_t request_id, bool response_expected,
                            std::chrono::nanoseconds timeout) override;
  void cancel(std::uint32_t request_id) override {
    if (lent_) lent_->cancel(request_id);
  }
  // Null if no connection is idle.
  BatchChannel* batch_channel() override;
  cdr::Decoder::Source* body_source() override { return lent_->body_source(); }
  bool body_was_late() const override { return lent_ && lent_->body_was_late(); }
  OctetBuffer borrow(std::size_t bytes) override { return lent_ ? lent_->borrow(bytes) : OctetBuffer(); }
  std::string describe() const override;
  bool ended() override { return cache_->ended(); }
  // A call of this thread may have gone by any of the connections.
  bool may_leave_tcp() const override { return cache_->may_leave_tcp(); }
  const void* connection_identity() const override { return cache_.get(); }

 protected:
  void tidy() override;
  std::string peer_address() const override;

 private:
  const std::shared_ptr<ConnectionCache> cache_;
  std::unique_ptr<ExclusiveChannel> lent_;
};

}  // namespace takt::client
