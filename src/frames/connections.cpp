// Packets over a connection, each preceded by its length.
#include <algorithm>
#include <array>
#include <atomic>
#include <list>
#include <vector>

#include <takt/cdr/exception.h>

#include "frames/packets.h"
#include "frames/protocol/streamed_packets.h"
#include "os/error_text.h"
#include "os/poll/ready_set.h"

namespace takt::frames {

using frames::StreamedPackets;
using transport::IoResult;
using transport::IoStatus;

namespace {

constexpr std::size_t most_candidates = 4;  // connections that have not yet shown that they carry the stream
constexpr int most_refused = 2;  // refused packets until a candidate is dropped; a restarting sender has one
constexpr int reads_at_once = 16;
constexpr int backlog = 8;
constexpr auto pause_without_descriptors = std::chrono::milliseconds(100);

// Finishes a packet that was sent in part, because the receiver needs it to find the next one. Keeps at most
// one.
class ConnectionSink final : public PacketSink {
 public:
  ConnectionSink(std::unique_ptr<transport::Stream> stream, std::shared_ptr<client::Client> client)
      : client_(std::move(client)), stream_(std::move(stream)) {
    stream_->set_blocking(false);
  }
  // Reads what the peer has sent, TLS messages for instance: closing a socket with unread input would make
  // the system drop octets on their way.
  ~ConnectionSink() override {
    stream_->shut_down_writing();
    std::array<std::uint8_t, 1024> unwanted;
    for (int i = 0; i < reads_at_once && stream_->read(unwanted).status == IoStatus::ok; ++i) continue;
  }

  bool send(Packetizer& packets) override {
    bool all = true;
    while (packets.next(packet_)) all = all && send_one(packet_);
    return all;
  }

 private:
  bool send_one(ByteView packet) {
    if (!rest_.empty()) {
      const IoResult sent = checked(stream_->write(rest_));
      rest_.erase(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(sent.bytes));
      if (!rest_.empty()) return false;
    }
    const auto length = frames::length_before(packet.size());
    const std::array<ByteView, 2> pieces{ByteView(length), packet};
    const std::size_t sent = checked(stream_->write_gather(pieces)).bytes;
    if (sent == length.size() + packet.size()) return true;
    rest_.assign(length.begin(), length.end());
    rest_.insert(rest_.end(), packet.begin(), packet.end());
    rest_.erase(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(sent));
    return true;
  }
  // Returns ok or would_block, the latter with 0 octets if there was no room. Throws COMM_FAILURE for other
  // results.
  IoResult checked(IoResult result) const {
    if (result.status == IoStatus::ok) return result;
    if (result.status == IoStatus::would_block) return {0, IoStatus::would_block, 0};
    throw CORBA::COMM_FAILURE(0, CORBA::COMPLETED_MAYBE,
                              "no frames go any more over " + stream_->describe() + ": " +
                                  os::error_text(result.error) + "; make another FrameSender");
  }

  const std::shared_ptr<client::Client> client_;
  const std::unique_ptr<transport::Stream> stream_;
  std::vector<std::uint8_t> packet_, rest_;
};

struct Listener {
  std::unique_ptr<transport::Acceptor> acceptor;
  transport::Endpoint where;
};

Listener listen_for_frames(const transport::Endpoint& at, client::Client& client) {
  transport::Transport& transport = *client.references.transports.find(at.protocol);
  auto acceptor = transport.listen(at, {.backlog = backlog, .stream = client.references.connections.streams});
  if (!acceptor)
    throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO, "cannot receive frames: " + acceptor.error().text);
  const auto where = transport.published((*acceptor)->local_endpoint());
  return {std::move(*acceptor), where.front()};
}

std::unique_ptr<os::ReadySet> make_ready_set() {
  auto set = os::ReadySet::create();
  if (set) return std::move(*set);
  throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO, "cannot receive frames: " + os::error_text(set.error()));
}

// The first connection that brings a packet of the stream is the sender's until it ends. While there is a
// sender, no other connection is accepted. The first candidate stays when there are too many: the true
// sender, who comes at once and says nothing before its first frame, is not driven out by those who come
// later. Octets that are not read stay in the connection, which makes the sender drop frames.
class ConnectionSource final : public PacketSource {
 public:
  ConnectionSource(const transport::Endpoint& at, std::shared_ptr<client::Client> client)
      : client_(std::move(client)), ready_(make_ready_set()), listener_(listen_for_frames(at, *client_)) {
    listen();
  }

  const transport::Endpoint& where() const override { return listener_.where; }

  void take_all(const Take& take) override {
    unread_ = false;
    if (!has_sender_) accept_some();
    for (auto peer = peers_.begin(); peer != peers_.end();) {
      const auto next = std::next(peer);
      const bool had_sender = has_sender_;
      const bool stays = read(*peer, take);
      if (!had_sender && has_sender_) return keep_alone(*peer);
      if (!stays) drop(peer);
      peer = next;
    }
  }

  void wait(os::TimePoint until) override {
    if (unread_) return;
    if (!has_sender_ && !listening_) until = std::min(until, listen_again_);
    ready_->wake_at(until);
    if (closed_) return;  // a later close() wakes ready()
    std::array<void*, 1> token;
    ready_->ready(token, true);
  }
  void close() override {
    closed_ = true;
    ready_->wake_at(os::TimePoint());
  }

 private:
  struct Peer {
    std::unique_ptr<transport::Stream> stream;
    bool is_sender = false;
    int refused = 0;
    StreamedPackets packets;
  };

  void listen() {
    listening_ = ready_->add(listener_.acceptor->native_handle(), os::Interest::read, this);
    if (!listening_) listen_again_ = os::Clock::now() + pause_without_descriptors;
  }
  void listen_no_more() {
    if (std::exchange(listening_, false)) ready_->remove(listener_.acceptor->native_handle());
  }

  void accept_some() {
    if (!listening_ && os::Clock::now() >= listen_again_) listen();
    if (!listening_) return;
    for (std::size_t i = 0; i < most_candidates; ++i) {
      auto stream = listener_.acceptor->accept();
      if (!stream) {
        if (stream.error() == transport::AcceptError::would_block) return;
        listen_no_more();
        listen_again_ = os::Clock::now() + pause_without_descriptors;
        return;
      }
      if (peers_.size() == most_candidates) drop(std::next(peers_.begin()));
      (*stream)->set_blocking(false);
      peers_.emplace_back(std::move(*stream));
      if (!ready_->add(peers_.back().stream->native_handle(), os::Interest::read, this)) peers_.pop_back();
    }
  }

  void drop(std::list<Peer>::iterator peer) {
    if (peer->is_sender) has_sender_ = false;
    ready_->remove(peer->stream->native_handle());
    peers_.erase(peer);
    if (!has_sender_ && !listening_) listen();
  }

  void keep_alone(const Peer& sender) {
    for (const Peer& peer : peers_)
      if (&peer != &sender) ready_->remove(peer.stream->native_handle());
    peers_.remove_if([&](const Peer& peer) { return &peer != &sender; });
  }

  // Returns false if the connection has ended.
  bool read(Peer& peer, const Take& take) {
    for (int i = 0; i < reads_at_once; ++i) {
      while (const auto packet = peer.packets.next()) {
        const Taken taken = take(*packet, had_sender_ && !peer.is_sender);
        if (taken == Taken::refused && !peer.is_sender && ++peer.refused == most_refused) return false;
        if (taken != Taken::refused) begin_with(peer);
        if (taken >= Taken::enough) return unread_ = true;
      }
      const IoResult result = peer.stream->read(peer.packets.read_space());
      if (result.status == IoStatus::would_block) return true;
      if (result.status != IoStatus::ok) return false;
      peer.packets.bytes_read(result.bytes);
    }
    return unread_ = true;
  }
  void begin_with(Peer& sender) {
    sender.is_sender = has_sender_ = had_sender_ = true;
    listen_no_more();
  }

  const std::shared_ptr<client::Client> client_;
  const std::unique_ptr<os::ReadySet> ready_;
  const Listener listener_;
  bool listening_ = false;
  os::TimePoint listen_again_;  // when to listen again, if it does not and has no sender
  std::list<Peer> peers_;       // the sender alone, or the candidates
  bool has_sender_ = false;
  bool had_sender_ = false;  // this one or an earlier one
  bool unread_ = false;      // there may be more to read
  std::atomic<bool> closed_{false};
};

}  // namespace

std::unique_ptr<PacketSink> connection_to(const transport::Endpoint& to,
                                          std::shared_ptr<client::Client> client, int dscp) {
  auto options = client->references.connections.streams;
  if (dscp >= 0) options.dscp = dscp;
  auto stream = client->connect(to, os::Clock::now() + client->options.connect_timeout.get(), options);
  if (!stream)
    throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO,
                           "the receiver of frames cannot be reached: " + stream.error().text);
  return std::make_unique<ConnectionSink>(std::move(*stream), std::move(client));
}
std::unique_ptr<PacketSource> connections_at(const transport::Endpoint& at,
                                             std::shared_ptr<client::Client> client) {
  return std::make_unique<ConnectionSource>(at, std::move(client));
}

}  // namespace takt::frames
