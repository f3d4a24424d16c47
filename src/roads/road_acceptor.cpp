#include "roads/road_acceptor.h"

#include <utility>

#include "transport/shm/shm_stream.h"
#include "transport/socket_stream.h"
#include "transport/uds/unix_names.h"

namespace takt::roads {

using transport::AcceptResult;
using transport::Stream;

RoadAcceptor::RoadAcceptor(os::UnixListener listener, Road road, const transport::StreamOptions& options,
                           const Trust& trust, AcceptedCounts& counts, std::shared_ptr<EventLog> log,
                           Listening listening)
    : listener_(std::move(listener)),
      road_(road),
      options_(options),
      trust_(trust),
      counts_(counts),
      log_(std::move(log)),
      listening_(std::move(listening)) {}

bool RoadAcceptor::is_trusted(const os::Socket& socket) {
  const std::string objection = trust_.objection_to(socket);
  if (objection.empty()) return true;
  counts_.refused.fetch_add(1, std::memory_order_relaxed);
  if (takes(log_.get(), LogEvent::connection_refused))
    log_->write(
        {.event = LogEvent::connection_refused, .peer = to_text(local_endpoint()), .reason = objection});
  return false;
}

// Null if the client has gone.
std::unique_ptr<Stream> RoadAcceptor::stream_over(os::Socket socket) const {
  const auto peer = os::peer_of_unix_socket(socket);
  transport::StreamEnds ends =
      transport::unix_names::server_ends(protocol_of(road_), listener_.address().text(), peer);
  if (road_ == Road::shared_memory)
    return std::make_unique<transport::ShmStream>(std::move(socket), std::move(ends), options_,
                                                  transport::ShmStream::Admits::yes);
  if (options_.send_buffer_bytes > 0) socket.set_send_buffer_bytes(options_.send_buffer_bytes);
  if (options_.receive_buffer_bytes > 0) socket.set_receive_buffer_bytes(options_.receive_buffer_bytes);
  constexpr std::uint8_t admitted = transport::ShmStream::admitted;
  if (socket.send({&admitted, 1}).status != os::IoStatus::ok) return nullptr;
  return std::make_unique<transport::SocketStream>(
      std::move(socket), transport::SocketStream::Facts{.ends = std::move(ends), .peer_process = peer});
}

// After some refusals the caller gets its turn at other work; the handle stays ready.
AcceptResult RoadAcceptor::accept() {
  constexpr int most_refusals = 16;
  for (int refusals = 0; refusals < most_refusals; ++refusals) {
    auto accepted = accepting_.accept();
    if (!accepted) return std::unexpected(accepted.error());
    if (!is_trusted(accepted->socket)) continue;
    if (auto stream = stream_over(std::move(accepted->socket))) {
      counts_.accepted.fetch_add(1, std::memory_order_relaxed);
      return stream;
    }
  }
  return std::unexpected(transport::AcceptError::would_block);
}

transport::Endpoint RoadAcceptor::local_endpoint() const {
  return {protocol_of(road_), listener_.address().text(), 0};
}

void RoadAcceptor::close() {
  listening_.reset();
  accepting_.close();
  accepting_.reject_waiting();
  listener_.free_name();
}

}  // namespace takt::roads
