// Shared buffers, by which consumers in other processes of this machine get the events of a channel.
//
//   auto rings = takt::event_ring::EventRings::start(orb, **service);
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <takt/orb/orb.h>

#include "rt_events/service/event_channel_service.h"

namespace takt::event_ring {

struct EventRingOptions {
  std::size_t bytes = std::size_t{4} << 20;  // for each level: a power of two, 64 KiB to 64 MiB
  std::size_t readers = 256;                 // all levels together
  std::size_t queued_events = 4096;          // that wait in the channel for the thread of the level
  // Why a reader cannot have a ring. Called by a thread of the rings; it must not call stop().
  std::function<void(const std::string&)> report = {};
};

struct EventRingCounts {
  std::size_t readers = 0;
  std::uint64_t refused = 0;        // connections of readers
  std::uint64_t events = 0;         // written, for all readers of a level together
  std::uint64_t lost = 0;           // before they could be written; readers count them, too
  std::uint64_t too_long = 0;       // lost events that are longer than a quarter of a ring
  std::uint64_t reader_losses = 0;  // events that readers say to have lost, also readers that have gone
};

// Each level of the channel has a ring, which is a consumer of the channel while the ring has readers. The
// thread of the level writes each event to it once, for all of them. Thread-safe.
class EventRings {
 public:
  // Registers the object by which readers find the rings (idl/Takt_EventRing.idl) under the object key
  // "TaktEventRing", below the root POA, and shows figures of the rings in the service's look(). Returns the
  // reason on failure: also for a service whose clients a schedule counts, because readers declare nothing.
  // The service must outlive the rings.
  static std::expected<std::unique_ptr<EventRings>, std::string> start(
      const CORBA::object_reference<CORBA::ORB>& orb, rt_events::EventChannelService& service,
      EventRingOptions options = {});
  // As stop(). Not in a call of a consumer.
  ~EventRings();
  EventRings(const EventRings&) = delete;
  EventRings& operator=(const EventRings&) = delete;

  EventRingCounts counts() const;
  // Readers learn that there will be no more events. Call it before EventChannelService::stop().
  void stop();

 private:
  class Parts;
  EventRings(rt_events::EventChannelService& service, std::unique_ptr<Parts> parts);
  static std::expected<std::unique_ptr<EventRings>, std::string> make(
      const CORBA::object_reference<CORBA::ORB>& orb, rt_events::EventChannelService& service,
      EventRingOptions options);

  rt_events::EventChannelService& service_;
  const std::unique_ptr<Parts> parts_;
};

}  // namespace takt::event_ring
