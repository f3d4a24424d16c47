// A stream over a connected socket of any kind.
#pragma once

#include <takt/transport/stream.h>
#include <takt/transport/stream_options.h>

#include "os/net/socket.h"
#include "os/poll/read_watch.h"
#include "transport/socket_marking.h"
#include "transport/stream_ends.h"

namespace takt::transport {

class SocketStream final : public Stream, public ArrivalStamps, public Markable, public PeerIdentity {
 public:
  // The facts that a transport knows of its stream.
  struct Facts {
    StreamEnds ends;
    std::optional<os::ProcessIdentity> peer_process = {};  // see PeerIdentity
    std::string peer_host = {};
    bool replaceable_by_road = false;  // see StreamCapabilities
  };

  // Takes a connected socket.
  SocketStream(os::Socket socket, Facts facts)
      : Stream({.arrival_stamps = this,
                .marking = this,
                .peer = this,
                .plain_socket = this,
                .replaceable_by_road = facts.replaceable_by_road}),
        socket_(std::move(socket)),
        facts_(std::move(facts)) {}

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
  bool has_room_for_small_write() override;
  // Tells it the marking that the socket already has.
  void begin_marked(const StreamOptions& options) { marking_.begin(options); }
  void mark(const Marking& marking, MarkedBy by) override { marking_.mark(socket_, marking, by); }
  void set_blocking(bool blocking) override { socket_.set_blocking(blocking); }
  bool set_timeouts(std::chrono::nanoseconds read, std::chrono::nanoseconds write) override;
  bool set_write_timeout(std::chrono::nanoseconds write) override { return socket_.set_send_timeout(write); }
  bool set_silence_limit(std::chrono::nanoseconds silence) override;
  int native_handle() const override { return socket_.fd(); }
  void shut_down() override { socket_.shut_down(); }
  void shut_down_reading() override { socket_.shut_down_reading(); }
  void shut_down_writing() override { socket_.shut_down_writing(); }
  std::string peer_address() const override { return facts_.ends.peer(); }
  std::string peer_host() const override { return facts_.peer_host; }
  std::string describe() const override { return facts_.ends.text(); }
  std::optional<os::ProcessIdentity> peer_process() const override { return facts_.peer_process; }

 private:
  bool set_read_timeout(std::chrono::nanoseconds timeout);

  os::Socket socket_;
  const Facts facts_;
  os::ReadWatch watch_;  // declared after the socket, so that it is destroyed first
  bool watched_ = false;
  std::chrono::nanoseconds read_timeout_{0};  // as set in the system
  SocketMarking marking_;
};

}  // namespace takt::transport
