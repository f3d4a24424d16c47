// The objects that an ORB's connections need, without an ORB.
#pragma once

#include <memory>

#include "client/client.h"
#include "reference/references.h"
#include "server/server.h"

namespace takt::rooms {

struct Rooms {
  giop::ProtocolOptions protocol;
  reference::ConnectionOptions connections;
  reference::References references{protocol, connections};
  client::Client client{references};
  server::Server server{protocol, connections};

  // In the same state as in an ORB.
  template <class All = Rooms>
  static std::shared_ptr<All> make() {
    auto rooms = std::make_shared<All>();
    rooms->references.become_part_of(rooms);
    rooms->references.client = &rooms->client;
    rooms->client.become_part_of(rooms);
    rooms->server.become_part_of(rooms);
    return rooms;
  }
};

}  // namespace takt::rooms
