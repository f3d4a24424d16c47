// How an end point connects one of its flows by an address, for the full profile.
#include <utility>

#include "streams/service/end_point_attempt.h"

namespace takt::streams {

using AVStreams::streamOpFailed;

FlowEntry EndPoint::receive_flow(std::string_view flow, Quality& quality) {
  if (const auto excess = excess_in(quality, parts_.limits)) throw AVStreams::QoSRequestFailed(*excess);
  Attempt attempt(*this);
  FlowEntry entry;
  {
    const std::lock_guard changing(changes_);
    const std::lock_guard lock(mutex_);
    Flow& own = existing(flow);
    if (!own.offer->sink) throw streamOpFailed("flow " + own.offer->name + ": the device only produces it");
    grant(quality, own, &attempt);
    entry = listen(own, {.name = own.offer->name, .carrier = {.name = carrier_of(own, "")}}, attempt);
  }
  attempt.succeed();
  parts_.connections.fetch_add(1, std::memory_order_relaxed);
  return entry;
}

void EndPoint::send_flow(std::string_view flow, Quality& quality, const FlowEntry& to,
                         const ObjectRef& peer) {
  if (const auto excess = excess_in(quality, parts_.limits)) throw AVStreams::QoSRequestFailed(*excess);
  if (!peer) throw streamOpFailed("there is no flow end point to send to: set_peer() says which");
  require_answer(peer);
  Attempt attempt(*this);
  {
    const std::lock_guard changing(changes_);
    std::unique_lock lock(mutex_);
    Flow& own = existing(flow);
    if (!own.offer->source) throw streamOpFailed("flow " + own.offer->name + ": the device only consumes it");
    carrier_of(own, to.carrier.name);
    grant(quality, own, &attempt);
    send_to(own, to, peer, attempt, lock);
  }
  attempt.succeed();
  parts_.connections.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace takt::streams
