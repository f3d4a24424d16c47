// Connections that a server closes because it has no room for them: in good order, so that their clients
// know, and without waiting. Its people are told why, once (OrbCore::tell). Any thread.
#pragma once

#include <memory>

#include <takt/transport/acceptor.h>
#include <takt/transport/stream.h>

namespace takt::connection {

class OrbCore;

// As many are open as CoreOptions::server_connections lets be.
void refuse_one_too_many(std::unique_ptr<transport::Stream> stream, OrbCore& core);
// Its thread could not be started; `error` is an errno value.
void refuse_without_thread(std::unique_ptr<transport::Stream> stream, OrbCore& core, int error);
// None could be taken in; tells where that is for want of descriptors or memory.
void tell_not_accepted(transport::AcceptError error, OrbCore& core);
// NO_RESOURCES: the poll has no room for an acceptor.
[[noreturn, gnu::cold]] void throw_cannot_watch();

}  // namespace takt::connection
