// Accepting connections over TCP.
#pragma once

#include <atomic>
#include <cstdint>

#include "os/net/address.h"
#include "os/net/socket.h"
#include "transport/socket_listener.h"

namespace takt::transport {

class TcpAcceptor final : public Acceptor {
 public:
  // A listening socket that the service manager has opened goes on listening when the acceptor is closed, and
  // keeps its clients for the next process.
  enum class Owner : std::uint8_t { process, service_manager };

  // Takes a listening, non-blocking socket bound to `local`.
  TcpAcceptor(os::Socket listener, const os::Address& local, std::string protocol,
              const StreamOptions& options, Owner owner = Owner::process)
      : listener_(std::move(listener)),
        local_(local),
        protocol_(std::move(protocol)),
        options_(options),
        owner_(owner) {}

  AcceptResult accept() override;
  void set_blocking(bool blocking) override;
  int native_handle() const override { return listener_.fd(); }
  Endpoint local_endpoint() const override { return {protocol_, local_.host_text(), local_.port()}; }
  void stop_new_attempts() override {
    if (owner_ == Owner::process)
      listener_.drop_attempts();
    else
      accepting_.leave();
  }
  void close() override { owner_ == Owner::process ? accepting_.close() : accepting_.leave(); }

 private:
  void wait_for_client() const;

  os::Socket listener_;
  const os::Address local_;
  const std::string protocol_;
  const StreamOptions options_;
  const Owner owner_;
  std::atomic<bool> waits_{false};  // blocking, with a socket that close() cannot wake
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
