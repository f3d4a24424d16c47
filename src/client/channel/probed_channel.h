// A client channel that records its exchanges for the time probes.
#pragma once

#include <memory>
#include <utility>

#include "base/step.h"
#include "client/channel/client_channel.h"

namespace takt::client {

// Wraps any channel class. It always requests tidy(), to learn that the call is over.
template <class Channel>
class ProbedChannel final : public Channel {
 public:
  template <class... Arguments>
  explicit ProbedChannel(StepLog& log, Arguments&&... arguments)
      : Channel(std::forward<Arguments>(arguments)...), log_(log) {
    this->needs_cleanup_ |= Channel::untidy;
  }

  Exchange::Status exchange(std::uint32_t request_id, bool response_expected,
                            std::chrono::nanoseconds timeout) override {
    log_.begin(Step::client_transport_send);
    const Exchange::Status status = Channel::exchange(request_id, response_expected, timeout);
    log_.begin(Step::client_demarshal);
    return status;
  }

 private:
  void tidy() override {
    Channel::tidy();
    this->needs_cleanup_ |= Channel::untidy;
    log_.begin(Step::client_done);
  }

  StepLog& log_;
};

// Makes a channel; a probed one if `log` is not null. The log must outlive it.
template <class Channel, class... Arguments>
std::unique_ptr<ClientChannel> make_channel(StepLog* log, Arguments&&... arguments) {
  if (log) return std::make_unique<ProbedChannel<Channel>>(*log, std::forward<Arguments>(arguments)...);
  return std::make_unique<Channel>(std::forward<Arguments>(arguments)...);
}

}  // namespace takt::client
