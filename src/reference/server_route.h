// Routes to a server: what profiles state about the server, independent of the object.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <takt/cdr/code_sets.h>
#include <takt/cdr/ior.h>
#include <takt/transport/endpoint.h>
#include <takt/transport/stream_options.h>

#include "giop/contexts/priorities.h"
#include "giop/header/messaging.h"
#include "reference/endpoint_filter.h"
#include "reference/local_roads.h"
#include "reference/profiles.h"

namespace takt::reference {

// In the profiles of servers of Takt that may serve several requests of a connection at the same time. Its
// data is empty. Takt's own.
inline constexpr std::uint32_t overlap_component = 0x54414b0d;

// Immutable, and shared by the routes to all objects with equal profiles. Not movable once in use, because
// `format` points into it.
struct ServerRoute {
  std::uint8_t giop_minor = 0;
  cdr::CodeSets code_sets;
  cdr::Format format;                          // for requests: native byte order, these code sets
  std::vector<std::uint8_t> code_set_context;  // sent with the first request on a connection; may be empty

  struct Address {
    transport::Endpoint endpoint;
    std::uint64_t connection_id;  // equal for routes that may share a connection
    giop::PriorityBand serves;    // the request priorities that it accepts
    std::uint32_t protocol;       // the transport's profile tag
    transport::StreamOptions streams;
    giop::Messaging messaging;
    std::optional<RoadOffer> road = {};  // connections go there, if possible, and else to `endpoint`
  };
  std::vector<Address> addresses;  // in the order to try them

  // The server's priority policies. If `by_priority`, each priority has addresses of its own.
  std::optional<giop::PriorityPolicies> priorities;
  bool propagates_priority = false;  // each request carries its priority
  bool by_priority = false;
  bool has_extra_contexts = false;  // requests carry a priority or are probed
  // The reference names Takt as its ORB. omniORB 4.2 cannot handle CancelRequest of GIOP 1.2: it hangs in
  // reading it.
  bool takes_cancels = false;
  // It serves the requests of a connection one after the other: it is Takt's, and its reference does not have
  // overlap_component.
  bool serves_in_order = false;
  bool speaks_lite = false;  // the profile offers GIOPlite, and this ORB supports it
  // The priority at which the server serves a request from a thread with this priority, or without one.
  // nullopt if neither the server nor the thread sets a priority.
  std::optional<giop::Priority> priority_of(std::optional<giop::Priority> requested) const;
  // The band of addresses for requests of a priority; nullopt lets the server choose. Returns nullopt if no
  // address serves it (RT-CORBA 1.0, 4.11.1).
  std::optional<giop::PriorityBand> band_for(std::optional<giop::Priority> requested) const;

 private:
  std::optional<giop::PriorityBand> banded(giop::Priority priority, bool requested) const;
};

// Protocol parameters that a third party has agreed on, for calls on its behalf, as a bridge makes them.
struct Agreement {
  std::uint8_t giop_minor = 2;
  cdr::CodeSets code_sets;
  std::shared_ptr<const EndpointFilter> places;  // allowed endpoints; null: any
};

// `paths`: the reference has no profile that is only for paths. `agreed`: see make_target(). Null if the
// object is on another machine or in another process that cannot be reached, at no allowed endpoint, or
// speaks no permitted GIOP version.
std::shared_ptr<const ServerRoute> make_server_route(References& references, const KnownProfile& known,
                                                     bool paths, const Agreement* agreed);
// A route to all members of a group by multicast. Null if it is not a group's profile, groups are disabled,
// or the address is not allowed.
std::shared_ptr<const ServerRoute> make_group_route(References& references, const cdr::TaggedProfile& tagged,
                                                    const Agreement* agreed);

}  // namespace takt::reference
