// Counts and logs events of a server's connections and requests. Any thread. Without memory for a text, its
// line is left out.
#pragma once

#include <takt/server/server_call.h>

#include "server/served_connection.h"
#include "server/server.h"
#include "server/verdict.h"

namespace takt::server {

void log_accepted(const transport::Stream& stream, const Server& server) noexcept;
// `stops`: the server ends its connections. Logs nothing if the connection goes on in other hands.
void log_closed(ServedConnection& connection, const Server& server, bool stops) noexcept;
// A request that is refused, or comes too late; names the peer that the thread serves, if known.
void log_refused(const ServerCall& call, Verdict why, const Server& server) noexcept;
void log_too_late(std::string_view operation, const Server& server) noexcept;

}  // namespace takt::server
