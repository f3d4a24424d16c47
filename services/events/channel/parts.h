// The objects that the proxies of an event service share.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include <takt/corba.h>

#include "events/delivery/dispatcher.h"
#include "events/delivery/end_reason.h"
#include "events/model/event.h"
#include "events/model/fullest.h"
#include "events/model/ids.h"
#include "events/model/limits.h"

namespace takt::events {

class Proxy;

struct Parts {
  Parts(CORBA::ORB& of_orb, const Limits& of_limits, ProxyKeeper<Proxy>& of_keeper)
      : orb(of_orb), limits(of_limits), keeper(of_keeper), memory(limits.queued_bytes), dispatcher(limits) {}

  CORBA::ORB& orb;
  const Limits limits;
  ProxyKeeper<Proxy>& keeper;
  Memory memory;
  MemoryShares shares{memory};
  std::atomic<std::uint32_t> waiting_pulls{0};
  std::atomic<bool> stopping{false};
  Dispatcher dispatcher;  // last, so that it ends first
};

}  // namespace takt::events
