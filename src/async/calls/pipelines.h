// The connections of asynchronous calls: one per server, on which any number of calls are under way.
#pragma once

#include <memory>
#include <vector>

#include "client/strategy/active_connection.h"
#include "client/strategy/per_server.h"
#include "client/strategy/shared_channel.h"

namespace takt::async {

using client::ActiveConnection;

// A thread's channel on such a connection.
class PipelineChannel : public client::SharedChannel<ActiveConnection>, public client::Poster {
 public:
  using SharedChannel::SharedChannel;

  std::uint32_t next_request_id() override {
    // Until then, each request introduces the connection, since an earlier one may be withdrawn.
    if (!contexts_sent_) contexts_sent_ = connection()->has_replied();
    return SharedChannel::next_request_id();
  }
  bool may_leave_tcp() const override;
  client::Poster* poster() override { return this; }
  bool ends_late(std::chrono::nanoseconds timeout) const override;
  // `waiter` is a Call.
  std::optional<client::Exchange> post(std::uint32_t request_id, client::Waiter& waiter,
                                       std::chrono::steady_clock::time_point room_by) override;
};

// Keeps each connection until it has failed or been replaced, whether or not a thread has a channel on it.
class Pipelines final : public client::PerServer<ActiveConnection, PipelineChannel> {
  std::expected<Kept, transport::ConnectError> begin(client::Client& client,
                                                     const reference::Route::Address& address,
                                                     std::unique_ptr<transport::Stream> stream) override;

  bool retire(const Kept& connection) override;
  void end_broken();

  // A connection may be destroyed only in another thread than its own.
  std::vector<std::shared_ptr<ActiveConnection>> kept_;
};

}  // namespace takt::async
