// A connection for each call that is in progress, from those that the process keeps.
#pragma once

#include "client/strategy/cached_channel.h"
#include "client/strategy/per_server.h"

namespace takt::client {

// A thread takes a connection for the length of a call and has it alone, so that nothing of another call is
// in front of its reply, as with a connection of its own; and there are no more connections than calls at
// once, however many threads there are (paper 000, section 3.1: connections from a process-wide cache). The
// price is two locks.
class CachedMux final : public PerServer<ConnectionCache, CachedChannel> {
  std::expected<Kept, transport::ConnectError> begin(Client& client, const reference::Route::Address& address,
                                                     std::unique_ptr<transport::Stream> stream) override {
    auto cache = std::make_shared<ConnectionCache>(client, address);
    cache->give_back(cache->make(std::move(stream)));
    return cache;
  }
};

}  // namespace takt::client
