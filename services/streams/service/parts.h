// The data that the objects of one device share.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <takt/base/memory_budget.h>
#include <takt/corba.h>

#include "AVStreamsS.h"
#include "events/delivery/with_timeout.h"
#include "streams/model/limits.h"
#include "streams/service/activation.h"
#include "streams/service/offer.h"

namespace takt::streams {

class EndPoint;

struct Parts {
  Ref<CORBA::ORB> orb;
  Ref<PortableServer::POA> adapter;  // has all objects but the device itself
  std::vector<FlowOffer> offers;
  Limits limits;
  std::string host;          // where flows arrive
  bool any_address = false;  // whether flows may go to hosts that their end points' references do not name
  std::function<bool(const CosPropertyService::Property&)> configure;

  MemoryBudget frame_memory;  // for the frames that consumers keep: limits.kept_bytes
  std::atomic<std::uint64_t> connections{0}, refusals{0}, producers{0};

  std::mutex mutex;  // guards what follows
  std::uint64_t last_number = 0;
  std::map<std::uint64_t, std::shared_ptr<EndPoint>> end_points;

  const FlowOffer* offer(std::string_view name) const {
    for (const FlowOffer& each : offers)
      if (each.name == name) return &each;
    return nullptr;
  }
};

// The reference with a limit for the time of each call; nil for nil.
template <class Interface>
Ref<Interface> bounded(const Ref<Interface>& object, const Limits& limits) {
  if (!object) return nullptr;
  return IDL::traits<Interface>::unchecked_narrow(events::with_timeout(object, limits.call_timeout));
}

}  // namespace takt::streams
