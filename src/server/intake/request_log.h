// Counts and logs requests that are refused. Any thread. Without memory for a text, its line is left out.
#pragma once

#include <string_view>

#include <takt/server/server_call.h>

#include "server/request/verdict.h"
#include "server/server.h"

namespace takt::server {

// Names the peer that the thread serves, if known.
void log_refused(const ServerCall& call, Verdict why, Server& server) noexcept;
// A request that comes too late.
void log_too_late(std::string_view operation, const Server& server) noexcept;

}  // namespace takt::server
