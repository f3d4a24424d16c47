// Shared by the transports that meet at a UNIX-domain socket.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include <takt/transport/transport.h>

#include "os/net/unix_socket.h"
#include "transport/stream_ends.h"

namespace takt::transport::unix_names {

// Like Transport::parse(): "/path", "///path", or "@name" in the abstract namespace. Empty: the system
// chooses a path.
EndpointResult parse(std::string_view protocol, std::string_view address);
Endpoint beside(const Endpoint& configured);

// Takes over a socket file that no server listens at. The file gets ListenOptions::file_mode before any
// client can connect. An abstract name has no permissions.
std::expected<os::UnixListener, ListenError> listen(const Endpoint& on, const ListenOptions& options);
std::expected<os::Socket, ConnectError> connect(const Endpoint& to, os::TimePoint deadline,
                                                int send_buffer_bytes, int receive_buffer_bytes);
// `error` is an errno value.
ConnectError refusal(const Endpoint& to, int error);

// The ends of a client's stream and of a server's. `server` is the name at which the server listens.
StreamEnds client_ends(std::string_view protocol, const std::string& server);
StreamEnds server_ends(std::string_view protocol, const std::string& server,
                       const std::optional<os::ProcessIdentity>& peer);

}  // namespace takt::transport::unix_names
