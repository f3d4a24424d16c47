// Accepting connections at a UNIX-domain socket.
#pragma once

#include <string>

#include "os/net/unix_socket.h"
#include "transport/socket_listener.h"

namespace takt::transport {

class UnixAcceptor final : public Acceptor {
 public:
  // Makes the stream of an accepted socket; `name` is the listener's. Null: the connection is closed.
  using Serve = std::unique_ptr<Stream> (*)(os::Socket socket, const std::string& name,
                                            const StreamOptions& options);

  UnixAcceptor(os::UnixListener listener, std::string protocol, const StreamOptions& options, Serve serve)
      : listener_(std::move(listener)), protocol_(std::move(protocol)), options_(options), serve_(serve) {}

  AcceptResult accept() override;
  void set_blocking(bool blocking) override { listener_.socket().set_blocking(blocking); }
  int native_handle() const override { return listener_.socket().fd(); }
  Endpoint local_endpoint() const override { return {protocol_, listener_.address().text(), 0}; }
  void stop_new_attempts() override { accepting_.end_queue(); }
  void close() override;

 private:
  os::UnixListener listener_;
  const std::string protocol_;
  const StreamOptions options_;
  const Serve serve_;
  SocketListener accepting_{listener_.socket()};
};

}  // namespace takt::transport
