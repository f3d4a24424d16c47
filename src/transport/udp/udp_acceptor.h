// Accepting connections over UDP.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>

#include <takt/transport/acceptor.h>

#include "os/net/address.h"
#include "os/net/datagram_sockets.h"
#include "transport/udp/cookies.h"
#include "transport/udp/udp_stream.h"

namespace takt::transport {

// Answers a greeting with a cookie. When a client returns the cookie, opens the connection with a socket of
// its own at the same port. So it keeps no state for clients with forged addresses.
class UdpAcceptor final : public Acceptor {
 public:
  // Takes a bound socket.
  UdpAcceptor(os::Socket socket, const os::Address& local, std::string protocol, const StreamOptions& streams,
              const UdpOptions& options)
      : socket_(std::move(socket)),
        local_(local),
        protocol_(std::move(protocol)),
        streams_(streams),
        options_(options) {}

  AcceptResult accept() override;
  void set_blocking(bool blocking) override { socket_.set_blocking(blocking); }
  int native_handle() const override { return socket_.fd(); }
  Endpoint local_endpoint() const override { return {protocol_, local_.host_text(), local_.port()}; }
  void close() override;

 private:
  AcceptResult open(const Datagram& greeting, ByteView cookie, const os::Correspondents& who);
  void answer(Datagram::Kind kind, std::uint64_t token, ByteView body, const os::Correspondents& who);

  os::Socket socket_;
  const os::Address local_;
  const std::string protocol_;
  const StreamOptions streams_;
  const UdpOptions options_;
  const Cookies cookies_;
  // Tokens of recently accepted greetings, to recognise repeated ones.
  std::array<std::uint64_t, 256> taken_{};
  std::size_t takes_ = 0;
  std::atomic<bool> closed_{false};
};

// Applies the per-connection options.
void apply_to_datagrams(const StreamOptions& options, os::Socket& socket);
StreamEnds datagram_ends(const os::Address& local, const os::Address& peer);

}  // namespace takt::transport
