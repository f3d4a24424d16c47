// The objects that the channels, administrators and proxies of a notification service share.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include <takt/corba.h>

#include "events/delivery/dispatcher.h"
#include "events/model/event.h"
#include "events/model/fullest.h"
#include "notification_parts/model/limits.h"
#include "notification_parts/store/persistence.h"

namespace takt::notification {

class Proxy;

enum class EndReason : std::uint8_t {
  client,     // the client has disconnected
  destroyed,  // with its administrator or channel
  dead,       // the client does not exist, cannot be reached, or raises only exceptions
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
  Parts(CORBA::ORB& of_orb, const Limits& of_limits, ProxyKeeper& of_keeper,
        std::unique_ptr<Persistence> kept_by)
      : orb(of_orb),
        limits(of_limits),
        keeper(of_keeper),
        memory(limits.queued_bytes),
        untold(limits.untold_bytes),
        persistence(std::move(kept_by)),
        dispatcher(limits) {}

  CORBA::ORB& orb;
  const Limits limits;
  ProxyKeeper& keeper;
  events::Memory memory;
  events::MemoryShares shares{memory};
  events::Memory untold;                           // for changes of types that clients have yet to be told
  const std::unique_ptr<Persistence> persistence;  // null: nothing is kept
  std::atomic<std::uint32_t> waiting_pulls{0};
  std::atomic<bool> stopping{false};
  events::Dispatcher dispatcher;  // last, so that it ends first
};

}  // namespace takt::notification
