// Ways to a server: what profiles say of it, whichever of its objects they are of.
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
#include "reference/places.h"
#include "reference/profiles.h"

namespace takt::reference {

// Immutable, and shared by the routes to all objects of which references say the same. Stays where it is.
struct ServerRoute {
  std::uint8_t giop_minor = 0;
  cdr::CodeSets code_sets;
  cdr::Format format;                          // of requests: native order, with these code sets
  std::vector<std::uint8_t> code_set_context;  // of the first request on a connection; may be empty

  struct Address {
    transport::Endpoint endpoint;
    std::uint64_t connection_id;  // equal for routes that may share a connection
    giop::PriorityBand serves;    // requests of these priorities
    std::uint32_t protocol;       // the transport's profile tag
    transport::StreamOptions streams;
    giop::Messaging messaging;
  };
  std::vector<Address> addresses;  // to try in this order

  // What the server says of priorities; it takes requests of each at addresses of their own where
  // `by_priority`.
  std::optional<giop::PriorityPolicies> priorities;
  bool propagates_priority = false;  // each request carries its own
  bool by_priority = false;
  bool unusual_head = false;  // of its requests: they carry a priority, or are probed
  // By its reference it is Takt: omniORB 4.2 reads a CancelRequest of GIOP 1.2 on and on, and nothing else.
  bool takes_cancels = false;
  bool speaks_lite = false;  // so the profile says, and we could
  // At which the server takes a request of a thread with that priority, or of one without; nothing: it says
  // nothing of priorities, and neither does the thread.
  std::optional<giop::Priority> priority_of(std::optional<giop::Priority> requested) const;
  // Of the addresses, those for requests of a priority; nothing given: the server's choice. Nothing found:
  // none serves it (RT-CORBA 1.0, 4.11.1).
  std::optional<giop::PriorityBand> band_for(std::optional<giop::Priority> requested) const;

 private:
  std::optional<giop::PriorityBand> banded(giop::Priority priority, bool requested) const;
};

// What a client has agreed on with somebody else, for whom we call.
struct Agreement {
  std::uint8_t giop_minor = 2;
  cdr::CodeSets code_sets;
  std::shared_ptr<const Places> places;  // where calls may go; null: anywhere
};

// `paths`: no profile of the reference's is for paths alone. `agreed`: see make_target(). Null: the profile's
// object is on another machine, in another process, where it can't be reached, or at none of the agreed
// places, or it speaks no version of GIOP that we may.
std::shared_ptr<const ServerRoute> make_server_route(References& references, const KnownProfile& known,
                                                     bool paths, const Agreement* agreed);
// To all members of a group at once, by multicast. Null: it is no group's, we know of none, or it is at none
// of the agreed places.
std::shared_ptr<const ServerRoute> make_group_route(References& references, const cdr::TaggedProfile& tagged,
                                                    const Agreement* agreed);

}  // namespace takt::reference
