// Consumers that read a channel's events from a shared buffer, and those that cannot.
#include <gtest/gtest.h>

#include "event_ring/event_rings.h"
#include "event_ring/ring_consumer.h"
#include "rt_events/model/filters.h"
#include "served.h"

namespace feature {
namespace {

namespace filters = takt::rt_events::filters;
using takt::event_ring::EventRingOptions;
using takt::event_ring::EventRings;
using takt::event_ring::RingConsumer;
using takt::event_ring::RingConsumerOptions;
using Received = std::vector<RtecEventComm::Event>;

// A channel with shared buffers, and its consumers.
struct RingServer : RtEventServer {
  explicit RingServer(EventRingOptions options = {}, EventChannelServiceOptions service_options = {})
      : RtEventServer(std::move(service_options)),
        rings(*EventRings::start(server, *service, std::move(options))) {}
  ~RingServer() { rings->stop(); }

  CORBA::object_reference<CORBA::Object> source() const {
    const std::string address = client->object_to_string(channel);
    return seen_by_client<CORBA::Object>(server->resolve_initial_references("RootPOA")) ? nullptr : nullptr;
  }

  std::unique_ptr<EventRings> rings;
};

}  // namespace
}  // namespace feature
