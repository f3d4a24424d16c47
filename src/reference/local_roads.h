// Local roads: connections within a machine that replace TCP connections to a server which offers them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <takt/os/clock.h>
#include <takt/transport/acceptor.h>
#include <takt/transport/endpoint.h>
#include <takt/transport/stream.h>
#include <takt/transport/stream_options.h>

#include "giop/references/profile.h"

namespace takt::reference {

// The component of IIOP profiles with the offer. "TAK" and a number in the last octet; Takt's own.
inline constexpr std::uint32_t local_roads_component = 0x54414b0c;

// The roads that a reference offers and that this process may try. A value.
struct RoadOffer {
  std::uint8_t roads = 0;  // bits of roads::Road
  bool any_host = false;   // the server has the port at all addresses, so its sockets are named by that alone
  friend bool operator==(const RoadOffer&, const RoadOffer&) = default;
};

// The feature of one ORB. It lives as long as the ORB's references. Any thread.
class LocalRoads {
 public:
  virtual ~LocalRoads() = default;

  // Listens for the roads to the TCP endpoints among `published`, which belong to listeners at `bound`.
  // Never fails: endpoints for which the system refuses a socket are not offered, and the log says why.
  virtual std::vector<std::unique_ptr<transport::Acceptor>> listen_beside(
      std::span<const transport::Endpoint> bound, std::span<const transport::Endpoint> published,
      const transport::ListenOptions& options) = 0;
  // The component for a profile with these TCP addresses. nullopt if any of them has no roads.
  virtual std::optional<giop::TaggedComponent> offer_for(std::span<const giop::HostPort> addresses) const = 0;

  // Reads a component of a foreign reference. nullopt if this process cannot use the offer: it is malformed,
  // of another machine or of other namespaces, or this ORB uses no road of it.
  virtual std::optional<RoadOffer> read(const giop::TaggedComponent& component) const = 0;
  // Connects by the fastest road to the server whose TCP address is `to`. Null if TCP is to be used. Blocks
  // for -ORBLocalRoadTimeout at most (0.9 ms by default), and not beyond `deadline`.
  virtual std::unique_ptr<transport::Stream> open(const RoadOffer& offer, const transport::Endpoint& to,
                                                  os::TimePoint deadline,
                                                  const transport::StreamOptions& options) = 0;

  // Lets open() have roads prepared to servers that were late, by a thread. It calls `ready` each time that
  // channels may find something to take. Call once, before the first open().
  virtual void prepare_later(std::function<void()> ready) = 0;
  // Whether a road by that offer was ever prepared to that address. References with different offers do not
  // share roads, because one of them may lead to another server's socket.
  virtual bool has_led_to(const RoadOffer& offer, const transport::Endpoint& to) const = 0;
  // Takes a connection that was prepared, for one that goes by TCP. Null if there is none. Does not block.
  virtual std::unique_ptr<transport::Stream> take_prepared(const RoadOffer& offer,
                                                           const transport::Endpoint& to,
                                                           const transport::StreamOptions& options) = 0;
  // Prepares nothing any more. Waits for an attempt that is under way, for 0.1 s at most.
  virtual void stop() = 0;

  // Connections of one kind since the ORB began.
  struct Count {
    const char* road = "";  // "shm", "unix", or "tcp" where no offered road could be taken
    std::uint64_t opened = 0, accepted = 0, refused = 0;
  };
  virtual std::vector<Count> counts() const = 0;
};

}  // namespace takt::reference
