// The objects that the channels, administrators and proxies of a notification service share.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include <takt/corba.h>

#include "events/delivery/dispatcher.h"
#include "events/delivery/end_reason.h"
#include "events/model/event.h"
#include "events/model/fullest.h"
#include "notification_parts/model/limits.h"
#include "notification_parts/store/persistence.h"

namespace takt::notification {

class Proxy;

using events::EndReason;

struct Parts {
  Parts(CORBA::ORB& of_orb, const Limits& of_limits, events::ProxyKeeper<Proxy>& of_keeper,
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
  events::ProxyKeeper<Proxy>& keeper;
  events::Memory memory;
  events::MemoryShares shares{memory};
  events::Memory untold;                           // for changes of types that clients have yet to be told
  const std::unique_ptr<Persistence> persistence;  // null: nothing is kept
  std::atomic<std::uint32_t> waiting_pulls{0};
  std::atomic<bool> stopping{false};
  events::Dispatcher dispatcher;  // last, so that it ends first
};

}  // namespace takt::notification
