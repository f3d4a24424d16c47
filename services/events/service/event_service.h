// An event service: makes event channels, and serves them and their factory.
//
//   const auto service = takt::events::EventService::start(orb, {});
//   const auto channel = (*service)->make_channel({.name = "weather"});
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <takt/orb/orb.h>

#include "events/channel/registry.h"
#include "omniEventsC.h"

namespace takt::events {

struct ServiceState {
  std::vector<ChannelState> channels{};
  std::size_t proxies = 0;
  std::uint64_t queued_bytes = 0;  // memory of events, estimated
  std::uint32_t waiting_pulls = 0;
  Dispatcher::Counts threads{};
};

// Thread-safe. Before it is destroyed, the ORB must be shut down, after stop().
class EventService {
 public:
  using ChannelRef = CORBA::object_reference<omniEvents::EventChannel>;
  struct Options {
    // The SQLite file; empty: channels and connections last as long as this object.
    std::string store{};
    Limits limits{};
    Journal::Report report{};
  };

  // Registers an object with the service's state under the key "TaktEvents" (idl/Takt_Events.idl).
  // Reads the store, and connects the clients of an earlier run again. Creates POAs below the root POA.
  // Registers the factory under the object key "omniEvents" and the initial reference "EventChannelFactory".
  // Requests are held until the root POA's manager is active. Clients are called over the ORB's own
  // connections: set -ORBClientConnections cached if there are many. Returns the reason on failure.
  static std::expected<std::unique_ptr<EventService>, std::string> start(
      CORBA::object_reference<CORBA::ORB> orb, Options options);
  EventService(const EventService&) = delete;
  EventService& operator=(const EventService&) = delete;
  ~EventService();

  CORBA::object_reference<omniEvents::EventChannelFactory> factory() const;
  // A channel with a name is also at corbaloc::HOST:PORT/NAME. Returns the reason on failure: the name is
  // taken, or there are too many channels, or the store cannot be written.
  std::expected<ChannelRef, Refusal> make_channel(ChannelSettings settings);
  // Nil if no channel has the name.
  ChannelRef channel(const std::string& name) const;
  // With that many proxies of each channel.
  ServiceState look(std::size_t most_proxies = std::numeric_limits<std::size_t>::max()) const;
  // Ends the threads that call clients, and waits for them. Clients stay connected, for a restart.
  void stop();

 private:
  struct Made;
  explicit EventService(std::unique_ptr<Made> parts);

  const std::unique_ptr<Made> parts_;
};

}  // namespace takt::events
