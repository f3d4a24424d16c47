// The objects that the proxies of an event service share.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include <takt/corba.h>

#include "events/delivery/dispatcher.h"
#include "events/model/event.h"
#include "events/model/fullest.h"
#include "events/model/ids.h"
#include "events/model/limits.h"

namespace takt::events {

class Proxy;

enum class EndReason : std::uint8_t {
  client,     // the client has disconnected
  destroyed,  // with its channel
  dead,       // the client does not exist, cannot be reached, or raises only exceptions
  replaced,   // least active, when its channel had too many pull suppliers
  unused,     // nothing has connected to the proxy
};

// Removes proxies whose clients have gone.
class ProxyKeeper {
 public:
  virtual void end(Proxy& proxy, EndReason reason) = 0;

 protected:
  ~ProxyKeeper() = default;
};

struct Parts {
  Parts(CORBA::ORB& of_orb, const Limits& of_limits, ProxyKeeper& of_keeper)
      : orb(of_orb), limits(of_limits), keeper(of_keeper), memory(limits.queued_bytes), dispatcher(limits) {}

  CORBA::ORB& orb;
  const Limits limits;
  ProxyKeeper& keeper;
  Memory memory;
  MemoryShares shares{memory};
  std::atomic<std::uint32_t> waiting_pulls{0};
  std::atomic<bool> stopping{false};
  Dispatcher dispatcher;  // last, so that it ends first
};

}  // namespace takt::events
