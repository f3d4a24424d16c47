// Packets over UDP, each in a datagram.
#include <optional>
#include <vector>

#include <takt/cdr/exception.h>

#include "frames/packets.h"
#include "os/error_text.h"
#include "os/net/datagram_sockets.h"
#include "os/net/resolver.h"
#include "os/poll/wait.h"

namespace takt::frames {

namespace {

constexpr std::size_t longest_datagram = 64 * 1024;
constexpr int datagrams_at_once = 64;
constexpr auto resolving_time = std::chrono::seconds(10);

os::Address address_of_receiver(const transport::Endpoint& to) {
  os::Resolver resolver;
  const auto addresses = resolver.resolve(to.host, to.port, os::Clock::now() + resolving_time);
  if (addresses && !addresses->empty()) return addresses->front();
  throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO,
                         "the receiver of frames at " + to.host + " has no address" +
                             (addresses ? "" : ": " + addresses.error().text));
}

os::Socket open_sender(const os::Address& to) {
  auto socket = os::open_datagram_socket(to.family());
  const int error = socket ? os::connect_datagrams(*socket, to) : socket.error();
  if (error == 0) return std::move(*socket);
  throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO,
                         "cannot send frames to " + to.text() + ": " + os::error_text(error));
}

class DatagramSink final : public PacketSink {
 public:
  DatagramSink(const transport::Endpoint& to, int dscp) : socket_(open_sender(address_of_receiver(to))) {
    if (dscp >= 0) socket_.set_traffic_class(dscp);
  }

  bool send(ByteView packet) override {
    os::IoResult sent = os::send_datagram(socket_, {&packet, 1});
    // ECONNREFUSED reports an earlier datagram, and only once, so try again.
    if (sent.status == os::IoStatus::failed && sent.error == ECONNREFUSED)
      sent = os::send_datagram(socket_, {&packet, 1});
    return sent.status == os::IoStatus::ok;
  }

 private:
  os::Socket socket_;
};

[[noreturn]] void throw_not_listening(const std::string& host, const std::string& why) {
  throw CORBA::TRANSIENT(0, CORBA::COMPLETED_NO, "cannot receive frames at " + host + ": " + why);
}

os::Socket open_receiver(const std::string& host, std::uint16_t port) {
  os::Resolver resolver;
  const auto addresses = resolver.resolve(host, port, os::Clock::now() + resolving_time);
  if (!addresses) throw_not_listening(host, addresses.error().text);
  auto socket = os::open_datagram_socket(addresses->front().family());
  const int error = socket ? os::bind_first(*socket, addresses->front()) : socket.error();
  if (error != 0) throw_not_listening(host, os::error_text(error));
  socket->set_blocking(false);
  return std::move(*socket);
}

// The first address that sends a packet of the stream is the sender; packets from others are ignored. The
// system may drop what is not read at once, so nothing is left for later.
class DatagramSource final : public PacketSource {
 public:
  DatagramSource(const std::string& host, std::uint16_t port)
      : socket_(open_receiver(host, port)),
        where_{std::string(datagrams), host,
               os::Address::local_of(socket_.fd()).value_or(os::Address()).port()},
        datagram_(longest_datagram) {}

  const transport::Endpoint& where() const override { return where_; }

  void take_all(const Take& take) override {
    for (int i = 0; i < datagrams_at_once; ++i) {
      os::Address peer;
      const os::IoResult received = os::receive_from(socket_, datagram_, peer);
      if (received.status == os::IoStatus::would_block) return;
      if (received.status != os::IoStatus::ok || (sender_ && !(*sender_ == peer))) continue;
      if (take(ByteView(datagram_).first(received.bytes)) != Taken::refused) sender_ = peer;
    }
  }
  void wait(os::TimePoint until) override { os::wait_ready(socket_.fd(), os::Interest::read, until); }
  void close() override { socket_.shut_down(); }

 private:
  os::Socket socket_;
  const transport::Endpoint where_;
  std::vector<std::uint8_t> datagram_;
  std::optional<os::Address> sender_;
};

}  // namespace

int checked_code_point(int dscp) {
  if (dscp >= -1 && dscp <= 63) return dscp;
  throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                         std::to_string(dscp) + " is no code point for the packets of frames: 0 to 63 are");
}
std::unique_ptr<PacketSink> datagrams_to(const transport::Endpoint& to, int dscp) {
  return std::make_unique<DatagramSink>(to, checked_code_point(dscp));
}
std::unique_ptr<PacketSource> datagrams_at(const std::string& host, std::uint16_t port) {
  return std::make_unique<DatagramSource>(host, port);
}

}  // namespace takt::frames
