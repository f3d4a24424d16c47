// A calling thread's channel to an object group: multicast, without replies.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "client/channel/client_channel.h"
#include "client/connection_strategy.h"
#include "transport/miop/group_sender.h"

namespace takt::groups {

// A request that expects a response is not sent, and has the status `oneway_only`.
class GroupChannel : public client::ClientChannel {
 public:
  explicit GroupChannel(std::unique_ptr<transport::miop::GroupSender> sender) : sender_(std::move(sender)) {}

  std::uint32_t next_request_id() override { return next_id_++; }
  client::Exchange::Status exchange(std::uint32_t request_id, bool response_expected,
                                    std::chrono::nanoseconds timeout) override;
  cdr::Decoder::Source* body_source() override { return nullptr; }
  std::string describe() const override { return sender_->describe(); }

 protected:
  std::string peer_address() const override { return sender_->ends().peer(); }

 private:
  const std::unique_ptr<transport::miop::GroupSender> sender_;
  std::vector<ByteView> pieces_;
  std::uint32_t next_id_ = 0;
};

// Connection strategy for group references: one channel per thread.
class GroupConnectionStrategy final : public client::ConnectionStrategy {
 public:
  explicit GroupConnectionStrategy(const transport::miop::GroupOptions& options) : options_(options) {}

  std::expected<std::unique_ptr<client::ClientChannel>, transport::ConnectError> open(
      client::Client& client, const reference::Route::Address& address, const reference::ConnectionKey& key,
      std::chrono::steady_clock::time_point deadline) override;

 private:
  const transport::miop::GroupOptions& options_;
};

}  // namespace takt::groups
