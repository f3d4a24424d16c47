// Counts and logs a server's connections. Any thread. Without memory for a text, its line is left out.
#pragma once

#include "concurrency/connections/served_connection.h"
#include "server/server.h"

namespace takt::server {

void log_accepted(const transport::Stream& stream, Server& server) noexcept;
// `stops`: the server ends its connections. Logs nothing if the connection goes on in other hands.
void log_closed(ServedConnection& connection, const Server& server, bool stops) noexcept;

}  // namespace takt::server
