// Ways to an object: what its IOR says, made ready for calls.
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

// One profile that we can use. Immutable and shared by threads.
struct Route {
  using Address = ServerRoute::Address;

  std::shared_ptr<const ServerRoute> server;
  std::uint32_t profile = 0;  // its place in the IOR
  std::vector<std::uint8_t> object_key;
  giop::PreparedTarget prepared;  // the head of a request up to the operation
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
  std::vector<std::uint8_t> local_key;      // the object's key where it is ours, else empty
  std::unique_ptr<const Agreement> agreed;  // a bridge's; holds wherever its server forwards calls, too
};

class References;
// `local_key`: the object is known to be ours, under that key. `agreed`: holds for requests instead of what
// the reference and we come to; null: nothing is.
std::shared_ptr<const Target> make_target(References& references, cdr::Ior ior, ByteView local_key = {},
                                          const Agreement* agreed = nullptr);

}  // namespace takt::reference
