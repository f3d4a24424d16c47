// Reports to the operator why connections are not served, each reason once (Server::report). Any thread.
#pragma once

#include <string>

#include <takt/transport/acceptor.h>

namespace takt::server {

class Server;

// Reports that connections are closed as soon as they are accepted.
void report_closing(const std::string& why, Server& server);
// Reports that a connection's thread could not be started; `error` is an errno value.
void report_no_thread(int error, Server& server);
// Reports that a connection cannot be served, because the poll has no room for its stream.
void report_not_watched(Server& server);
// Reports that no connection can be accepted, if the cause is a lack of descriptors or memory, or that the
// listener is unusable.
void report_not_accepted(transport::AcceptError error, Server& server);
// Throws NO_RESOURCES: the poll has no room for an acceptor.
[[noreturn, gnu::cold]] void throw_cannot_watch();

}  // namespace takt::server
