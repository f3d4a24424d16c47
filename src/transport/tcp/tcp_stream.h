// A stream over TCP.
#pragma once

#include "os/address.h"
#include "os/read_watch.h"
#include "os/socket.h"
#include "transport/stream.h"
#include "transport/stream_options.h"

namespace takt::transport {

class TcpStream final : public Stream {
 public:
  // Takes a connected socket.
  TcpStream(os::Socket socket, const os::Address& local, const os::Address& peer)
      : socket_(std::move(socket)), local_(local), peer_(peer) {}

  IoResult read(MutableBytes into) override {
    if (!watched_) return socket_.receive(into);
    watch_.begin();
    const IoResult result = socket_.receive(into);
    return watch_.end() ? result : IoResult{0, IoStatus::timed_out, 0};
  }
  bool stamp_arrivals() override { return socket_.stamp_arrivals(); }
  IoResult read_stamped(MutableBytes into, std::chrono::nanoseconds& age) override;
  IoResult write(ByteView octets) override { return socket_.send(octets); }
  IoResult write_gather(std::span<const ByteView> pieces) override {
    return pieces.size() == 1 ? socket_.send(pieces.front()) : socket_.send_gather(pieces);
  }
  void set_blocking(bool blocking) override { socket_.set_blocking(blocking); }
  bool set_timeouts(std::chrono::nanoseconds read, std::chrono::nanoseconds write) override;
  bool give_up_reading_after(std::chrono::nanoseconds silence) override;
  int native_handle() const override { return socket_.fd(); }
  void shut_down() override { socket_.shut_down(); }
  void shut_down_reading() override { socket_.shut_down_reading(); }
  std::string describe() const override;

 private:
  bool set_read_timeout(std::chrono::nanoseconds timeout);

  os::Socket socket_;
  const os::Address local_;
  const os::Address peer_;
  os::ReadWatch watch_;  // goes before its socket
  bool watched_ = false;
  std::chrono::nanoseconds read_timeout_{0};  // the system's
};

// Sets what is per connection; a system that refuses some of it is no reason to give up the connection.
void apply(const StreamOptions& options, os::Socket& socket);
// The part that the system wants before the handshake, so that the TCP window fits: the buffer sizes.
void apply_before_handshake(const StreamOptions& options, os::Socket& socket);

}  // namespace takt::transport
