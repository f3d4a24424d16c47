#include "async/calls/pipelines.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <iterator>

#include "async/calls/call.h"
#include "async/calls/deadlines.h"
#include "async/deferred/deferred_calls.h"
#include "async/deferred/ends_elsewhere.h"
#include "os/error_text.h"

namespace takt::async {

namespace {

// One for each call that may be under way, within reason.
std::size_t chains_for(const client::Client& client) {
  constexpr std::size_t fewest = 256, most = 16384;
  return std::bit_ceil(std::clamp(client.protocol.limits->outstanding_requests.get(), fewest, most));
}

}  // namespace

std::optional<client::Exchange> PipelineChannel::post(std::uint32_t request_id, client::Waiter& waiter,
                                                      std::chrono::steady_clock::time_point room_by) {
  Call& call = static_cast<Call&>(waiter);
  if (call.connection != connection()) call.connection = connection();
  auto refusal = connection()->post({packed(), request_id, true, false, {}}, call, room_by);
  broken_ = connection()->broken();
  if (refusal) ending_ = *refusal;
  return refusal;
}

bool PipelineChannel::ends_late(std::chrono::nanoseconds timeout) const {
  const std::chrono::nanoseconds usual = connection()->usual_timeout();
  return usual >= Deadlines::shortest && timeout >= usual;
}

// Nothing that is under way may be overtaken. A reading thread would destroy its own connection.
bool PipelineChannel::may_leave_tcp() const {
  return !ActiveConnection::is_reading_thread() && connection()->is_idle() && connection()->is_replaceable();
}

bool Pipelines::retire(const Kept& connection) {
  return static_cast<ActiveConnection*>(connection.get())->retire();
}

// Another thread joins theirs, which may still be in the application's code.
void Pipelines::end_broken() {
  const auto first = std::partition(kept_.begin(), kept_.end(), [](const auto& connection) {
    return !connection->broken() || connection.use_count() != 1;
  });
  if (first == kept_.end()) return;
  auto ended = std::make_unique<std::vector<std::shared_ptr<ActiveConnection>>>(
      std::move_iterator(first), std::move_iterator(kept_.end()));
  kept_.erase(first, kept_.end());
  try {
    DeferredCalls::of_process().add([all = ended.get()] { delete all; });
    static_cast<void>(ended.release());
  } catch (...) {  // they stay until there is a thread
    std::ranges::move(*ended, std::back_inserter(kept_));
  }
}

std::expected<Pipelines::Kept, transport::ConnectError> Pipelines::begin(
    client::Client& client, const reference::Route::Address& address,
    std::unique_ptr<transport::Stream> stream) {
  end_broken();
  const auto prepare = [&client, serves = address.serves] {
    std::optional<giop::Priority> own;
    if (serves != giop::all_priorities) own = serves.high;
    Call::prepare_reading_thread(client, own);
    if (own && client.run_at) client.run_at(*own);
  };
  auto connection = ActiveConnection::begin(std::move(stream), client, address.messaging, client.channels(),
                                            prepare, chains_for(client));
  if (!connection)
    return std::unexpected(transport::ConnectError{
        transport::ConnectError::Phase::connect, connection.error(),
        transport::to_text(address.endpoint) +
            ": the system has no thread or descriptor left for a connection of asynchronous calls (" +
            os::error_text(connection.error()) + ")"});
  // Deadlines may have the last reference for a moment.
  auto kept = ends_elsewhere(std::move(*connection));
  if (const auto timeout = kept->usual_timeout(); timeout >= Deadlines::shortest)
    Deadlines::of_process().watch(kept, timeout);
  kept_.push_back(kept);
  return kept;
}

}  // namespace takt::async
