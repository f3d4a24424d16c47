#include "transport/uds/uds_acceptor.h"

#include "transport/socket_stream.h"

namespace takt::transport {

AcceptResult UdsAcceptor::accept() {
  auto accepted = accepting_.accept();
  if (!accepted) return std::unexpected(accepted.error());
  if (options_.send_buffer_bytes > 0) accepted->socket.set_send_buffer_bytes(options_.send_buffer_bytes);
  if (options_.receive_buffer_bytes > 0)
    accepted->socket.set_receive_buffer_bytes(options_.receive_buffer_bytes);
  const auto peer = os::peer_of_unix_socket(accepted->socket);
  std::string description = "unix " + listener_.address().text() + " -> ";
  description += peer ? "process " + std::to_string(peer->process) : std::string("unknown");
  return std::make_unique<SocketStream>(std::move(accepted->socket), std::move(description), peer);
}

// The file stays until the end, so that a server that begins meanwhile sees that it is taken over, and no
// other thread removes it.
void UdsAcceptor::close() {
  accepting_.close();
  accepting_.turn_away_waiting();
}

}  // namespace takt::transport
