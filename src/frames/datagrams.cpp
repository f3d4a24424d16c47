// Packets over UDP, each in a datagram. The system takes and gives several datagrams at once, if it can.
#include <algorithm>
#include <array>
#include <atomic>
#include <expected>
#include <optional>
#include <utility>
#include <vector>

#include <takt/cdr/exception.h>

#include "frames/packets.h"
#include "frames/protocol/refusals.h"
#include "os/error_text.h"
#include "os/net/datagram_sockets.h"
#include "os/net/multicast_sockets.h"
#include "os/net/resolver.h"
#include "os/poll/wait.h"
#include "transport/published_endpoints.h"

namespace takt::frames {

namespace {

constexpr std::size_t longest_datagram = 64 * 1024;
constexpr int datagrams_at_once = 64;
// A large frame goes at once; the system may permit less (net.core.rmem_max and wmem_max).
constexpr int buffer_bytes = 4 * 1024 * 1024;
constexpr auto resolving_time = std::chrono::seconds(10);
// After this time without a packet of its sender, a stream to a group takes another one.
constexpr auto silence_of_gone = std::chrono::seconds(1);
// Time of a read that blocks; shorter waits poll. A read that took less than the second time may have found
// its datagram there.
constexpr auto longest_read = std::chrono::milliseconds(500);
constexpr auto least_wait = std::chrono::microseconds(20);

os::Address address_of_receiver(const transport::Endpoint& to) {
  os::Resolver resolver;
  const auto addresses = resolver.resolve(to.host, to.port, os::Clock::now() + resolving_time);
  if (addresses && !addresses->empty()) return addresses->front();
  throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO,
                         "the receiver of frames at " + to.host + " has no address" +
                             (addresses ? "" : ": " + addresses.error().text));
}

[[noreturn]] void throw_not_sending(const os::Address& to, int error) {
  throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO,
                         "cannot send frames to " + to.text() + ": " + os::error_text(error));
}

unsigned interface_named(const std::string& name) {
  if (const auto number = os::interface_number(name)) return *number;
  throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO, "this machine has no network interface '" + name + "'");
}

os::Socket open_sender(const os::Address& to, const FrameSending& sending) {
  if (!os::is_multicast(to)) {
    auto socket = os::open_datagram_socket(to.family());
    const int error = socket ? os::connect_datagrams(*socket, to) : socket.error();
    if (error != 0) throw_not_sending(to, error);
    return std::move(*socket);
  }
  if (sending.hops == -1)
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                           "frames to one receiver do not go to the group " + to.text());
  if (sending.hops < 0 || sending.hops > 255)
    throw CORBA::BAD_PARAM(
        0, CORBA::COMPLETED_NO,
        std::to_string(sending.hops) + " hops for frames to a group: 0 to 255 are possible");
  auto socket =
      os::open_group_sender(to, {.interface = interface_named(sending.interface), .hops = sending.hops});
  if (!socket) throw_not_sending(to, socket.error());
  return std::move(*socket);
}

class DatagramSink final : public PacketSink {
 public:
  DatagramSink(const transport::Endpoint& to, const FrameSending& sending)
      : to_(address_of_receiver(to)), is_group_(os::is_multicast(to_)), socket_(open_sender(to_, sending)) {
    socket_.set_send_buffer_bytes(buffer_bytes);
    if (sending.dscp >= 0) socket_.set_traffic_class(sending.dscp);
  }

  // Datagrams that fit in a bundle go in one system call, if the system and the route support that.
  bool send(Packetizer& packets) override {
    bool all = true;
    for (Bundle bundle; fill(bundle, packets);) all = all && send(bundle);
    return all;
  }

 private:
  struct Bundle {
    std::array<PacketHead, os::most_bundled> heads;
    std::array<ByteView, 2 * os::most_bundled> pieces;  // heads and payloads in turns
    std::size_t count = 0, bytes = 0, each_bytes = 0;
  };

  // All datagrams of a frame but the last have the same size. Returns false if there are no more.
  bool fill(Bundle& bundle, Packetizer& packets) const {
    bundle.count = bundle.bytes = 0;
    const std::size_t most = bundles_ ? os::most_bundled : 1;
    ByteView payload;
    while (bundle.count < most && bundle.bytes + bundle.each_bytes <= os::most_bundled_bytes &&
           packets.next(bundle.heads[bundle.count], payload)) {
      bundle.pieces[2 * bundle.count] = bundle.heads[bundle.count];
      bundle.pieces[2 * bundle.count + 1] = payload;
      if (bundle.count++ == 0) bundle.each_bytes = packet_head_bytes + payload.size();
      bundle.bytes += packet_head_bytes + payload.size();
    }
    return bundle.count != 0;
  }

  bool send(const Bundle& bundle) {
    const std::span pieces(bundle.pieces.data(), 2 * bundle.count);
    if (bundle.count > 1 && bundles_) {
      const os::IoResult sent =
          again_if_refused([&] { return os::send_bundle(socket_, pieces, bundle.each_bytes); });
      bundles_ = sent.status != os::IoStatus::failed || sent.error != ENOTSUP;
      if (bundles_) return sent.status == os::IoStatus::ok;
    }
    for (std::size_t i = 0; i < pieces.size(); i += 2) {
      const os::IoResult sent =
          again_if_refused([&] { return os::send_datagram(socket_, pieces.subspan(i, 2)); });
      if (sent.status != os::IoStatus::ok) return false;
    }
    return true;
  }

  // ECONNREFUSED, and most of the other refusals, report an earlier datagram, and only once, so try again.
  template <class Send>
  os::IoResult again_if_refused(const Send& send) {
    const os::IoResult sent = send();
    const auto refusal = sent.status == os::IoStatus::failed ? refusal_of(sent.error) : std::nullopt;
    if (!refusal) return sent;
    if (!is_group_ &&
        refusals_.note(*refusal, os::Clock::now()))  // the other members of a group still receive
      throw CORBA::COMM_FAILURE(
          0, CORBA::COMPLETED_MAYBE,
          "nothing receives frames at " + to_.text() + " any more; make another FrameSender");
    return send();
  }
  static std::optional<Refusal> refusal_of(int error) {
    if (error == ECONNREFUSED) return Refusal::by_host;
    if (error == EHOSTUNREACH || error == ENETUNREACH || error == EHOSTDOWN) return Refusal::no_way;
    return std::nullopt;
  }

  const os::Address to_;
  const bool is_group_;
  os::Socket socket_;
  bool bundles_ = true;
  Refusals refusals_;
};

[[noreturn]] void throw_not_listening(const std::string& host, const std::string& why) {
  throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO, "cannot receive frames at " + host + ": " + why);
}

std::expected<os::Socket, int> open_at(const os::Address& address) {
  auto socket = os::open_datagram_socket(address.family());
  if (!socket) return socket;
  if (address.family() == os::Address::Family::v6) socket->set_ipv6_only(!address.is_wildcard());
  if (const int error = os::bind_first(*socket, address)) return std::unexpected(error);
  return socket;
}

// An empty host stands for all addresses of this machine.
os::Address address_to_receive_at(const std::string& host, std::uint16_t port) {
  if (host.empty()) return os::Address::wildcard(os::Address::Family::v6, port);
  os::Resolver resolver;
  const auto addresses = resolver.resolve(host, port, os::Clock::now() + resolving_time);
  if (!addresses) throw_not_listening(host, addresses.error().text);
  return addresses->front();
}

os::Socket open_receiver(const std::string& host, std::uint16_t port) {
  auto socket = open_at(address_to_receive_at(host, port));
  if (!socket && host.empty()) socket = open_at(os::Address::wildcard(os::Address::Family::v4, port));
  if (!socket) throw_not_listening(host.empty() ? "all addresses" : host, os::error_text(socket.error()));
  return std::move(*socket);
}

// A wildcard would lead senders to themselves.
std::string host_for_senders(const std::string& host) {
  return transport::published_endpoints({std::string(datagrams), host, 0}).front().host;
}

os::Socket open_member(const transport::Endpoint& group, const std::string& interface) {
  const auto address = os::Address::parse(group.host, group.port);
  if (!address || !os::is_multicast(*address) || group.port == 0)
    throw CORBA::BAD_PARAM(
        0, CORBA::COMPLETED_NO,
        group.host + ':' + std::to_string(group.port) +
            " is no group for frames: addresses from 224.0.0.0 to 239.255.255.255, and those "
            "of IPv6 that begin with ff, are, with a port");
  auto socket = os::open_group_member(*address, interface_named(interface));
  if (!socket) throw_not_listening(group.host, os::error_text(socket.error()));
  return std::move(*socket);
}

// With port 0.
std::vector<os::Address> addresses_of(const std::vector<std::string>& senders) {
  std::vector<os::Address> addresses;
  for (const std::string& each : senders) {
    const auto address = os::Address::parse(each, 0);
    if (!address)
      throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                             "the sender '" + each + "' is no address, such as 192.0.2.7");
    addresses.push_back(*address);
  }
  return addresses;
}

// The first address that sends a packet of the stream is the sender; packets from others are ignored. In a
// group, whose packets show the stream's number to all, another may become it once the sender is silent;
// there may be a list of hosts that alone can be the sender. The system may drop what is not read at once, so
// all is read that the receiver has memory for, and the rest waits in the socket.
//
// A long wait is a read that blocks: one system call for a datagram. If it blocked, nothing was there before,
// and one datagram that completes a frame is all.
class DatagramSource final : public PacketSource {
 public:
  DatagramSource(os::Socket socket, const std::string& host, bool is_group,
                 std::vector<os::Address> allowed = {})
      : socket_(std::move(socket)),
        where_{std::string(datagrams), host,
               os::Address::local_of(socket_.fd()).value_or(os::Address()).port()},
        is_group_(is_group),
        allowed_(std::move(allowed)),
        datagram_(longest_datagram) {
    may_block_ = socket_.set_blocking(true) && socket_.set_receive_timeout(longest_read);
    os::take_bundles(socket_);
    socket_.set_receive_buffer_bytes(buffer_bytes);
  }

  const transport::Endpoint& where() const override { return where_; }

  void take_all(const Take& take) override {
    emptied_ = false;
    Taken taken = rest_ ? take_bundle(take) : Taken::refused;
    if (std::exchange(has_read_, false)) emptied_ = taken == Taken::enough && blocked_;
    for (int i = 0; i < datagrams_at_once && !emptied_ && taken != Taken::full; ++i) {
      const os::IoResult received = read(false);
      if (received.status == os::IoStatus::would_block)
        emptied_ = true;
      else if (received.status == os::IoStatus::ok)
        taken = take_bundle(take);
    }
  }
  bool is_emptied() const override { return emptied_; }
  std::uint64_t ignored() const override { return ignored_.load(std::memory_order_relaxed); }
  void wait(os::TimePoint until) override {
    emptied_ = false;
    if (rest_) return;
    const auto begun = os::Clock::now();
    if (!may_block_ || until - begun < longest_read) {
      os::wait_ready(socket_.fd(), os::Interest::read, until);
      return;
    }
    has_read_ = read(true).status == os::IoStatus::ok;
    blocked_ = os::Clock::now() - begun >= least_wait;
  }
  void close() override { socket_.shut_down(); }

 private:
  os::IoResult read(bool wait) {
    const os::IoResult received = os::receive_bundle_from(socket_, datagram_, wait, peer_, each_bytes_);
    if (received.status == os::IoStatus::ok) rest_ = ByteView(datagram_).first(received.bytes);
    return received;
  }
  // Passes the packets of rest_, until it is empty or one is full. The largest answer.
  Taken take_bundle(const Take& take) {
    const auto now = is_group_ ? os::Clock::now() : os::TimePoint();
    const bool is_other = sender_ && !(*sender_ == peer_);
    const bool is_ignored = is_other && (!is_group_ || now - heard_ < silence_of_gone);
    if (is_ignored || !is_allowed(peer_)) {
      ignored_.fetch_add(1, std::memory_order_relaxed);
      rest_.reset();
      return Taken::refused;
    }
    Taken most = Taken::refused;
    do {
      const ByteView packet = rest_->first(std::min(each_bytes_, rest_->size()));
      rest_ = rest_->subspan(packet.size());
      const Taken taken = take(packet, is_other && !(*sender_ == peer_));
      if (taken == Taken::refused) continue;
      most = std::max(most, taken);
      sender_ = peer_;
      heard_ = now;
    } while (!rest_->empty() && most != Taken::full);
    if (rest_->empty()) rest_.reset();
    return most;
  }
  bool is_allowed(os::Address host) const {
    host.set_port(0);
    return allowed_.empty() || std::ranges::find(allowed_, host) != allowed_.end();
  }

  os::Socket socket_;
  const transport::Endpoint where_;
  const bool is_group_;
  const std::vector<os::Address> allowed_;  // with port 0; empty: all
  bool may_block_ = false;
  std::vector<std::uint8_t> datagram_;
  os::Address peer_;  // sender of the datagram or bundle that was read last
  std::size_t each_bytes_ = 0;
  std::optional<ByteView> rest_;  // the part of datagram_ that has not been passed yet
  bool has_read_ = false;         // wait() has read it, and take_all() has not been called since
  bool blocked_ = false, emptied_ = false;
  std::optional<os::Address> sender_;
  os::TimePoint heard_;  // when the sender's last packet came, if it is a group
  std::atomic<std::uint64_t> ignored_{0};
};

}  // namespace

int checked_code_point(int dscp) {
  if (dscp >= -1 && dscp <= 63) return dscp;
  throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                         std::to_string(dscp) + " is no code point for the packets of frames: 0 to 63 are");
}
std::unique_ptr<PacketSink> datagrams_to(const transport::Endpoint& to, const FrameSending& sending) {
  checked_code_point(sending.dscp);
  return std::make_unique<DatagramSink>(to, sending);
}
std::unique_ptr<PacketSource> datagrams_at(const std::string& host, std::uint16_t port) {
  return std::make_unique<DatagramSource>(open_receiver(host, port), host_for_senders(host), false);
}
std::unique_ptr<PacketSource> datagrams_of_group(const transport::Endpoint& group,
                                                 const std::string& interface,
                                                 const std::vector<std::string>& senders) {
  auto allowed = addresses_of(senders);
  return std::make_unique<DatagramSource>(open_member(group, interface), group.host, true,
                                          std::move(allowed));
}

}  // namespace takt::frames
