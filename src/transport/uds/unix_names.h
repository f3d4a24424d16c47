// What the transports that meet at a UNIX-domain socket have in common.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include <takt/transport/transport.h>

#include "os/net/unix_socket.h"

// As Transport has them.
namespace takt::transport::unix_names {

// "/path", "///path", "@name" for the abstract space; nothing: a path that the system chooses.
EndpointResult parse(std::string_view protocol, std::string_view address);
Endpoint beside(const Endpoint& configured);

// A file that no server listens at any more is taken over. It gets ListenOptions::file_mode before anybody
// can connect. An abstract name has no permissions.
std::expected<os::UnixListener, ListenError> listen(const Endpoint& on, const ListenOptions& options);
std::expected<os::Socket, ConnectError> connect(const Endpoint& to, os::TimePoint deadline,
                                                int send_buffer_bytes, int receive_buffer_bytes);
// Of an errno value.
ConnectError refusal(const Endpoint& to, int error);

// As of Stream::describe(). `server`: the name that it listens at.
std::string describe_client(std::string_view protocol, const std::string& server);
std::string describe_server(std::string_view protocol, const std::string& server,
                            const std::optional<os::ProcessIdentity>& peer);

}  // namespace takt::transport::unix_names
