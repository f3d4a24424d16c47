#include "client/client.h"

#include <cerrno>
#include <utility>

#include "os/poll/interruption.h"
#include "reference/local_roads.h"

namespace takt::client {

Client::Client(reference::References& leading)
    : references(leading), protocol(leading.protocol), channels_(std::make_shared<ChannelRegistry>()) {}
Client::~Client() = default;

namespace {

bool is_down(const void* references) noexcept {
  return static_cast<const reference::References*>(references)->down();
}

}  // namespace

transport::ConnectResult Client::connect(const transport::Endpoint& endpoint,
                                         std::chrono::steady_clock::time_point deadline,
                                         const transport::StreamOptions& stream_options) {
  transport::Transport* const transport = references.transports.find(endpoint.protocol);
  if (!transport)
    return std::unexpected(
        transport::ConnectError{transport::ConnectError::Phase::connect, EPROTONOSUPPORT,
                                transport::to_text(endpoint) + ": no such transport here"});
  const os::Interruption by_shutdown(&is_down, &references);
  auto stream = transport->connect(endpoint, deadline, stream_options);
  if (stream) return observed(std::move(*stream));
  note_failure(endpoint, stream.error());
  return stream;
}

transport::ConnectResult Client::connect(const reference::Route::Address& address,
                                         std::chrono::steady_clock::time_point deadline) {
  if (address.road && references.roads)
    if (auto stream = references.roads->open(*address.road, address.endpoint, deadline, address.streams))
      return observed(std::move(stream));
  return connect(address.endpoint, deadline, address.streams);
}

std::unique_ptr<transport::Stream> Client::take_prepared(const reference::Route::Address& address) {
  if (!address.road) return nullptr;
  auto stream = references.roads->take_prepared(*address.road, address.endpoint, address.streams);
  return stream ? observed(std::move(stream)) : nullptr;
}

std::unique_ptr<transport::Stream> Client::observed(std::unique_ptr<transport::Stream> stream) const {
  if (!observers) return stream;
  stream = observers->observed(std::move(stream), transport::OpenedBy::us);
  return observers->probed(std::move(stream), transport::OpenedBy::us);
}

void Client::note_failure(const transport::Endpoint& endpoint, const transport::ConnectError& error) const {
  if (takes(log.get(), LogEvent::connect_failed))
    log->write(
        {.event = LogEvent::connect_failed, .peer = transport::to_text(endpoint), .reason = error.text});
}

void Client::set_log(std::shared_ptr<EventLog> orbs) {
  log = std::move(orbs);
  channels_->log = log;
}

void Client::shut_down() {
  references.shut_down();
  references.begin_generation();  // no thread uses the channel that it has bound
  if (references.roads) references.roads->stop();
  channels_->shut_down();
  asynchronous_.shut_down();
}

}  // namespace takt::client
