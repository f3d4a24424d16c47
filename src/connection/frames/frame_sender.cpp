#include <vector>

#include <takt/cdr/exception.h>
#include <takt/connection/frames.h>
#include <takt/os/clock.h>

#include "giop/frames/packet.h"
#include "os/error_text.h"
#include "os/net/datagram_sockets.h"
#include "os/net/resolver.h"
#include "transport/udp/cookies.h"

namespace takt {

namespace {

constexpr std::size_t least_datagram_bytes = 64, most_datagram_bytes = 65'000;

os::Address address_of(const FrameStream& to) {
  os::Resolver resolver;
  const auto addresses = resolver.resolve(to.host, to.port, os::Clock::now() + std::chrono::seconds(10));
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

std::size_t checked(std::size_t datagram_bytes) {
  if (datagram_bytes >= least_datagram_bytes && datagram_bytes <= most_datagram_bytes) return datagram_bytes;
  throw CORBA::BAD_PARAM(
      0, CORBA::COMPLETED_NO,
      std::to_string(datagram_bytes) + " octets are no size for datagrams: 64 to 65000 are");
}

}  // namespace

class FrameSender::Sending {
 public:
  Sending(const FrameStream& to, std::size_t datagram_bytes)
      : packetizer_(to.source, static_cast<std::uint16_t>(transport::unguessable_number()),
                    checked(datagram_bytes)),
        socket_(open_sender(address_of(to))) {}

  bool send(ByteView frame, std::uint32_t timestamp) {
    if (!packetizer_.begin(frame, timestamp))
      throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                             "a frame of " + std::to_string(frame.size()) +
                                 " octets: there must be some, and no more than 65,535 datagrams hold");
    bool all = true;
    while (packetizer_.next(datagram_)) {
      const ByteView piece = datagram_;
      os::IoResult sent = os::send_datagram(socket_, {&piece, 1});
      // What the network says of an earlier one; once.
      if (sent.status == os::IoStatus::failed && sent.error == ECONNREFUSED)
        sent = os::send_datagram(socket_, {&piece, 1});
      all &= sent.status == os::IoStatus::ok;
    }
    return all;
  }

 private:
  giop::frames::Packetizer packetizer_;
  os::Socket socket_;
  std::vector<std::uint8_t> datagram_;
};

FrameSender::FrameSender(const FrameStream& to, std::size_t datagram_bytes)
    : sending_(std::make_unique<Sending>(to, datagram_bytes)) {}
FrameSender::~FrameSender() = default;
FrameSender::FrameSender(FrameSender&&) noexcept = default;
FrameSender& FrameSender::operator=(FrameSender&&) noexcept = default;

bool FrameSender::send(std::span<const std::uint8_t> frame, std::uint32_t timestamp) {
  return sending_->send(frame, timestamp);
}

}  // namespace takt
