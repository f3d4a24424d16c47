// Listening over TCP.
#pragma once

#include <atomic>

#include "os/address.h"
#include "os/reserve_descriptor.h"
#include "os/socket.h"
#include "os/stream_sockets.h"
#include "transport/acceptor.h"

namespace takt::transport {

class TcpAcceptor final : public Acceptor {
 public:
  // Takes a listening, non-blocking socket bound to `local`.
  TcpAcceptor(os::Socket listener, const os::Address& local, std::string protocol,
              const StreamOptions& options)
      : listener_(std::move(listener)), local_(local), protocol_(std::move(protocol)), options_(options) {}

  std::expected<std::unique_ptr<Stream>, AcceptError> accept() override;
  void set_blocking(bool blocking) override { listener_.set_blocking(blocking); }
  int native_handle() const override { return listener_.fd(); }
  Endpoint local_endpoint() const override { return {protocol_, local_.host_text(), local_.port()}; }
  void close() override;

 private:
  std::expected<os::Accepted, int> accept_on_reserve();

  os::Socket listener_;
  const os::Address local_;
  const std::string protocol_;
  const StreamOptions options_;
  os::ReserveDescriptor reserve_;
  std::atomic<bool> closed_ = false;
};

}  // namespace takt::transport
