#include "events/datagram_sockets.h"

#include <cstring>
#include <optional>
#include <thread>
#include <utility>

#include "common/command.h"
#include "common/host_port.h"
#include "os/error_text.h"
#include "os/net/datagram_sockets.h"
#include "os/net/multicast_sockets.h"

namespace takt::command {
namespace {

[[noreturn]] void refuse(const char* option, const std::string& value, const std::string& why) {
  fail(std::string(option) + " " + value + ": " + why);
}

// "239.1.2.3:7000", "[ff15::1]:7000"
os::Address address_in(const char* option, const std::string& text) {
  const auto parts = host_port_in(text);
  const auto address =
      parts && parts->port != 0 ? os::Address::parse(parts->host, parts->port) : std::nullopt;
  if (!address) refuse(option, text, "it is a numeric address and a port, such as 239.255.0.1:11172");
  return *address;
}

// How much the system may keep of an event's packets; it may allow less.
constexpr int buffer_bytes = 4 << 20;

// The same address, also if only one of the two tells the scope.
bool same_end(const os::Address& left, const os::Address& right) {
  if (left == right) return true;
  if (left.family() != os::Address::Family::v6 || right.family() != os::Address::Family::v6) return false;
  sockaddr_in6 one{}, other{};
  std::memcpy(&one, left.data(), sizeof one);
  std::memcpy(&other, right.data(), sizeof other);
  return (one.sin6_scope_id == 0 || other.sin6_scope_id == 0) && one.sin6_port == other.sin6_port &&
         std::memcmp(&one.sin6_addr, &other.sin6_addr, sizeof one.sin6_addr) == 0;
}

class Sender final : public rt_events::DatagramSender {
 public:
  explicit Sender(os::Socket socket) : socket_(std::move(socket)) {
    socket_.set_send_buffer_bytes(buffer_bytes);
  }
  bool send(ByteView datagram) override {
    return os::send_datagram(socket_, std::span(&datagram, 1)).status == os::IoStatus::ok;
  }
  std::optional<os::Address> local() const { return os::Address::local_of(socket_.fd()); }

 private:
  os::Socket socket_;
};

class Receiver final : public rt_events::DatagramReceiver {
 public:
  Receiver(os::Socket socket, std::optional<os::Address> own)
      : socket_(std::move(socket)), own_(std::move(own)) {
    socket_.set_receive_buffer_bytes(buffer_bytes);
  }
  std::optional<Datagram> receive(std::span<std::uint8_t> into, std::chrono::milliseconds patience) override {
    if (patience != patience_ && socket_.set_receive_timeout(patience)) patience_ = patience;
    os::Address peer;
    const os::IoResult result = os::receive_from(socket_, MutableBytes(into.data(), into.size()), peer);
    if (result.status == os::IoStatus::failed)  // it would fail again at once
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (result.status != os::IoStatus::ok || (own_ && same_end(peer, *own_))) return {};
    return Datagram{{peer.host_text(), peer.port()}, result.bytes};
  }

 private:
  os::Socket socket_;
  const std::optional<os::Address> own_;
  std::chrono::milliseconds patience_{0};
};

os::Socket taken(std::expected<os::Socket, int> socket, const char* option, const std::string& text) {
  if (!socket) refuse(option, text, os::error_text(socket.error()));
  return std::move(*socket);
}

os::Socket sending(const DatagramSettings& settings, unsigned interface) {
  const os::Address to = address_in("--udp-to", settings.to);
  if (os::is_multicast(to))
    return taken(os::open_group_sender(to, {.interface = interface, .hops = static_cast<int>(settings.hops)}),
                 "--udp-to", settings.to);
  os::Socket socket = taken(os::open_datagram_socket(to.family()), "--udp-to", settings.to);
  if (const int error = os::connect_datagrams(socket, to))
    refuse("--udp-to", settings.to, os::error_text(error));
  return socket;
}

os::Socket receiving(const DatagramSettings& settings, unsigned interface) {
  const os::Address from = address_in("--udp-from", settings.from);
  if (os::is_multicast(from))
    return taken(os::open_group_member(from, interface), "--udp-from", settings.from);
  os::Socket socket = taken(os::open_datagram_socket(from.family()), "--udp-from", settings.from);
  if (const int error = os::bind_first(socket, from))
    refuse("--udp-from", settings.from, os::error_text(error));
  return socket;
}

}  // namespace

DatagramSockets::DatagramSockets(const DatagramSettings& settings) {
  constexpr std::uint64_t most_hops = 255;
  if (settings.hops > most_hops) fail("--udp-hops is a number from 0 to 255");
  if (settings.packet_bytes < rt_events::PacketWriter::least_packet ||
      settings.packet_bytes > rt_events::PacketWriter::most_packet)
    fail("--udp-packet-octets is a number from 88 to 65507");
  const auto interface = os::interface_number(settings.interface);
  if (!interface) refuse("--udp-interface", settings.interface, os::error_text(interface.error()));
  std::optional<os::Address> own;
  if (!settings.to.empty()) {
    auto sender = std::make_unique<Sender>(sending(settings, *interface));
    own = sender->local();
    sender_ = std::move(sender);
  }
  if (!settings.from.empty()) receiver_ = std::make_unique<Receiver>(receiving(settings, *interface), own);
}

}  // namespace takt::command
