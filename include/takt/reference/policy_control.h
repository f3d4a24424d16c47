// Selection of endpoints for a client's calls by a plug-in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <takt/transport/endpoint.h>

namespace takt::reference {

// Called from any thread, concurrently. Lives as long as the ORB.
class PolicyControl {
 public:
  PolicyControl() = default;
  PolicyControl(const PolicyControl&) = delete;
  PolicyControl& operator=(const PolicyControl&) = delete;
  virtual ~PolicyControl() = default;

  // The name that error texts use.
  virtual std::string_view name() const = 0;

  // An endpoint that the reference has and the client's policies allow.
  struct Way {
    const transport::Endpoint& endpoint;
    std::uint32_t protocol;  // RTCORBA::Protocol::protocol_type
  };
  // Called when a thread looks for a connection. Returns the indices of the endpoints to try, in that order;
  // the others are not tried. An empty result or an exception refuses the call with INV_POLICY, which
  // includes the exception's text. Calls over existing connections do not come here.
  virtual std::vector<std::size_t> choose(std::span<const Way> ways) const = 0;
};

}  // namespace takt::reference
