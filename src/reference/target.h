// Routes to an object: its IOR, prepared for calls.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <vector>

#include <takt/base/bytes.h>
#include <takt/cdr/ior.h>

#include "giop/message/request.h"
#include "reference/server_route.h"

namespace takt::reference {

// A usable profile. Immutable and shared by threads.
struct Route {
  using Address = ServerRoute::Address;

  std::shared_ptr<const ServerRoute> server;
  std::uint32_t profile = 0;  // index of the profile in the IOR
  std::vector<std::uint8_t> object_key;
  giop::PreparedTarget prepared;  // the request header up to the operation
};

// Equal for calls that may share a connection.
struct ConnectionKey {
  std::uint64_t connection_id = 0;  // the id of the address
  std::uint64_t reference = 0;      // serial of the only reference that may use it; 0: any
  friend auto operator<=>(const ConnectionKey&, const ConnectionKey&) = default;
};

// An IOR and its usable routes, in the order to try them.
struct Target {
  cdr::Ior ior;
  std::vector<Route> routes;
  std::vector<std::uint8_t> local_key;      // the object key if the object is in this ORB, else empty
  std::unique_ptr<const Agreement> agreed;  // set by a bridge; also applies when its server forwards calls
};

class References;
// `local_key`: not empty if the object is known to be ours. `agreed`: replaces the negotiation between the
// reference and this ORB; null if nothing was agreed.
std::shared_ptr<const Target> make_target(References& references, cdr::Ior ior, ByteView local_key = {},
                                          const Agreement* agreed = nullptr);

}  // namespace takt::reference
