// Accepting connections over TCP.
#pragma once

#include "os/net/address.h"
#include "os/net/socket.h"
#include "transport/socket_listener.h"

namespace takt::transport {

class TcpAcceptor final : public Acceptor {
 public:
  // Takes a listening, non-blocking socket bound to `local`.
  TcpAcceptor(os::Socket listener, const os::Address& local, std::string protocol,
              const StreamOptions& options)
      : listener_(std::move(listener)), local_(local), protocol_(std::move(protocol)), options_(options) {}

  AcceptResult accept() override;
  void set_blocking(bool blocking) override { listener_.set_blocking(blocking); }
  int native_handle() const override { return listener_.fd(); }
  Endpoint local_endpoint() const override { return {protocol_, local_.host_text(), local_.port()}; }
  void stop_new_attempts() override { listener_.drop_attempts(); }
  void close() override { accepting_.close(); }

 private:
  os::Socket listener_;
  const os::Address local_;
  const std::string protocol_;
  const StreamOptions options_;
  SocketListener accepting_{listener_};
};

// Wraps a connected socket to which the options were applied. Within one host it uses Reno, which does not
// pace, whatever the system's default is.
std::unique_ptr<Stream> tcp_stream(os::Socket socket, const os::Address& local, const os::Address& peer,
                                   const StreamOptions& options);
// Applies the per-connection options. Refusals by the system are ignored.
void apply(const StreamOptions& options, os::Socket& socket);
// Applies the options that must be set before the handshake: buffer sizes, which determine the TCP window,
// and the marking of the handshake packets.
void apply_before_handshake(const StreamOptions& options, os::Socket& socket);

}  // namespace takt::transport
