// Connections that a server closes because it has no room for them: in good order, so that their clients
// know, and without waiting. Its people are told why, once (Server::report). Any thread.
#pragma once

#include <exception>
#include <memory>

#include <takt/transport/acceptor.h>
#include <takt/transport/stream.h>

#include "giop/message/event.h"

namespace takt::server {

class Server;

// As many are open as ServerOptions::connections lets be.
void refuse_one_too_many(std::unique_ptr<transport::Stream> stream, Server& server);
// As many of its peer's are open as ServerOptions::peer_connections lets be.
void refuse_one_too_many_of_peer(std::unique_ptr<transport::Stream> stream, Server& server);
// Its thread could not be started; `error` is an errno value.
void report_no_thread(int error, Server& server);
// The peer was answered with MessageError; tells where that is for a version below Limits::least_giop_minor.
void report_version_refused(const giop::Event& error, Server& server);
// None could be taken in; tells where that is for want of descriptors or memory.
void report_not_accepted(transport::AcceptError error, Server& server);
// A connection ends in an exception: std::bad_alloc in nearly all cases.
void report_lost(const std::exception& why, Server& server) noexcept;
// Its peer does not take what it has asked for, and there is no memory to keep that.
void report_not_taken(Server& server) noexcept;
// NO_RESOURCES: the poll has no room for an acceptor.
[[noreturn, gnu::cold]] void throw_cannot_watch();

}  // namespace takt::server
