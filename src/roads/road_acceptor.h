// Accepting connections by local roads.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "base/event_log.h"
#include "os/net/unix_socket.h"
#include "roads/road_offer.h"
#include "roads/trust.h"
#include "transport/socket_listener.h"

namespace takt::roads {

// Counts of one road in a server. Any thread.
struct AcceptedCounts {
  std::atomic<std::uint64_t> accepted{0}, refused{0};
};

// Closes connections of processes that are not trusted, and tells the others with one octet that they are
// admitted: at once by UNIX-domain sockets, and once their memory is mapped by shared memory.
class RoadAcceptor final : public transport::Acceptor {
 public:
  // Shared by the acceptors beside an address, and released as they close.
  using Listening = std::shared_ptr<const void>;
  // `trust` and `counts` must outlive it. `log` may be null.
  RoadAcceptor(os::UnixListener listener, Road road, const transport::StreamOptions& options,
               const Trust& trust, AcceptedCounts& counts, std::shared_ptr<EventLog> log,
               Listening listening);

  transport::AcceptResult accept() override;
  void set_blocking(bool blocking) override { listener_.socket().set_blocking(blocking); }
  int native_handle() const override { return listener_.socket().fd(); }
  transport::Endpoint local_endpoint() const override;
  void stop_new_attempts() override { accepting_.end_queue(); }
  // Frees the name for the server that listens at the address next.
  void close() override;

 private:
  bool is_trusted(const os::Socket& socket);
  std::unique_ptr<transport::Stream> stream_over(os::Socket socket) const;

  os::UnixListener listener_;
  const Road road_;
  const transport::StreamOptions options_;
  const Trust& trust_;
  AcceptedCounts& counts_;
  const std::shared_ptr<EventLog> log_;
  Listening listening_;
  transport::SocketListener accepting_{listener_.socket()};
};

// The transport's name of the road, as endpoints have it.
constexpr const char* protocol_of(Road road) { return road == Road::shared_memory ? "shm" : "unix"; }

}  // namespace takt::roads
