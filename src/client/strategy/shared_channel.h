// A thread's channel on a shared connection.
#pragma once

#include <algorithm>
#include <chrono>
#include <memory>

#include "client/channel/client_channel.h"
#include "client/client.h"
#include "giop/compression/compressor.h"
#include "giop/copying.h"

namespace takt::client {

// Keeps the connection open.
template <class Connection>
class SharedChannel : public ClientChannel {
 public:
  SharedChannel(std::shared_ptr<Connection> connection, const Client& client,
                const giop::Messaging& messaging)
      : connection_(std::move(connection)),
        compressor_(client.protocol.compressor_for(messaging, connection_->expansion())) {
    reply_ = &caller_.reply;
    names_ = connection_->names();
    compression_offer_ = client.protocol.offer_for(messaging, connection_->expansion());
  }

  std::uint32_t next_request_id() override { return connection_->next_request_id(); }
  Exchange::Status exchange(std::uint32_t request_id, bool response_expected,
                            std::chrono::nanoseconds timeout) override {
    const bool has_deadline = timeout == until_deadline && deadline_ != never;
    if (timeout == until_deadline) timeout = time_left();
    ending_ = connection_->exchange(
        {packed(), request_id, response_expected, at_once_, timeout, has_deadline}, caller_);
    broken_ = connection_->broken();
    if (caller_.holds_memory()) needs_cleanup_ |= untidy;
    return ending_.status;
  }
  void cancel(std::uint32_t request_id) override { connection_->cancel(out_.owned(), request_id, caller_); }
  cdr::Decoder::Source* body_source() override { return nullptr; }  // replies arrive complete
  OctetBuffer borrow(std::size_t bytes) override { return connection_->borrow(bytes); }
  std::string describe() const override { return connection_->describe(); }
  bool ended() override { return connection_->ended(); }
  // Requests that this or another thread has queued would be abandoned with the connection.
  bool may_leave_tcp() const override {
    if constexpr (requires { connection_->is_idle(); })
      if (!connection_->is_idle()) return false;
    return ending_.status == Exchange::Status::reply && connection_->is_replaceable();
  }
  const void* connection_identity() const override { return connection_.get(); }

 protected:
  void tidy() override {
    caller_.give_back_memory();
    ClientChannel::tidy();
  }
  std::string peer_address() const override { return connection_->peer_address(); }

  // The request in out(), ready to be sent.
  const GatherBuffer& packed() {
    if (!out_.contiguous()) giop::align_for_copying(out_);
    if (!compressor_) return out_;
    compressor_->agree(connection_->wanted_by_peer());
    return compressor_->pack(out_);
  }
  const std::shared_ptr<Connection>& connection() const { return connection_; }

 private:
  std::chrono::nanoseconds time_left() const {
    using std::chrono::nanoseconds;
    if (deadline_ == never) return connection_->usual_timeout();
    return std::max<nanoseconds>(deadline_ - std::chrono::steady_clock::now(), nanoseconds(1));
  }

  std::shared_ptr<Connection> connection_;
  typename Connection::Caller caller_;
  const std::unique_ptr<giop::compression::Compressor> compressor_;  // null: compression is off
};

}  // namespace takt::client
