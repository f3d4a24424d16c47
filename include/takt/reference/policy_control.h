// Which ways a client's calls may take, as a plug-in decides it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <takt/transport/endpoint.h>

namespace takt::reference {

// Any thread, several at a time. Lives as long as the ORB.
class PolicyControl {
 public:
  PolicyControl() = default;
  PolicyControl(const PolicyControl&) = delete;
  PolicyControl& operator=(const PolicyControl&) = delete;
  virtual ~PolicyControl() = default;

  // For texts of errors.
  virtual std::string_view name() const = 0;

  // One that the object's reference names, and the client's policies allow.
  struct Way {
    const transport::Endpoint& endpoint;
    std::uint32_t protocol;  // RTCORBA::Protocol::protocol_type
  };
  // A thread is about to look for a connection: which of these to try, by their places in the list, in that
  // order. The others are not. None: the call is refused, with INV_POLICY; so it is with the text of what is
  // thrown. Calls over connections that there are do not ask.
  virtual std::vector<std::size_t> choose(std::span<const Way> ways) const = 0;
};

}  // namespace takt::reference
