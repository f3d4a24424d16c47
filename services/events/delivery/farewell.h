// The end of a client's connection: its disconnect operation is called.
#pragma once

#include <functional>

#include "events/delivery/client_link.h"
#include "events/model/ids.h"

namespace takt::events {

// Makes a thread of the dispatcher call `disconnect` once, with the client and a limit for the call's time.
// Does not block. Exceptions of the call are ignored. If there is no memory, the client is not told.
void say_farewell(const ObjectRef& client, std::function<void(const ObjectRef& client)> disconnect,
                  const Limits& limits, Dispatcher& dispatcher);

// Calls the disconnect operation of a client of the OMG's event service. `kind`: its proxy's. Blocks until
// the reply, and throws what the call throws.
void disconnect(const ObjectRef& client, ProxyKind kind);

}  // namespace takt::events
