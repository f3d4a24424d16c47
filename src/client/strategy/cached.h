// A pool of connections per server; each call in progress has one to itself.
#pragma once

#include "client/strategy/cached_channel.h"
#include "client/strategy/per_server.h"

namespace takt::client {

// A thread takes a connection for one call and has it to itself, so no other call's reply delays it, as with
// a connection per thread. There are only as many connections as concurrent calls, however many threads there
// are ([Schmidt 2001], section 3.1: connections from a process-wide cache). It costs two locks per call.
class CachedStrategy final : public PerServer<ConnectionCache, CachedChannel> {
  std::expected<Kept, transport::ConnectError> begin(Client& client, const reference::Route::Address& address,
                                                     std::unique_ptr<transport::Stream> stream) override {
    auto cache = std::make_shared<ConnectionCache>(client, address);
    cache->give_back(cache->make(std::move(stream)));
    return cache;
  }
};

}  // namespace takt::client
