#include "roads/open_road.h"

#include <cerrno>
#include <optional>
#include <utility>

#include "os/error_text.h"
#include "os/net/unix_socket.h"
#include "os/poll/wait.h"
#include "roads/road_acceptor.h"
#include "transport/shm/connection_memory.h"
#include "transport/shm/shm_stream.h"
#include "transport/socket_stream.h"
#include "transport/uds/unix_names.h"

namespace takt::roads {
namespace {

using Then = Impassable::Then;
using transport::ShmStream;

Impassable not_connected(int error) {
  if (error == ECONNREFUSED) return {Then::use_tcp, "no process listens there"};
  if (error == EAGAIN) return {Then::try_later, "the process there takes no connections"};
  return {Then::use_tcp, os::error_text(error)};
}

// Waits for the octet that admits this process.
std::optional<Impassable> await_admission(os::Socket& socket, os::TimePoint deadline) {
  if (os::wait_ready(socket.fd(), os::Interest::read, deadline) != os::WaitResult::ready)
    return Impassable{Then::try_later, "the process there does not answer in time"};
  std::uint8_t octet = 0;
  const os::IoResult received = socket.receive({&octet, 1});
  if (received.status != os::IoStatus::ok)
    return Impassable{Then::try_other_road, "the process there has refused this one"};
  if (octet == ShmStream::admitted) return std::nullopt;
  return Impassable{Then::stay_away, "the process there is no such server"};
}

}  // namespace

std::expected<std::unique_ptr<transport::Stream>, Impassable> open_road(
    Road road, const std::string& name, const Trust& trust, os::TimePoint deadline,
    const transport::StreamOptions& options) {
  const bool in_memory = road == Road::shared_memory;
  const auto address = os::UnixAddress::parse(name);
  if (!address) return std::unexpected(Impassable{Then::use_tcp, "its name is too long"});
  auto socket = os::connect_unix_at_once(*address, in_memory ? 0 : options.send_buffer_bytes,
                                         in_memory ? 0 : options.receive_buffer_bytes);
  if (!socket) return std::unexpected(not_connected(socket.error()));
  if (std::string objection = trust.objection_to(*socket); !objection.empty())
    return std::unexpected(Impassable{Then::stay_away, std::move(objection)});
  std::optional<transport::OwnMemory> own;
  if (in_memory) {
    auto made = transport::make_connection_memory(options);
    if (!made) return std::unexpected(Impassable{Then::try_other_road, os::error_text(made.error())});
    own = std::move(*made);
    if (const int error = os::send_with_descriptor(*socket, own->hello.encode(), own->descriptor.fd()))
      return std::unexpected(Impassable{Then::try_other_road, os::error_text(error)});
  }
  if (auto refused = await_admission(*socket, deadline)) return std::unexpected(std::move(*refused));
  transport::StreamEnds ends = transport::unix_names::client_ends(protocol_of(road), name);
  if (own)
    return std::make_unique<ShmStream>(std::move(*socket), std::move(own->memory), std::move(ends), options);
  const auto peer = os::peer_of_unix_socket(*socket);
  return std::make_unique<transport::SocketStream>(
      std::move(*socket), transport::SocketStream::Facts{.ends = std::move(ends), .peer_process = peer});
}

}  // namespace takt::roads
