// Reports to the operator what a server cannot do, each reason once (Server::report). Any thread.
#pragma once

#include <exception>
#include <string>

#include <takt/transport/acceptor.h>

#include "giop/message/event.h"

namespace takt::server {

class Server;

// Reports that connections are closed as soon as they are accepted.
void report_closing(const std::string& why, Server& server);
// Reports that a connection's thread could not be started; `error` is an errno value.
void report_no_thread(int error, Server& server);
// Reports that a connection cannot be served, because the poll has no room for its stream.
void report_not_watched(Server& server);
// Reports a MessageError sent to a peer, if the cause is a version below Limits::least_giop_minor.
void report_version_refused(const giop::Event& error, Server& server);
// Reports that no connection can be accepted, if the cause is a lack of descriptors or memory.
void report_not_accepted(transport::AcceptError error, Server& server);
// Reports that a connection ended because of an exception, which is nearly always std::bad_alloc.
void report_lost(const std::exception& why, Server& server) noexcept;
// Reports a connection whose peer does not read its replies, when there is no memory to keep them.
void report_not_taken(Server& server) noexcept;
// Throws NO_RESOURCES: the poll has no room for an acceptor.
[[noreturn, gnu::cold]] void throw_cannot_watch();

}  // namespace takt::server
