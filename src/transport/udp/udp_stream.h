// A stream over UDP.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <takt/os/clock.h>
#include <takt/transport/stream.h>

#include "os/net/socket.h"
#include "threads/locks/priority_mutex.h"
#include "transport/socket_marking.h"
#include "transport/stream_ends.h"
#include "transport/udp/datagram_flow.h"
#include "transport/udp/reader_turn.h"
#include "transport/udp/udp_options.h"

namespace takt::transport {

// The role in a connection, and the results of the handshake.
struct UdpEnd {
  bool client = false;
  std::uint64_t number = 0, token = 0;
};

// There is no background thread: lost octets are repeated by the waiting threads. These are a client's in
// read(), and any in a write that lacks room. A server's reader only answers repetitions, and a non-blocking
// write does not wait; its poller waits for the peer. A write is one system call within the peer's window, a
// read another. It is large because the timers of both directions are here, beside the flow.
class UdpStream final : public Stream, public SelfPacing, public Markable, public PeerIdentity {
 public:
  // Takes a connected socket.
  UdpStream(os::Socket socket, const UdpEnd& end, const UdpOptions& options, StreamEnds ends,
            std::string peer_host);
  ~UdpStream() override;
  // For a server: tells the client that the connection is open. Called again whenever the client asks.
  void welcome();

  IoResult read(MutableBytes into) override;
  IoResult write(ByteView octets) override { return write_gather({&octets, 1}); }
  IoResult write_gather(std::span<const ByteView> pieces) override;
  bool has_room_for_small_write() override;
  void set_blocking(bool blocking) override { blocking_ = blocking; }
  bool set_timeouts(std::chrono::nanoseconds read, std::chrono::nanoseconds write) override;
  bool set_write_timeout(std::chrono::nanoseconds write) override;
  bool set_silence_limit(std::chrono::nanoseconds silence) override;
  int native_handle() const override { return socket_.fd(); }
  os::TimePoint next_read_deadline() override;
  bool write_waits_for_read() const override { return true; }
  bool holds_unsent() override;
  void probe_silent_peer(os::TimePoint now) override;
  // Tells it the marking that the socket already has.
  void begin_marked(const StreamOptions& options) { marking_.begin(options); }
  void mark(const Marking& marking, MarkedBy by) override { marking_.mark(socket_, marking, by); }
  void shut_down() override;
  void shut_down_reading() override;
  void shut_down_writing() override;
  std::string peer_address() const override { return ends_.peer(); }
  std::string peer_host() const override { return peer_host_; }
  std::string describe() const override { return ends_.text(); }

 private:
  using Lock = std::unique_lock<os::PriorityMutex>;

  IoResult read_datagrams(MutableBytes into);
  IoResult receive_one(MutableBytes into, bool wait, std::size_t& delivered);
  bool take_datagram(ByteView octets, MutableBytes into, std::size_t& delivered, const Lock&);
  void take_body(Datagram head, ByteView body, MutableBytes into, std::size_t& delivered);
  IoResult take_held(MutableBytes into);
  bool set_read_timeout(std::chrono::nanoseconds timeout);
  std::optional<IoResult> without_delivery(const IoResult& received, bool enough);
  IoStatus after_silence(bool silent, std::optional<os::TimePoint>& since);
  void repeat_if_due(os::TimePoint now, const Lock&);
  int note_failure(int error);
  void note_progress();
  void poll_acknowledgements();
  bool receive_for_room(Lock& state);
  void receive_until_room(Lock& state);
  IoResult await_room(Lock& state);
  int transmit(const Lock&);
  IoResult send(const DatagramFlow::Outgoing& datagram);
  IoResult send_bundle(const DatagramFlow::Outgoing& first, const Lock&);
  void end(bool deaf);
  void send_rest() noexcept;
  bool take_heads();
  void wake_writer();
  void await_datagram(os::TimePoint now, std::chrono::nanoseconds most);

  os::Socket socket_;
  SocketMarking marking_;
  const UdpEnd end_;
  const UdpOptions options_;
  const StreamEnds ends_;
  const std::string peer_host_;
  const std::size_t longest_bytes_;  // longest datagram, header included
  std::atomic<bool> blocking_{true};
  std::atomic<bool> reading_over_{false}, writing_over_{false};
  std::atomic<bool> peer_ended_{false};
  std::atomic<int> failure_{0};

  ReaderTurn reading_;  // guards receiving and the fields below; taken before state_
  std::vector<std::uint8_t> held_;
  std::size_t held_from_ = 0;
  bool shut_down_on_timeout_ = false;
  std::chrono::nanoseconds read_timeout_{0}, system_timeout_{0};

  os::PriorityMutex state_;  // guards the fields below; not held while a thread waits
  DatagramFlow flow_;
  std::size_t most_bundled_;                  // datagrams per system call
  std::optional<os::TimePoint> quiet_since_;  // when a thread first noticed the silence
  std::chrono::nanoseconds quiet_until_;      // length of silence after which to repeat
  std::atomic<bool> heard_{true};  // the peer has sent something since the last probe_silent_peer()
  os::TimePoint heard_at_;         // time of that call, or of the last probe
  std::atomic<std::chrono::nanoseconds> write_timeout_{std::chrono::nanoseconds(0)};
  std::atomic<std::uint32_t> room_made_{0};  // a futex: there may be room, or no thread receives
  std::atomic<bool> writer_waits_{false};
};

}  // namespace takt::transport
