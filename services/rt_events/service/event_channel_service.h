// A real-time event channel for other processes, with the interfaces of TAO's service.
//
//   auto service = takt::rt_events::EventChannelService::start(
//       orb, {.channel = {.levels = {{"urgent", 20'000}, {"ordinary", 5'000}}}});
//   orb->object_to_string((*service)->reference());
#pragma once

#include <expected>
#include <functional>
#include <memory>
#include <string>

#include <takt/orb/orb.h>

#include "RtecEventChannelAdminC.h"
#include "Takt_RtEventsC.h"
#include "rt_events/event_channel.h"
#include "rt_events/service/service_options.h"

namespace takt::rt_events {

// Suppliers and consumers connect from other processes, and in this process through channel(). Thread-safe.
// Before it is destroyed, which calls stop(), the ORB must be shut down.
//
// A remote consumer is called by oneway calls of its level's thread. A push of a remote supplier takes no
// lock and does not wait, as EventChannel::push().
class EventChannelService {
 public:
  using ChannelRef = CORBA::object_reference<RtecEventChannelAdmin::EventChannel>;

  // Creates POAs below the root POA, whose manager holds requests until it is active. Registers the channel
  // under the object key "EventService", and an object with its state (idl/Takt_RtEvents.idl) under
  // "TaktRtEvents". Clients are called over the ORB's own connections: set -ORBClientConnections cached if
  // there are many. Returns the reason on failure; an ORB can have one such service.
  static std::expected<std::unique_ptr<EventChannelService>, std::string> start(
      CORBA::object_reference<CORBA::ORB> orb, EventChannelServiceOptions options = {});
  ~EventChannelService();
  EventChannelService(const EventChannelService&) = delete;
  EventChannelService& operator=(const EventChannelService&) = delete;

  ChannelRef reference() const;
  // For suppliers and consumers of this process. It lives as long as the service, and stops with it.
  EventChannel& channel() const;
  // Whether a schedule counts its clients (EventChannelServiceOptions::declarations).
  bool is_scheduled() const;
  Takt::RtEvents::State look(std::uint32_t most_clients) const;
  // Shows the counts of DatagramInput and DatagramOutput, which are not the service's, in look() and to
  // remote operators; null: there are none. After it has returned, an earlier function is not called.
  void show_datagrams(std::function<Takt::RtEvents::DatagramCounts()> counts);
  // The same for shared buffers. EventRings calls it.
  void show_rings(std::function<Takt::RtEvents::RingsState(std::uint32_t most_readers)> rings);
  // Disconnects all clients and tells them, within ServiceLimits::goodbye_within. Waits for running calls.
  // Not in a call of a consumer.
  void stop();

 private:
  struct Made;
  explicit EventChannelService(std::unique_ptr<Made> parts);
  // Throws exceptions of CORBA.
  static std::expected<std::unique_ptr<EventChannelService>, std::string> make(
      const CORBA::object_reference<CORBA::ORB>& orb, EventChannelServiceOptions options);

  const std::unique_ptr<Made> parts_;
};

}  // namespace takt::rt_events
