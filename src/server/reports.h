// Reports to the operator what a server cannot do, each reason once (Server::report). Any thread.
#pragma once

#include <exception>

#include "giop/message/event.h"

namespace takt::server {

class Server;

// Reports a MessageError sent to a peer, if the cause is a version below Limits::least_giop_minor.
void report_version_refused(const giop::Event& error, Server& server);
// Reports that a connection ended because of an exception, which is nearly always std::bad_alloc.
void report_lost(const std::exception& why, Server& server) noexcept;
// Reports a connection whose peer does not read its replies, when there is no memory to keep them.
void report_not_taken(Server& server) noexcept;

}  // namespace takt::server
