// Ways to an object: what its IOR says, made ready for calls.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/cdr/code_sets.h>
#include <takt/cdr/ior.h>
#include <takt/transport/endpoint.h>
#include <takt/transport/stream_options.h>

#include "giop/contexts/priorities.h"
#include "giop/message/request.h"
#include "giop/messaging.h"

namespace takt::connection {

// One profile that we can use. Immutable and shared by threads.
class Route {
 public:
  std::uint8_t giop_minor = 0;
  std::uint32_t profile = 0;  // its place in the IOR
  std::vector<std::uint8_t> object_key;
  giop::PreparedTarget prepared;  // the head of a request up to the operation
  cdr::CodeSets code_sets;
  cdr::Format format;                          // of requests: native order, with these code sets
  std::vector<std::uint8_t> code_set_context;  // of the first request on a connection; may be empty
  bool local = false;                          // leads to this very ORB

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
  bool speaks_lite = false;   // so the profile says, and we could
  // Of the addresses, those for requests of a priority; nothing given: the server's choice. Nothing found:
  // none serves it (RT-CORBA 1.0, 4.11.1).
  std::optional<giop::PriorityBand> band_for(std::optional<giop::Priority> requested) const;

 private:
  std::optional<giop::PriorityBand> banded(giop::Priority priority, bool requested) const;
};

// Equal where calls may go by the same connection.
struct ConnectionKey {
  std::uint64_t connection_id = 0;  // of the address
  std::uint64_t reference = 0;      // the only one that may use it, by its serial; 0: any
  friend auto operator<=>(const ConnectionKey&, const ConnectionKey&) = default;
};

// A reference's present IOR and its usable routes, in the order to try them.
struct Target {
  cdr::Ior ior;
  std::vector<Route> routes;
  std::vector<std::uint8_t> local_key;  // the object's key where it is ours, else empty
};

// What a client has agreed on with somebody else, for whom we call.
struct Agreement {
  std::uint8_t giop_minor = 2;
  cdr::CodeSets code_sets;
};

class OrbCore;
// `local_key`: the object is known to be ours, under that key. `agreed`: holds for requests instead of what
// the reference and we come to; null: nothing is.
std::shared_ptr<const Target> make_target(OrbCore& core, cdr::Ior ior, ByteView local_key = {},
                                          const Agreement* agreed = nullptr);

}  // namespace takt::connection
